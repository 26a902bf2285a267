package import RecordFormat
internal import SystemPackage
internal import TraceFormat
package import TraceIndex

/// What happened, in all journals, in true order: `trace timeline`.
package struct TimelineQuestion: Sendable, Hashable {
    /// Only what happened within.
    var moments: ClosedRange<Timestamp>?
    /// Only in journals of these kinds; nil for all.
    package var kinds: Set<JournalKind>?
    /// Whether records that are not on the timeline come too: all that have a time.
    package var hasEverything = false
    /// Only entries of these kinds; nil for all.
    package var entryKinds: Set<EntryKind>?
    /// Whether sessions that began within and have nothing on the timeline come too, in ``TimelineAnswer/silentSessions``: of a
    /// whole answer, not of a page.
    package var hasSilentSessions = false
    /// At most so many, > 0; nil for all.
    package var limit: Int?
    /// Where the page before ended (``TimelineAnswer/next``).
    package var after: TimelineKey?

    package init(_ moments: ClosedRange<Timestamp>? = nil) { self.moments = moments }

    /// - Parameter index: One that is up to date with the journals of `scope`.
    /// - Throws: ``IndexError``, with `.stale` if a file has changed since the index read it.
    /// - Complexity: Of a page, O(log of all records) for each journal with records around these moments, and O(n log n) in what is
    ///   returned; without a limit, in what is found.
    package func answer(_ index: JournalIndex, in scope: RecordFilter.Scope) throws -> TimelineAnswer {
        var filter = RecordFilter(scope)
        filter.moments = moments
        filter.journalKinds = kinds
        filter.kinds = entryKinds
        let found =
            limit == nil && after == nil
            ? try index.timeline(filter, hasEverything: hasEverything)
            : try index.timeline(
                filter, hasEverything: hasEverything, after: after, limit: limit?.pageAndOneMore ?? .max)
        let (page, next) = found.page(of: limit) { TimelineKey($0) }
        let cache = SessionCache(index)
        let silent = try hasSilentSessions ? silentSessions(index, in: scope, besides: page) : []
        return TimelineAnswer(
            rows: try page.map { record in
                TimelineAnswer.Row(
                    record: record, journal: try cache[record.record.session],
                    text: try cache.line(of: record.record))
            },
            silentSessions: silent, next: next)
    }

    /// The sessions that began within, the earliest first, of which no record is among these.
    private func silentSessions(
        _ index: JournalIndex, in scope: RecordFilter.Scope, besides records: [TimelineRecord]
    ) throws -> [IndexedSession] {
        guard kinds?.contains(.session) ?? true, entryKinds == nil else { return [] }
        var filter = SessionFilter()
        filter.scope = scope
        filter.starts = moments
        let heard = Set(records.map(\.record.session))
        return try index.sessions(filter, isCounted: false).reversed().filter {
            $0.startTime != nil && !heard.contains($0.path)
        }
    }
}
