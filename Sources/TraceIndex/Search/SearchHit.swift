public import SystemPackage
public import TraceFormat

/// Something that a search found.
public struct SearchHit: Sendable, Hashable {
    /// The session's directory.
    public var session: FilePath
    /// The record whose words were found; nil where it was the session's title.
    public var record: IndexedRecord?
    /// The words around the hit.
    public var snippet: Snippet

    /// What it was found in; of a title, the session.
    public var kind: RecordKind { record?.kind ?? .session }

    /// A piece of a text in which something was found.
    public struct Snippet: Sendable, Hashable {
        /// Its parts, one after the other.
        public var parts: [Part]

        /// Words that were searched for, or others.
        public struct Part: Sendable, Hashable {
            /// The text, as it stands in the file.
            public var text: String
            /// Whether it was searched for.
            public var isHit: Bool
        }

        /// The text as a whole.
        public var text: String { parts.map(\.text).joined() }
    }
}

extension SearchHit.Snippet {
    /// What stands before and after a hit in what SQLite returns: no text has them, or if one has, it is only shown so.
    static let marks: (start: Unicode.Scalar, end: Unicode.Scalar) = ("\u{1}", "\u{2}")

    init(marked text: String) {
        parts = []
        var isHit = false
        for part in text.unicodeScalars.split(
            omittingEmptySubsequences: false,
            whereSeparator: { [Self.marks.start, Self.marks.end].contains($0) })
        {
            if !part.isEmpty { parts.append(Part(text: String(part), isHit: isHit)) }
            let end = part.endIndex
            isHit = end < text.unicodeScalars.endIndex && text.unicodeScalars[end] == Self.marks.start
        }
    }
}
