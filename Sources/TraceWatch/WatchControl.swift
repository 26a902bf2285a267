import Synchronization
import SystemPackage

/// Requests of other threads to the watcher's thread, and its replies.
final class WatchControl: Sendable {
    enum Request: Sendable {
        /// Compare each watched directory with what is at its path now.
        case verify
        /// Read what the kernel has queued, then mark the place in the sequence of events.
        case barrier(UInt64)
        /// Run a closure on the watcher's thread; tests hold the thread with it.
        case run(@Sendable () -> Void)
    }

    let stillness = Stillness()
    private let shouldStop: @Sendable () -> Bool
    private let stopRequested = Atomic(false)
    private let requests = Mutex<[Request]>([])
    private let watched = Atomic(0)
    private let wakeUpSender: FileDescriptor
    /// Readable after ``stop()`` or ``ask(_:)``, until ``acknowledge()``.
    let wakeUp: FileDescriptor

    /// - Parameter shouldStop: Asked at each directory of a walk.
    /// - Throws: ``WatchError`` with `.descriptorLimit`.
    init(shouldStop: @escaping @Sendable () -> Bool) throws(WatchError) {
        self.shouldStop = shouldStop
        do {
            let pipe = try FileDescriptor.pipe(options: [.closeOnExec, .nonBlocking])
            wakeUp = pipe.readEnd
            wakeUpSender = pipe.writeEnd
        } catch {
            throw .descriptorLimit(error)
        }
    }

    deinit {
        try? wakeUp.close()
        try? wakeUpSender.close()
    }

    var isStopping: Bool { stopRequested.load(ordering: .acquiring) }

    /// Whether a walk is to end, and the watch with it; to be asked at each directory.
    func endsWalk() -> Bool {
        if shouldStop() { stop() }
        return isStopping
    }

    /// Directories that are watched at present.
    var directoryCount: Int {
        get { watched.load(ordering: .relaxed) }
        set { watched.store(newValue, ordering: .relaxed) }
    }

    /// Tells the thread to end.
    func stop() {
        stopRequested.store(true, ordering: .releasing)
        wake()
    }

    func ask(_ request: Request) {
        requests.withLock { $0.append(request) }
        wake()
    }

    /// Takes the wake-up and all requests.
    func acknowledge() -> [Request] {
        var bytes = [UInt8](repeating: 0, count: 64)
        while let count = try? bytes.withUnsafeMutableBytes({ try wakeUp.read(into: $0) }),
            count == bytes.count
        {}
        return requests.withLock { waiting in
            let taken = waiting
            waiting = []
            return taken
        }
    }

    /// A full pipe is as good as a written one: the thread wakes up.
    private func wake() {
        _ = try? wakeUpSender.writeAll([1])
    }
}
