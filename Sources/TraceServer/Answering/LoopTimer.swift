internal import NIOCore
internal import Synchronization

/// Calls something once after a while, on a thread of connections.
///
/// An event loop that has ended must be asked for nothing: a debug build ends with it, a release build never calls back. So this is
/// stopped before the loops are, and schedules nothing from then on.
final class LoopTimer: Sendable {
    private let loops: any EventLoopGroup
    private let state = Mutex(State())

    private struct State {
        var scheduled: Scheduled<Void>?
        var isStopped = false
    }

    init(_ loops: any EventLoopGroup) { self.loops = loops }

    /// Calls `body` after `delay`, unless ``stop()`` comes first. One call at a time: the one before must have begun.
    func schedule(in delay: TimeAmount, _ body: @escaping @Sendable () -> Void) {
        state.withLock { state in
            guard !state.isStopped else { return }
            state.scheduled = loops.next().scheduleTask(in: delay, body)
        }
    }

    /// Cancels what is scheduled and schedules nothing any more. What has begun is not interrupted.
    func stop() {
        let scheduled = state.withLock { state in
            state.isStopped = true
            return state.scheduled.take()
        }
        scheduled?.cancel()
    }
}
