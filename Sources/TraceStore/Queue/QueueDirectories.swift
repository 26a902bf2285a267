public import RecordFormat
public import SystemPackage
internal import TraceFiles

/// Where the queue keeps its things.
///
/// Source: docs/queue.md#directories.
public struct QueueDirectories: Sendable, Hashable {
    /// The state directory: what this product knows and no session does.
    public var state: FilePath
    /// The spools, the local one first.
    public var spools: [Spool]
    /// State directories whose kept moments are read, too: a command with a mistake in its configuration keeps them in the default one.
    package var otherStates: [FilePath] = []

    /// The queue of a state directory, with more spools that devices fill.
    public init(state: FilePath, spools: [FilePath] = []) {
        self.state = state
        self.spools = [Spool(state.appending("queue"))] + spools.map(Spool.init)
    }

    /// The spool into which this machine's own entries go.
    public var local: Spool { spools[0] }

    /// Where applied entries go.
    public var done: FilePath { state.appending("done") }

    /// Where entries go that the user drops.
    public var dropped: FilePath { state.appending("dropped") }

    /// Where moments are kept whose session is not known, that of ``state`` first.
    package var unplaced: [UnplacedMoments] {
        ([state] + otherStates.filter { $0 != state }).map(UnplacedMoments.init(state:))
    }

    /// Where rejected entries go, with the reason.
    public var failed: FilePath { state.appending("failed") }
}

/// The number and age of waiting entries in a spool.
public struct SpoolDepth: Sendable, Hashable {
    /// The spool's directory.
    public var path: FilePath
    /// How many entries wait.
    public var count: Int
    /// When the one came here that has waited longest; nil if none waits.
    public var oldest: Timestamp?
}

extension Spool {
    /// How much waits, and for how long.
    ///
    /// - Throws: ``FileError`` with `.permissionDenied` or `.io`.
    public func depth() throws -> SpoolDepth {
        let files = try files()
        var depth = SpoolDepth(path: path, count: files.count)
        guard !files.isEmpty else { return depth }
        let directory = try OpenDirectory(path)
        // By the time at which the file came here: a sync tool keeps the time at which the device wrote it.
        let arrivals = try files.compactMap {
            try directory.statusIfPresent(of: $0.name, followingLinks: false)?.identity.changed
        }
        depth.oldest = arrivals.min()?.timestamp
        return depth
    }
}
