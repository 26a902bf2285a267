internal import Journals
internal import SystemPackage
internal import TraceStore
internal import TraceWatch

/// Polls what inotify can't watch: every directory once per poll interval, in small pieces.
struct Polling {
    private(set) var unwatched = UnwatchedDirectories()
    private var tree = PolledTree(Journals.all)
    private var cycleStart: ContinuousClock.Instant
    /// When the next piece of a cycle is due.
    private var next: ContinuousClock.Instant

    /// Few enough directories that nothing else is kept waiting.
    private static let pieceSize = 256

    init(at now: ContinuousClock.Instant) {
        cycleStart = now
        next = now
    }

    /// Polls a directory and all below it.
    ///
    /// - Returns: Whether no other directory is unwatched for that reason, so that it should be reported.
    mutating func add(_ directory: FilePath, _ error: WatchError) -> Bool {
        unwatched.insert(directory, error)
    }

    /// Polls a directory, and what is below it, no more.
    mutating func remove(atOrBelow directory: FilePath) { unwatched.remove(atOrBelow: directory) }

    /// When the next piece is due; nil if everything is watched.
    var nextDeadline: ContinuousClock.Instant? { unwatched.count > 0 ? next : nil }

    /// Whether the next piece begins a cycle.
    var isAtStart: Bool { tree.isAtStart }

    /// Looks at the next piece; ``noteHandled(at:interval:)`` is to follow when what has changed was handled.
    ///
    /// - Parameter isSearched: Whether a directory is to be polled at all.
    mutating func look(
        at now: ContinuousClock.Instant, where isSearched: (FilePath) -> Bool
    ) -> [PolledTree.Change] {
        if tree.isAtStart {
            cycleStart = now
            if let tops = unwatched.takeNewTops() { tree.setTops(tops.filter(isSearched)) }
        }
        return tree.look(atMost: Self.pieceSize)
    }

    /// Sets when the next piece is due.
    ///
    /// - Parameter interval: The length of a cycle.
    mutating func noteHandled(at now: ContinuousClock.Instant, interval: Duration) {
        let pieceCount = tree.count / Self.pieceSize + 1
        // Somewhat faster than it must be: a tree may have grown, and a piece come late.
        let pause = interval * 3 / (4 * pieceCount)
        next = tree.isAtStart ? cycleStart + interval : now + pause
    }
}
