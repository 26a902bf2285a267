internal import NIOCore
internal import Synchronization
internal import TraceFiles

/// Gives memory back to the system when no request has come for a while, and once a minute where they never cease: what many clients took
/// at once is not kept for the next time.
final class MemoryRelease: Sendable {
    private let timer: LoopTimer
    private let threads: ServerThreads
    private let release: @Sendable () -> Void
    private let state = Mutex(State())

    private struct State {
        /// Whether it is looked soon whether anything has come.
        var isScheduled = false
        var hasWorked = false
        /// How often it was looked since memory was given back, and requests had come each time.
        var busyLooks = 0
        /// What was resident after the last time, in bytes.
        var resident = 0
    }

    /// How long no request must have come.
    private static let pause = TimeAmount.seconds(2)
    /// After how many of these pauses memory is given back though requests have come in each of them.
    private static let mostBusyLooks = 30
    /// Less is not worth the work.
    private static let worthwhile = 4 << 20

    /// - Parameter release: Gives back what is kept for the next question; called on a thread that may block.
    init(
        _ loops: any EventLoopGroup, _ threads: ServerThreads, _ release: @escaping @Sendable () -> Void
    ) {
        timer = LoopTimer(loops)
        self.threads = threads
        self.release = release
    }

    /// Notes that a request was answered.
    func noteWork() {
        let isFirst = state.withLock { state in
            state.hasWorked = true
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isFirst { schedule() }
    }

    /// Looks no more. To be called before the loops end; requests may still come to their end.
    func stop() { timer.stop() }

    private func schedule() { timer.schedule(in: Self.pause) { self.look() } }

    private func look() {
        let (isQuiet, isDue) = state.withLock { state in
            let isQuiet = !state.hasWorked
            state.busyLooks = isQuiet ? 0 : state.busyLooks + 1
            let isDue = isQuiet || state.busyLooks == Self.mostBusyLooks
            if isDue { state.busyLooks = 0 }
            state.isScheduled = !isQuiet
            state.hasWorked = false
            return (isQuiet, isDue)
        }
        if isDue { threads.watch { self.releaseIfWorthwhile() } }
        if !isQuiet { schedule() }
    }

    private func releaseIfWorthwhile() {
        guard let before = ProcessMemory.residentBytes,
            before - state.withLock({ $0.resident }) >= Self.worthwhile
        else { return }
        release()
        ProcessMemory.trim()
        let after = ProcessMemory.residentBytes ?? before
        state.withLock { $0.resident = after }
    }
}
