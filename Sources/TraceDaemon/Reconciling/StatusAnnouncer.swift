internal import SystemPackage
internal import TraceFiles
internal import TraceStore

/// Tells other processes how the daemon is and what it polls, but not for each of thousands of directories.
struct StatusAnnouncer {
    private let instance: InstanceLock
    /// Whether the first scan is done.
    private var isReady = false
    /// When the polled directories may be published again; nil if that is not needed.
    private(set) var nextDeadline: ContinuousClock.Instant?
    private var last: ContinuousClock.Instant

    private static let pause = Duration.milliseconds(200)

    init(_ instance: InstanceLock, at now: ContinuousClock.Instant) {
        self.instance = instance
        last = now - Self.pause
    }

    /// The first scan is done; to be announced.
    mutating func noteReady() { isReady = true }

    /// Notes that there is something to announce.
    ///
    /// - Returns: Whether to do that at once, and not at ``nextDeadline``.
    mutating func noteNews(at now: ContinuousClock.Instant) -> Bool {
        if last + Self.pause <= now { return true }
        nextDeadline = nextDeadline ?? last + Self.pause
        return false
    }

    mutating func announce(
        _ roots: [FilePath], _ unwatched: UnwatchedDirectories, at now: ContinuousClock.Instant
    ) {
        nextDeadline = nil
        last = now
        let partial = roots.compactMap { root in
            unwatched.watching(of: root).map { (root.escaped, $0) }
        }
        instance.announce { status in
            status.isReady = isReady
            status.polledCount = Int64(unwatched.count)
            status.problem = unwatched.problem
            status.watch(roots)
            status.partial = Dictionary(partial) { first, _ in first }
        }
    }
}
