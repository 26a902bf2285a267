internal import Synchronization
internal import TraceIndex

/// When each part of the daemon has last shown that it lives: asked by the self-check, told by the parts.
final class HealthMonitor: Sendable {
    /// What must answer.
    enum Part: CaseIterable {
        /// The thread of the index, and the database on it.
        case database
        /// The thread that reads inotify's events.
        case watch
    }

    /// How far a scan of everything is.
    struct Scan: Equatable {
        var done = 0
        var total = 0
    }

    /// The work of the index, which may take long and shows that it goes on.
    let work = IndexWork()

    private let heartbeats = Atomic(0)
    private let state = Mutex(State())

    private struct State {
        var isReady = false
        var scan: Scan?
        /// Since when each part has to answer, and when it last did.
        var answers: [Part: ContinuousClock.Instant] = [:]
        var failures: [Part: String] = [:]
        var count = 0
        var moved = ContinuousClock.now
    }

    /// Says that long work goes on.
    func heartbeat() { heartbeats.add(1, ordering: .relaxed) }

    /// Whether the daemon has come up, and what it is at.
    var isReady: Bool {
        get { state.withLock { $0.isReady } }
        set { state.withLock { $0.isReady = newValue } }
    }

    var scan: Scan? {
        get { state.withLock { $0.scan } }
        set { state.withLock { $0.scan = newValue } }
    }

    /// From now on a part has to answer.
    func expect(_ part: Part, from now: ContinuousClock.Instant = .now) { answered(part, at: now) }

    /// A part is not there for a while, on purpose.
    func suspend(_ part: Part) {
        state.withLock { state in
            state.answers[part] = nil
            state.failures[part] = nil
        }
    }

    /// A part has been asked and is alive.
    func answered(_ part: Part, at now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            state.answers[part] = now
            state.failures[part] = nil
        }
    }

    /// A part shows in the midst of long work that it lives; where it is not expected to answer, that the work goes on.
    func noteProgress(_ part: Part, at now: ContinuousClock.Instant = .now) {
        let isExpected = state.withLock { state in
            guard state.answers[part] != nil else { return false }
            state.answers[part] = now
            return true
        }
        if !isExpected { heartbeat() }
    }

    /// A part has been asked and can't do its work.
    func failed(_ part: Part, _ reason: String) {
        state.withLock { $0.failures[part] = reason }
    }

    /// Whether long work has gone on within some time; to be asked more often than that.
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

    /// Why it can't be said that all lives; nil where it does.
    ///
    /// - Parameter limit: How long ago a part may have answered. While the index is at work it can't, but it shows that it
    ///   goes on.
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
