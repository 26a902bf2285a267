internal import Journals
package import RecordFormat
internal import TraceFormat
package import TraceIndex
internal import TraceStore
internal import TraceText

/// Where words are found in the records and titles of all journals, such as labels, notes and transcripts: `trace search`.
///
/// There are no pages of it: how well a hit matches depends on all texts, so a text that comes in between moves the others.
package struct SearchQuestion: Sendable, Hashable {
    /// What is searched for: one word at least.
    let words: SearchWords
    /// Only these kinds; `session` stands for titles. Nil for all.
    package var kinds: Set<EntryKind>?
    /// Only in markers with this tag, ignoring case.
    package var tag: String?
    /// Only what stands within; a title is at the start of its session.
    package var moments: ClosedRange<Timestamp>?
    /// The most hits, > 0.
    var limit: Int

    /// - Parameter isUnfinished: Whether the text is still being typed: a word in which it ends need only begin so.
    /// - Throws: ``LibraryError`` with `.noWords` or `.tooManyWords`.
    package init(_ text: String, limit: Int, isUnfinished: Bool = false) throws(LibraryError) {
        words = SearchWords(text, isUnfinished: isUnfinished)
        self.limit = limit
        guard !words.terms.isEmpty else {
            throw LibraryError(
                .noWords, "there is no word in '\(text.oneLine)'",
                cure: "search for letters or digits; other characters are not searched")
        }
        guard words.terms.count <= SearchWords.limit else {
            throw LibraryError(.tooManyWords, "more than \(SearchWords.limit) words")
        }
    }

    /// What `--kind` can be: `session` for titles, the name of a kind of journal for all of its records, or of a kind of entry.
    package static let kindNames: [String] = {
        let layouts = Journals.all.formats.map(\.layout)
        let entries = layouts.flatMap(\.entryKinds).filter(\.isSearched).map(\.name)
        return entries.filter { !$0.contains(".") } + layouts.map(\.kind.name)
            + entries.filter { $0.contains(".") }
    }()

    /// The kinds that one of ``kindNames`` stands for; nil for another text.
    package static func kinds(named name: String) -> [EntryKind]? {
        guard kindNames.contains(name) else { return nil }
        if name == JournalKind.session.name { return [.session] }
        let layouts = Journals.all.formats.map(\.layout)
        if let layout = layouts.first(where: { $0.kind.name == name }) {
            return layout.entryKinds.map(\.kind)
        }
        return layouts.flatMap(\.entryKinds).filter { $0.name == name }.map(\.kind)
    }

    /// How many hits of other words are counted.
    private static let suggestionLimit = 100

    /// - Parameters:
    ///   - index: One that is up to date with the sessions of `scope`.
    ///   - progress: Called while the search text is filled in, with how many of how many lines are.
    /// - Throws: ``IndexError``, with `.stale` if a file has changed since the index read it.
    /// - Complexity: O(all lines in which the words are found).
    package func answer(
        _ index: JournalIndex, in scope: RecordFilter.Scope,
        progress: (_ filled: Int, _ all: Int) -> Void = { _, _ in }
    ) throws -> SearchAnswer {
        try index.fillSearch(progress: progress)
        // What was damaged since is only seen by what it does not find.
        var isRebuilt = try index.clearDamagedSearch(ifDoubtful: false)
        if isRebuilt { try index.fillSearch(progress: progress) }
        var filter = RecordFilter(scope)
        filter.kinds = kinds
        filter.tags = [tag].compactMap(\.self)
        filter.moments = moments
        var found = try index.search(words, filter, limit: limit.pageAndOneMore)
        if found.isEmpty, !isRebuilt, try index.clearDamagedSearch(ifDoubtful: true) {
            isRebuilt = true
            try index.fillSearch(progress: progress)
            found = try index.search(words, filter, limit: limit.pageAndOneMore)
        }
        let sessions = SessionCache(index)
        let hits = try found.prefix(limit).map { hit in
            SearchAnswer.Hit(
                hit: hit, session: try sessions[hit.session],
                line: try hit.record.flatMap { try sessions.line(of: $0) })
        }
        return SearchAnswer(
            hits: hits, hasMore: found.count > limit,
            suggestion: found.isEmpty ? try suggestion(filter, index) : nil, isRebuilt: isRebuilt)
    }

    private func suggestion(
        _ filter: RecordFilter, _ index: JournalIndex
    ) throws -> SearchAnswer.Suggestion? {
        guard let beginnings = words.beginnings else { return nil }
        let most = Self.suggestionLimit
        let count = try index.search(beginnings, filter, limit: most.pageAndOneMore).count
        guard count > 0 else { return nil }
        return SearchAnswer.Suggestion(
            words: beginnings.typed, count: min(count, most), hasMore: count > most)
    }
}
