internal import RecordFormat
internal import TraceFormat
internal import TraceText

/// A marker as a digest tells of it.
struct Moment: Sendable, Hashable {
    let marker: Marker
    /// The voice note that belongs to it and is there.
    let voiceNote: ULID?
    /// The categories among the marker's tags, in the format's order.
    let categories: [MarkerCategory]

    init(_ marker: Marker, voiceNote: ULID?) {
        self.marker = marker
        self.voiceNote = voiceNote
        categories = marker.categories
    }

    /// One of the few words in parentheses behind a moment's name.
    struct Fact: Sendable, Hashable {
        let text: SingleLine
        /// The category that it names, if it does.
        var category: MarkerCategory?
    }

    /// What it is called: the label, else the categories, else the other tags. It is as long as it was written: where there is
    /// no room for it, that is cut which is shown there.
    var name: SingleLine {
        if let label, !label.text.isEmpty { return label }
        let words = categories.isEmpty ? shownTags : categories.map(\.name)
        return SingleLine(words.isEmpty ? "Marker" : words.joined(separator: ", "), limit: .max)
    }

    /// What else is known: categories, tags, where it ends, whether someone spoke about it.
    ///
    /// - Parameter omitted: A category that goes without saying.
    func facts(omitting omitted: MarkerCategory? = nil) -> [Fact] {
        let isLabelled = label?.text.isEmpty == false
        let shown = isLabelled ? categories.filter { $0 != omitted } : []
        let tags = isLabelled || !categories.isEmpty ? shownTags : []
        let end = marker.end
        let until = end.clock == marker.offset.clock ? [] : ["until \(end.clock)"]
        let words = tags + until + (voiceNote == nil ? [] : ["voice note"])
        return shown.map { Fact(text: SingleLine($0.name, limit: Self.tagLimit), category: $0) }
            + words.map { Fact(text: SingleLine($0, limit: Self.tagLimit)) }
    }

    /// More words, as many as a digest has room for; nil if there are none.
    var note: SingleLine? {
        let note = marker.note.map { SingleLine($0, limit: Self.noteLimit, cut: .atWord) }
        return note?.text.isEmpty == false ? note : nil
    }

    private var label: SingleLine? { marker.label.map { SingleLine($0, limit: .max) } }

    /// The tags that are no categories; of very many, the first few.
    private var shownTags: [String] {
        let others = marker.tags.filter { MarkerCategory(tag: $0) == nil }
        let shown = others.lazy.map { SingleLine($0, limit: Self.tagLimit).text }.filter { !$0.isEmpty }
        return Array(shown.prefix(Self.tagCount)) + (others.count > Self.tagCount ? ["…"] : [])
    }

    private static let noteLimit = 140
    private static let tagLimit = 24
    private static let tagCount = 3
}

extension Moment {
    /// How much it deserves one of the few places in a digest; less is more.
    var rank: Int {
        let hasWords = voiceNote != nil || marker.note.map { !SingleLine.isBlank($0) } == true
        return Self.rank(hasWords: hasWords, isHighlight: categories.contains(.highlight))
    }

    /// Highlights first, for somebody said so of them; then what has words, then the rest. Of highlights, too, those with words
    /// come before the others.
    static func rank(hasWords: Bool, isHighlight: Bool) -> Int { (isHighlight ? 0 : 2) + (hasWords ? 0 : 1) }
}
