internal import Synchronization
internal import SystemPackage
internal import TraceFiles
internal import TraceText

/// Comparing all sessions with the index, by one of several threads that want it: at any time one does it, and those that come
/// meanwhile share the next one, which begins after they have come.
package final class SharedSweeps: Sendable {
    /// What was found.
    struct Sweep: Sendable {
        /// How many sessions lagged.
        var lagging = 0
        /// Directories that can't be read.
        var unreadable: [any StructuredError] = []

        init() {}
    }

    private struct State {
        /// How many have begun.
        var begun = 0
        /// The last one that has ended well: its number, of what, and what it found.
        var last: (number: Int, roots: Set<FilePath>, sweep: Sweep)?
    }

    private let state = Mutex(State())
    /// Held by the thread that does it.
    private let turn = Mutex(())

    package init() {}

    /// What comparing the sessions of some roots has found that began after the call. Blocks until it has ended.
    ///
    /// - Parameter body: Does it; it is called if nobody else has done it for these roots meanwhile.
    /// - Throws: What `body` throws.
    func run(_ roots: [FilePath], _ body: () throws -> Sweep) throws -> Sweep {
        let first = state.withLock { $0.begun + 1 }
        return try turn.withLock { _ in
            let shared = state.withLock { state -> Sweep? in
                if let last = state.last, last.number >= first, last.roots.isSuperset(of: roots) {
                    return last.sweep
                }
                state.begun += 1
                return nil
            }
            if let shared { return shared }
            let number = state.withLock { $0.begun }
            let sweep = try body()
            state.withLock { $0.last = (number, Set(roots), sweep) }
            return sweep
        }
    }
}
