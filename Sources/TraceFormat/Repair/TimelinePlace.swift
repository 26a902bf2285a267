package import RecordFormat

extension RecordLines {
    /// Where in a timeline an entry belongs: before everything that is later, and before the end of the session.
    ///
    /// - Returns: The first byte of the line that is to follow it; nil if none does.
    ///
    /// Source: docs/spec/format.md#rules-across-lines-and-files, rules 3 and 6.
    package func timelinePlace(at offset: SessionOffset) -> Int? {
        lines.first { line in
            guard let facts = line.facts, let other = facts.offset else { return false }
            return other.comes(behind: offset, inTimelineAs: facts.detail)
        }?.range.lowerBound
    }
}

extension SessionOffset {
    /// Whether an entry of a timeline that is here comes behind a new one at `offset`.
    ///
    /// - Parameter kind: The entry's: the end of the session comes behind what is at the same offset.
    package func comes(behind offset: SessionOffset, inTimelineAs kind: String?) -> Bool {
        self > offset || self == offset && kind == TimelineEntry.Kind.sessionEnd.rawValue
    }
}
