public import SystemPackage

/// A root of sessions as the index knows it.
public struct IndexedRoot: Sendable, Hashable {
    /// Where it is.
    public var path: FilePath
    /// Whether it can be reached.
    public var state: State
    /// How many journals below it have rows, sessions among them.
    public var journalCount: Int

    /// Whether a root is reachable.
    public enum State: String, Sendable, Hashable {
        /// It is there.
        case online
        /// It is gone (unmounted, renamed): its rows stay as they are.
        case offline
    }
}
