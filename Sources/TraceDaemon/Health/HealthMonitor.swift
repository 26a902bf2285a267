internal import Synchronization
internal import TraceIndex

/// When each part of the daemon was last known to be alive: updated by the parts, read by the self-check.
final class HealthMonitor: Sendable {
    /// The parts that are checked.
    enum Part: CaseIterable {
        /// The thread of the index, and the database on it.
        case database
        /// The thread that reads inotify's events.
        case watch
    }

    /// The progress of a full scan.
    struct Scan: Equatable {
        var done = 0
        var total = 0
    }

    /// The index's long-running work, and whether it makes progress.
    let work = IndexWork()

    private let heartbeats = Atomic(0)
    private let state = Mutex(State())

    private struct State {
        var isReady = false
        var scan: Scan?
        /// When each part last answered, or was expected to from then on.
        var answers: [Part: ContinuousClock.Instant] = [:]
        var failures: [Part: String] = [:]
        var count = 0
        var moved = ContinuousClock.now
    }

    /// Records progress of long work.
    func heartbeat() { heartbeats.add(1, ordering: .relaxed) }

    /// Whether the daemon has finished its first scan.
    var isReady: Bool {
        get { state.withLock { $0.isReady } }
        set { state.withLock { $0.isReady = newValue } }
    }

    var scan: Scan? {
        get { state.withLock { $0.scan } }
        set { state.withLock { $0.scan = newValue } }
    }

    /// Starts checking a part.
    func expect(_ part: Part, from now: ContinuousClock.Instant = .now) { answered(part, at: now) }

    /// Stops checking a part that is stopped on purpose.
    func suspend(_ part: Part) {
        state.withLock { state in
            state.answers[part] = nil
            state.failures[part] = nil
        }
    }

    /// Records that a part has answered.
    func answered(_ part: Part, at now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            state.answers[part] = now
            state.failures[part] = nil
        }
    }

    /// Records that a part is alive during long work; if it is not being checked, records progress of the work.
    func noteProgress(_ part: Part, at now: ContinuousClock.Instant = .now) {
        let isExpected = state.withLock { state in
            guard state.answers[part] != nil else { return false }
            state.answers[part] = now
            return true
        }
        if !isExpected { heartbeat() }
    }

    /// Records that a part has answered with an error.
    func failed(_ part: Part, _ reason: String) {
        state.withLock { $0.failures[part] = reason }
    }

    /// Whether long work made progress within a time; must be called more often than that.
    func isProgressing(within limit: Duration, at now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { isProgressing(&$0, within: limit, at: now) }
    }

    private func isProgressing(
        _ state: inout State, within limit: Duration, at now: ContinuousClock.Instant
    ) -> Bool {
        let count = heartbeats.load(ordering: .relaxed) &+ work.stepCount
        if count != state.count {
            state.count = count
            state.moved = now
        }
        return state.moved.duration(to: now) <= limit
    }

    /// Why the daemon is not healthy; nil if it is.
    ///
    /// - Parameter limit: How long ago a part may have answered. While the index is busy it can't answer, but its progress
    ///   counts.
    func unhealthyReason(within limit: Duration, at now: ContinuousClock.Instant = .now) -> String? {
        state.withLock { state in
            let isWorking = isProgressing(&state, within: limit, at: now)
            for part in Part.allCases {
                guard let answer = state.answers[part] else { continue }
                let silence = answer.duration(to: now)
                if silence <= limit { continue }
                if let reason = state.failures[part] { return "\(part.words): \(reason)" }
                if part == .database, isWorking { continue }
                return "\(part.words) has not answered for \(Int(silence / .seconds(1))) s"
            }
            return nil
        }
    }
}

extension HealthMonitor.Part {
    fileprivate var words: String {
        switch self {
        case .database: "the index"
        case .watch: "the watch"
        }
    }
}
