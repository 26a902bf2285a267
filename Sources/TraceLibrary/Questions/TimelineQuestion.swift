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
    /// Whether sessions that began within and have nothing on the timeline come too.
    package var hasSilentSessions = false
    /// At most so many, > 0; nil for all.
    package var limit: Int?
    /// Where the page before ended (``TimelineAnswer/next``).
    package var after: TimelinePosition?

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
                filter, hasEverything: hasEverything, after: after?.record,
                limit: limit?.pageAndOneMore ?? .max)
        let silent = try hasSilentSessions ? silentSessions(index, filter, besides: found) : []
        let (page, shown, next) = page(of: found, silent)
        let cache = SessionCache(index)
        return TimelineAnswer(
            rows: try page.map { record in
                TimelineAnswer.Row(
                    record: record, journal: try cache[record.record.session],
                    text: try cache.line(of: record.record))
            },
            silentSessions: shown, next: next)
    }

    /// What is on the page, and where the next one begins.
    private func page(
        of records: [TimelineRecord], _ sessions: [IndexedSession]
    ) -> (records: [TimelineRecord], sessions: [IndexedSession], next: TimelinePosition?) {
        guard let limit, records.count + sessions.count > limit else { return (records, sessions, nil) }
        var (record, session) = (0, 0)
        while record + session < limit {
            if TimelineAnswer.comesFirst(
                sessions.dropFirst(session).first, before: records.dropFirst(record).first)
            {
                session += 1
            } else {
                record += 1
            }
        }
        let (page, shown) = (Array(records.prefix(record)), Array(sessions.prefix(session)))
        let next = TimelinePosition(
            record: page.last.map { TimelineKey($0) } ?? after?.record,
            session: shown.last.flatMap { TimelinePosition.Session($0) } ?? after?.session)
        return (page, shown, next)
    }

    /// The sessions that began within and behind where the page before ended, the earliest first, that have nothing on the timeline.
    ///
    /// - Parameter records: Those that are known to have something.
    private func silentSessions(
        _ index: JournalIndex, _ filter: RecordFilter, besides records: [TimelineRecord]
    ) throws -> [IndexedSession] {
        guard kinds?.contains(.session) ?? true, entryKinds == nil else { return [] }
        var starts = SessionFilter()
        starts.scope = filter.scope
        starts.starts = moments
        let heard = Set(records.map(\.record.session))
        return try index.sessions(starts, isCounted: false).compactMap { session in
            guard let place = TimelinePosition.Session(session), !heard.contains(session.path),
                after?.session.map({ $0 < place }) ?? true
            else { return nil }
            // Of a page it is not known what is on the others.
            if limit != nil || after != nil {
                var own = filter
                own.scope = .sessions([session.path])
                let first = try index.timeline(own, hasEverything: hasEverything, after: nil, limit: 1)
                guard first.isEmpty else { return nil }
            }
            return (place, session)
        }.sorted { (one: (TimelinePosition.Session, IndexedSession), other) in one.0 < other.0 }.map(\.1)
    }
}
