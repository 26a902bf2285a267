public import SystemPackage

/// Where the queue keeps its things.
///
/// Source: design.md, section 6.
public struct QueueDirectories: Sendable, Hashable {
    /// The state directory: what this product knows and no session does.
    public var state: FilePath
    /// The spools, the local one first.
    public var spools: [Spool]

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

    /// Where rejected entries go, with the reason.
    public var failed: FilePath { state.appending("failed") }
}
