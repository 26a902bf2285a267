public import SystemPackage
public import RecordFormat

/// A search result.
public struct SearchHit: Sendable, Hashable {
    /// The session's directory.
    public var session: FilePath
    /// What kind of journal that is.
    public var journalKind: JournalKind
    /// The record whose words were found; nil if it was the journal's title.
    public var record: IndexedRecord?
    /// The words around the hit.
    public var snippet: Snippet

    /// What it was found in; of a title, the kind of journal.
    public var kindName: String { record?.kindName ?? journalKind.name }

    /// An excerpt of a text with a match.
    public struct Snippet: Sendable, Hashable {
        /// Its parts, one after the other.
        public var parts: [Part]

        /// Matching words, or others.
        public struct Part: Sendable, Hashable {
            /// The text, as it is in the file.
            public var text: String
            /// Whether it was searched for.
            public var isHit: Bool
        }

        /// The text as a whole.
        public var text: String { parts.map(\.text).joined() }
    }
}

extension SearchHit.Snippet {
    /// What precedes and follows a hit in what SQLite returns: no text has them, or if one has, it is only shown so.
    static let marks: (start: Unicode.Scalar, end: Unicode.Scalar) = ("\u{1}", "\u{2}")

    /// - Parameter words: What was searched for.
    init(marked text: String, _ words: SearchWords) {
        parts = []
        var isHit = false
        for part in text.unicodeScalars.split(
            omittingEmptySubsequences: false,
            whereSeparator: { [Self.marks.start, Self.marks.end].contains($0) })
        {
            if !part.isEmpty { add(String(part), isHit: isHit) }
            let end = part.endIndex
            isHit = end < text.unicodeScalars.endIndex && text.unicodeScalars[end] == Self.marks.start
        }
        if words.isUnspaced { markSeconds(of: words.pairs) }
    }

    /// Adds to the last part where that is as this one: hits without a space between them touch.
    private mutating func add(_ text: String, isHit: Bool) {
        if parts.last?.isHit == isHit {
            parts[parts.count - 1].text += text
        } else {
            parts.append(Part(text: text, isHit: isHit))
        }
    }

    /// A pair of characters is marked at the first alone (``SearchTokenizer``): marks the second too.
    private mutating func markSeconds(of pairs: Set<UnspacedText.Pair>) {
        let marked = parts
        parts = []
        var before: Unicode.Scalar?
        for part in marked {
            var length = 0
            if !part.isHit, let before, let next = UnspacedText.runs(of: part.text).first?.first,
                next.range.lowerBound == 0, pairs.contains(.init(first: before, second: next.scalar))
            {
                length = next.range.upperBound
                add(String(decoding: part.text.utf8.prefix(length), as: UTF8.self), isHit: true)
            }
            let rest = String(decoding: part.text.utf8.dropFirst(length), as: UTF8.self)
            if !rest.isEmpty { add(rest, isHit: part.isHit) }
            before = part.isHit ? UnspacedText.finalRun(of: part.text).last?.scalar : nil
        }
    }
}
