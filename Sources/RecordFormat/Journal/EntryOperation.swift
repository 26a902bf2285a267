/// What an entry of the queue asks for: to write a record into a session (`marker`), or a write of another kind of journal, whose
/// name has the kind of the journal in front (`kind.operation`).
///
/// Open: which operations there are is known to the formats of the journals.
///
/// Source: docs/queue.md#an-entry.
public struct EntryOperation: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The stable name.
    public let rawValue: String

    /// The operation of that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The kind of journal, if the name has one in front; a session's operations have none.
    package var journal: JournalKind? {
        guard let dot = rawValue.utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
        return JournalKind(name: String(rawValue[..<dot]))
    }

    /// The name without the kind of journal.
    package var name: Substring {
        guard let dot = rawValue.utf8.firstIndex(of: UInt8(ascii: ".")) else { return rawValue[...] }
        return rawValue[rawValue.utf8.index(after: dot)...]
    }

    /// Whether a text has the form of an operation of a kind of journal: words in lower case, a dot between them.
    package static func isJournalOperation(_ text: String) -> Bool {
        let words = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return words.count > 1 && text.utf8.count <= 64
            && words.allSatisfy { word in
                !word.isEmpty
                    && word.allSatisfy {
                        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "_")
                    }
            }
    }

    /// The name.
    public var description: String { rawValue }
}
