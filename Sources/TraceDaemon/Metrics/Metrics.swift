internal import Synchronization
internal import TraceStore
internal import TraceWatch

/// Counters since the daemon started.
final class Metrics: Sendable {
    /// The counters at one moment.
    struct Counts: Sendable {
        /// Events of the watcher, by their kind.
        var events: [String: Int] = [:]
        /// Losses of events after which everything was scanned, by their reason.
        var rescans: [RescanReason: Int] = [:]
        /// Those of them after which a queue of events had overflowed.
        var overflowCount: Int { rescans.reduce(0) { $0 + ($1.key.isOverflow ? $1.value : 0) } }
        /// Looks at a session.
        var reconciles = Histogram()
        /// From the first event of a change until it is in the index.
        var lags = Histogram()
        /// Scans of everything.
        var scans = Histogram()
        var lastScan = Duration.zero
        /// The outcome of queue entries, by the result's name.
        var queueResults: [String: Int] = [:]
        var reloader = (good: 0, bad: 0)
        /// Grows with whatever can change the findings.
        var newsCount = 0
    }

    private let counts = Mutex(Counts())

    var now: Counts { counts.withLock { $0 } }

    func note(_ event: WatchEvent) {
        counts.withLock { counts in
            counts.events[event.kind, default: 0] += 1
            if case .rescan(let reason) = event { counts.rescans[reason, default: 0] += 1 }
        }
    }

    func note(_ result: DrainOutcome.Result) {
        counts.withLock { $0.queueResults[result.name, default: 0] += 1 }
    }

    func noteReconcile(took time: Duration) { counts.withLock { $0.reconciles.add(time) } }

    func noteLag(_ lag: Duration) { counts.withLock { $0.lags.add(lag) } }

    func noteNews() { counts.withLock { $0.newsCount += 1 } }

    func noteScan(took time: Duration) {
        counts.withLock { counts in
            counts.scans.add(time)
            counts.lastScan = time
            counts.newsCount += 1
        }
    }

    func noteReload(isGood: Bool) {
        counts.withLock { counts in
            if isGood { counts.reloader.good += 1 } else { counts.reloader.bad += 1 }
        }
    }
}

/// A histogram of durations.
struct Histogram: Sendable {
    /// The upper bounds, in seconds.
    static let bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60]

    /// How many were at most so long, those below included, in the order of ``bounds``.
    private(set) var buckets = [Int](repeating: 0, count: bounds.count)
    private(set) var count = 0
    private(set) var sum = 0.0

    mutating func add(_ time: Duration) {
        let seconds = time / .seconds(1)
        count += 1
        sum += seconds
        for (index, bound) in Self.bounds.enumerated() where seconds <= bound { buckets[index] += 1 }
    }
}

extension RescanReason {
    /// Whether more events came than a queue holds.
    fileprivate var isOverflow: Bool {
        switch self {
        case .kernelOverflow, .bufferOverflow: true
        case .lostTrack, .unmounted, .directoryReplaced, .deadWatches, .readFailure, .watchedAtLast: false
        }
    }
}

extension WatchEvent {
    /// What kind of event it is, in a word or two.
    fileprivate var kind: String {
        switch self {
        case .changed: "changed"
        case .directoryAppeared: "directory_appeared"
        case .directoryVanished: "directory_vanished"
        case .rescan: "rescan"
        case .unwatched: "unwatched"
        case .watchedAgain: "watched_again"
        case .barrier: "barrier"
        }
    }
}
