internal import RecordFormat
internal import Synchronization
internal import TraceFormat
internal import TraceIndex

/// The sessions that are active in a state of the index: of them alone it depends on the present moment what a list says, for one in
/// which nothing has happened for long is told to be forgotten.
final class ActiveSessions: Sendable {
    private let last = Mutex<(revision: IndexRevision, sessions: [IndexedSession])?>(nil)

    /// - Returns: How many of them are forgotten at a moment; while the index stays as it is, equal numbers mean the same sessions.
    func forgottenCount(
        _ index: SessionIndex, _ revision: IndexRevision, now: Timestamp, after limit: Duration
    ) throws -> Int64 {
        let known = last.withLock { $0?.revision == revision ? $0?.sessions : nil }
        let active: [IndexedSession]
        if let known {
            active = known
        } else {
            active = try index.sessions(status: .active)
            last.withLock { $0 = (revision, active) }
        }
        return Int64(active.count { $0.forgotten(now: now, after: limit) != nil })
    }
}
