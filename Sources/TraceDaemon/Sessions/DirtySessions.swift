internal import SystemPackage

/// Which sessions have changed, and when each is to be looked at.
///
/// The first event after a rest is handled at once. Those that follow wait for as long as the last look used
/// a processor, several times over: a session that is read in a moment is read at every append, one that
/// takes a second is left to come to rest (quiet period), but never for longer than the maximum wait, so that
/// a file that never rests is still indexed. The wait grows with the cost and nowhere jumps, and one dear look
/// among cheap ones (behind which the database tidied up) delays nothing.
///
/// Source: docs/watching.md#what-the-consumer-does.
struct DirtySessions {
    private let quietPeriod: Duration
    private let maximumWait: Duration
    private var pending: [FilePath: Pending] = [:]
    private var rests: [FilePath: Rest] = [:]
    /// When the first event came of what has not been looked at since.
    private var firstEvents: [FilePath: ContinuousClock.Instant] = [:]

    private struct Pending {
        var first: ContinuousClock.Instant
        var last: ContinuousClock.Instant
    }

    private struct Rest {
        var ended: ContinuousClock.Instant
        var cost: Duration
        /// How long the session is left alone then.
        var pause: Duration
    }

    private static let share = 4
    /// By how much a pause exceeds this, the end of a quiet period is waited for beyond it.
    private static let cheap = Duration.milliseconds(40)

    init(quietPeriod: Duration, maximumWait: Duration) {
        self.quietPeriod = quietPeriod
        self.maximumWait = maximumWait
    }

    /// Notes that something happened in a session.
    mutating func add(_ session: FilePath, at now: ContinuousClock.Instant) {
        pending[session, default: Pending(first: now, last: now)].last = now
    }

    /// Notes that an event has told of a session: how long its change takes to be in the index counts from the first.
    mutating func addEvent(of session: FilePath, at now: ContinuousClock.Instant) {
        add(session, at: now)
        if firstEvents[session] == nil { firstEvents[session] = now }
    }

    /// Takes when the first event came of what is being looked at now; nil if none did.
    mutating func takeFirstEvent(of session: FilePath) -> ContinuousClock.Instant? {
        firstEvents.removeValue(forKey: session)
    }

    /// Takes the sessions that are to be looked at now.
    mutating func takeDue(at now: ContinuousClock.Instant) -> [FilePath] {
        let due = pending.filter { deadline(of: $0.key, $0.value) <= now }.sorted {
            $0.value.first < $1.value.first
        }
        for (session, _) in due { pending[session] = nil }
        forgetOldRests(at: now)
        return due.map(\.key)
    }

    /// Takes all sessions that have changed, however short a time ago.
    mutating func takeAll() -> [FilePath] {
        defer { pending = [:] }
        return Array(pending.keys)
    }

    /// Notes that a session has been looked at.
    ///
    /// - Parameter cost: How long the look has used a processor; what it waited for (a turn, a disk) costs
    ///   others nothing.
    mutating func handled(_ session: FilePath, at end: ContinuousClock.Instant, cost: Duration) {
        let usual = min(cost, rests[session]?.cost ?? cost)
        rests[session] = Rest(ended: end, cost: cost, pause: min(usual * Self.share, maximumWait))
    }

    /// When the next session is due, or nil when none has changed.
    var nextDeadline: ContinuousClock.Instant? { pending.map { deadline(of: $0.key, $0.value) }.min() }

    private func deadline(of session: FilePath, _ pending: Pending) -> ContinuousClock.Instant {
        guard let rest = rests[session] else { return pending.first }
        let earliest = rest.ended + rest.pause
        let latest = earliest + max(.zero, rest.pause - Self.cheap)
        let quietDeadline = min(max(pending.last + quietPeriod, earliest), latest)
        return max(pending.first, min(quietDeadline, pending.first + maximumWait))
    }

    private mutating func forgetOldRests(at now: ContinuousClock.Instant) {
        guard rests.count > 256 else { return }
        rests = rests.filter { now < $0.value.ended + $0.value.pause * 2 }
    }
}
