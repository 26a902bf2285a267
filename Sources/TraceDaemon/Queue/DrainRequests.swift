internal import Synchronization
internal import SystemPackage

/// Requests to drain the queue.
final class DrainRequests: Sendable {
    /// The requests since the last call.
    struct Request {
        /// Whether there may be something new in a spool, or for something in it.
        var isAsked = false
        /// Sessions with entries that failed, to which something has happened.
        var changed: Set<FilePath> = []
        /// Whether to remove what the queue has kept long enough.
        var removesOutdated = false
        /// How many sessions have come or gone by then.
        var arrivals = 0
    }

    private struct State {
        var request = Request()
        var isWaiting = false
        var caller: AsyncStream<Void>.Continuation?
    }

    private let state = Mutex(State())

    /// Calls for each request from now on, and at once for what was asked before; ends when its task is cancelled.
    func calls() -> AsyncStream<Void> {
        let (calls, caller) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in
            state.caller = caller
            if state.isWaiting { caller.yield() }
        }
        return calls
    }

    /// Asks for a drain.
    func ask() { add { $0.isAsked = true } }

    /// Asks for a drain, and for the removal of what the queue has kept long enough.
    func askForAll() {
        add {
            $0.isAsked = true
            $0.removesOutdated = true
        }
    }

    /// Something has happened to a session with entries that failed.
    func noteChange(of session: FilePath) { add { $0.changed.insert(session) } }

    /// Calls once more: something is due.
    func call() { add { _ in } }

    /// A session has come or gone.
    func noteArrival() { state.withLock { $0.request.arrivals += 1 } }

    /// How many sessions have come or gone.
    var arrivals: Int { state.withLock { $0.request.arrivals } }

    /// Takes what was asked for.
    func take() -> Request {
        state.withLock { state in
            defer { state.request = Request(arrivals: state.request.arrivals) }
            state.isWaiting = false
            return state.request
        }
    }

    private func add(_ change: (inout Request) -> Void) {
        state.withLock { state in
            change(&state.request)
            state.isWaiting = true
            state.caller?.yield()
        }
    }
}
