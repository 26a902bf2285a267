package import RecordFormat
package import TraceIndex

/// The markers of several sessions, in the order of the moments at which they stand; those of sessions without a start come
/// last: `trace markers list --all`.
package struct AllMarkersQuestion: Sendable, Hashable {
    /// Only those that have all of these, ignoring case, and categories in either spelling.
    package var tags: [String] = []
    /// Only those that are within, counted from the start of their sessions.
    package var offsets = OffsetRange.whole
    /// Only those that stand within.
    package var moments: ClosedRange<Timestamp>?
    /// Of a page: at most so many, > 0; nil for all.
    package var limit: Int?
    /// Of a page: where the one before ended (``AllMarkersAnswer/next``).
    package var after: MarkerSortKey?

    /// All markers.
    package init() {}

    private func filter(_ scope: RecordFilter.Scope) -> RecordFilter {
        var filter = RecordFilter(scope)
        filter.tags = tags
        filter.offsets = offsets
        filter.moments = moments
        return filter
    }

    /// A page of them.
    ///
    /// - Parameter index: One that is up to date with the sessions of `scope`.
    /// - Throws: ``IndexError``, with `.stale` if a file has changed since the index read it.
    /// - Complexity: As ``JournalIndex/markers(_:after:limit:)``: what follows the page is not looked at.
    package func answer(_ index: JournalIndex, in scope: RecordFilter.Scope) throws -> AllMarkersAnswer {
        let found = try index.markers(
            filter(scope), after: after, limit: limit?.pageAndOneMore ?? .max)
        let (records, next) = found.page(of: limit) { MarkerSortKey($0) }
        let sessions = SessionCache(index)
        return AllMarkersAnswer(
            rows: try records.map { try AllMarkersAnswer.Row($0, in: sessions) }, next: next)
    }

    /// Where all of them are, for those who stream them: eight bytes for each. The page means nothing.
    ///
    /// - Throws: ``IndexError``.
    package func places(
        _ index: JournalIndex, in scope: RecordFilter.Scope
    ) throws -> [JournalIndex.RecordPlace] { try index.markerPlaces(filter(scope)) }
}
