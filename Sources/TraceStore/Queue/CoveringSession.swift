package import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceFormat

/// A session whose clock covers a moment, and where it was then.
package struct CoveringSession: Sendable {
    package let path: FilePath
    let id: ULID
    package let offset: SessionOffset

    /// A session covers a moment from its start to its end or, while it is open, to its last record plus `limit`.
    ///
    /// - Parameter limit: How long nothing may happen in an open session until it counts as forgotten.
    /// - Returns: Nil if it does not, has no id, or can't be read.
    package init?(
        _ candidate: SessionCandidate, at moment: Timestamp, now: Timestamp, staleAfter limit: Duration
    ) {
        let session = candidate.session
        guard let id = session.id, let start = session.startTime, start <= moment,
            let reader = try? SessionReader(candidate.path),
            let clock = (try? reader.clock(of: session)) ?? nil
        else { return nil }
        switch session.status {
        case .closed:
            guard let end = session.duration, moment <= clock.wall(at: end) else { return nil }
        case .active:
            let last = ((try? reader.lastMoment(of: session, until: now)) ?? nil) ?? start
            guard .milliseconds(moment.milliseconds(since: max(start, last))) <= limit else { return nil }
        case nil: return nil
        }
        path = candidate.path
        self.id = id
        offset = clock.offset(at: moment)
    }
}
