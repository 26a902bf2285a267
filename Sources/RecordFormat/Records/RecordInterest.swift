/// The records of which the rules across lines need more than the id.
package struct RecordInterest: Sendable {
    private let always: EntryKindSet
    /// Where the journal ends; nothing lies beyond the end of one that has none.
    private let end: SessionOffset?

    /// - Parameters:
    ///   - always: The kinds of which every record matters.
    ///   - end: What lies beyond it matters; nil if nothing does.
    package init(always: EntryKindSet, beyond end: SessionOffset?) {
        self.always = always
        self.end = end
    }

    package func isBeyondEnd(_ offset: SessionOffset?) -> Bool {
        guard let end, let offset else { return false }
        return offset > end
    }

    package func isNotable(_ kind: EntryKind, offset: SessionOffset?, hasReference: Bool) -> Bool {
        hasReference || always.contains(kind) || isBeyondEnd(offset)
    }
}
