package import RecordFormat
package import TraceFormat
package import TraceIndex

/// Where words are found in labels, notes, transcripts and titles: `trace search`.
///
/// There are no pages of it: how well a hit matches depends on all texts, so a text that comes in between moves the others.
package struct SearchQuestion: Sendable, Hashable {
    /// What is searched for; nothing finds nothing.
    package let words: SearchWords
    /// Only these kinds; `session` stands for titles. Nil for all.
    package var kinds: Set<RecordKind>?
    /// Only in markers with this tag, ignoring case.
    package var tag: String?
    /// Only what stands within; a title is at the start of its session.
    package var moments: ClosedRange<Timestamp>?
    /// The most hits, > 0.
    package var limit: Int

    /// - Throws: ``LibraryError`` with `.tooManyWords`.
    package init(_ text: String, limit: Int) throws(LibraryError) {
        words = SearchWords(text)
        self.limit = limit
        guard words.terms.count <= SearchWords.limit else {
            throw LibraryError(.tooManyWords, "more than \(SearchWords.limit) words")
        }
    }

    /// How many hits of other words are counted.
    private static let suggestionLimit = 100

    /// - Parameters:
    ///   - index: One that is up to date with the sessions of `scope`.
    ///   - progress: Called while the search text is filled in, with how many of how many lines are.
    /// - Throws: ``IndexError``, with `.stale` if a file has changed since the index read it.
    /// - Complexity: O(all lines in which the words are found).
    package func answer(
        _ index: SessionIndex, in scope: RecordFilter.Scope,
        progress: (_ filled: Int, _ all: Int) -> Void = { _, _ in }
    ) throws -> SearchAnswer {
        try index.fillSearch(progress: progress)
        var filter = RecordFilter(scope)
        filter.kinds = kinds.map { Set($0.map(\.entryKind)) }
        filter.tags = [tag].compactMap(\.self)
        filter.moments = moments
        let found = try index.search(words, filter, limit: limit.pageAndOneMore)
        let sessions = SessionCache(index)
        let hits = try found.prefix(limit).map { hit in
            SearchAnswer.Hit(
                hit: hit, session: try sessions[hit.session],
                line: try hit.record.flatMap { try sessions.line(of: $0) })
        }
        return SearchAnswer(
            hits: hits, hasMore: found.count > limit,
            suggestion: found.isEmpty ? try suggestion(filter, index) : nil)
    }

    private func suggestion(
        _ filter: RecordFilter, _ index: SessionIndex
    ) throws -> SearchAnswer.Suggestion? {
        guard let beginnings = words.beginnings else { return nil }
        let most = Self.suggestionLimit
        let count = try index.search(beginnings, filter, limit: most.pageAndOneMore).count
        guard count > 0 else { return nil }
        return SearchAnswer.Suggestion(
            words: beginnings.typed, count: min(count, most), hasMore: count > most)
    }
}
