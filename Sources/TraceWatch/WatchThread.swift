import Glibc
import Synchronization
import SystemPackage

/// A dedicated POSIX thread; libinotifytools must not be called from a pool.
final class WatchThread: Sendable {
    private let thread: Mutex<pthread_t?>

    /// Starts a thread that runs the closure, with all signals blocked.
    ///
    /// - Parameter name: At most 15 bytes, shown by top(1) and ps(1).
    init(name: String, _ body: @escaping @Sendable () -> Void) throws(WatchError) {
        // The box is owned by the pointer until the thread takes it over, which it does exactly once.
        let box = Unmanaged.passRetained(ThreadBody(name: name, run: body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { argument in
                if let argument {
                    Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().start()
                }
                return nil
            }, box.toOpaque())
        guard result == 0 else {
            box.release()
            throw WatchError(.systemFailure, "a thread can't be started", underlying: Errno(rawValue: result))
        }
        self.thread = Mutex(thread)
    }

    /// Waits until the thread has ended; each call returns after that.
    func join() {
        thread.withLock { thread in
            if let running = thread.take() {
                pthread_join(running, nil)
            }
        }
    }
}

/// The body of a new thread.
private final class ThreadBody: Sendable {
    private let name: String
    private let run: @Sendable () -> Void

    init(name: String, run: @escaping @Sendable () -> Void) {
        self.name = name
        self.run = run
    }

    func start() {
        SystemFile.write(name, to: "/proc/thread-self/comm")
        // Signals of the process are for the threads that expect them; here they would only interrupt poll(2).
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
        run()
    }
}
