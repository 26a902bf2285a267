internal import Glibc
internal import Synchronization
package import SystemPackage

/// A POSIX thread for one closure, with all signals blocked: for what must not be done on a thread of a pool, since a library asks for one
/// thread, or because a thread gives up rights that no other is to lose.
package final class DedicatedThread: Sendable {
    private let thread: Mutex<pthread_t?>

    /// Starts a thread that runs the closure.
    ///
    /// - Parameter name: At most 15 bytes, shown by top(1) and ps(1).
    /// - Throws: `Errno` if the system lets this process have no more threads.
    package init(name: String, _ body: @escaping @Sendable () -> Void) throws(Errno) {
        thread = Mutex(
            try Self.start {
                Self.nameCurrent(name)
                body()
            })
    }

    /// Waits until the thread has ended; each call returns after that.
    package func join() {
        thread.withLock { thread in
            if let running = thread.take() {
                pthread_join(running, nil)
            }
        }
    }

    /// Runs a closure on a new thread, and returns when that has ended.
    ///
    /// - Throws: As ``init(name:_:)``; nothing was run then.
    package static func run(_ body: () -> Void) throws(Errno) {
        let failure: Errno? = withoutActuallyEscaping(body) { body in
            // Sound: the thread has ended before the closure's time is over.
            do throws(Errno) { pthread_join(try start(body), nil) } catch { return error }
            return nil
        }
        if let failure { throw failure }
    }

    /// Names the thread that calls this, as ``init(name:_:)`` does; where there is no `/proc`, it stays as it is.
    ///
    /// Source: proc(5), "/proc/pid/comm".
    package static func nameCurrent(_ name: String) {
        let path = FilePath("/proc/thread-self/comm")
        guard let file = try? FileDescriptor.open(path, .writeOnly, options: [.closeOnExec]) else { return }
        _ = try? file.closeAfter { try file.writeAll(name.utf8) }
    }

    private static func start(_ body: @escaping () -> Void) throws(Errno) -> pthread_t {
        // Sound: the box belongs to the pointer until the thread takes it over, which it does once.
        let box = Unmanaged.passRetained(Body(run: body))
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, nil,
            { argument in
                if let argument {
                    // Signals of the process are for the threads that expect them; here they would only interrupt poll(2).
                    var all = sigset_t()
                    sigfillset(&all)
                    pthread_sigmask(SIG_BLOCK, &all, nil)
                    Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                }
                return nil
            }, box.toOpaque())
        guard failure == 0 else {
            box.release()
            throw Errno(rawValue: failure)
        }
        return thread
    }

    private final class Body {
        let run: () -> Void

        init(run: @escaping () -> Void) { self.run = run }
    }
}
