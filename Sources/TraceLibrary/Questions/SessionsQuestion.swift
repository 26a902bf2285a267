package import RecordFormat
internal import SystemPackage
package import TraceFormat
package import TraceIndex

/// Which sessions there are: `trace sessions`.
package struct SessionsQuestion: Sendable, Hashable {
    /// Only those that started within; what has no start is not.
    package var moments: ClosedRange<Timestamp>?
    /// Only those with a marker of each of these tags, ignoring case; an empty one asks for nothing.
    package var tags: [String] = []
    /// Only those with this status.
    package var status: Session.Status?
    /// Only those with findings.
    package var hasFindings = false
    /// Only those that were found below this one of the library's roots.
    var root: FilePath?
    /// At most so many, > 0; nil for all.
    package var limit: Int?
    /// Where the page before ended (``SessionsAnswer/next``).
    package var after: SessionSortKey?

    /// All sessions.
    package init() {}

    /// - Parameters:
    ///   - index: One that is up to date with the sessions below the roots of `library`.
    ///   - staleAfter: After how long without anything a session that is active counts as forgotten.
    /// - Throws: ``IndexError``.
    /// - Complexity: O(sessions) to choose the page, and a few steps in the index for each session on it.
    package func answer(
        _ index: JournalIndex, in library: JournalLibrary, now: Timestamp, staleAfter: Duration
    ) throws -> SessionsAnswer {
        var filter = SessionFilter()
        filter.roots = root.map { [$0] }
        filter.status = status
        filter.starts = moments
        filter.tags = tags
        filter.hasFindings = hasFindings
        filter.after = after
        filter.limit = limit?.pageAndOneMore
        let (rows, next) = try library.list(index, filter).page(of: limit) { SessionSortKey($0) }
        return SessionsAnswer(
            rows: rows.map { .init(session: $0, forgotten: $0.forgotten(now: now, after: staleAfter)) },
            next: next)
    }
}
