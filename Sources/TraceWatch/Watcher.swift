package import SystemPackage
internal import TraceFiles
internal import TraceText

/// The changes below some directories, as an asynchronous sequence for one consumer.
///
/// Watching is done with inotify by a thread of the watcher's own; each directory below the roots is watched, symbolic
/// links are not followed (a root that is one is resolved when it is set up). A process has room for one watcher at a
/// time. Events are hints, a scan is the truth: see ``WatchEvent``.
///
/// The sequence ends after ``stop()``, and its iterator returns nil when the calling task is cancelled.
package final class Watcher: Sendable, AsyncSequence {
    package typealias Element = WatchEvent
    package typealias Failure = Never

    private let control: WatchControl
    private let buffer: EventBuffer
    private let thread: DedicatedThread

    /// Sets watches on all directories below the roots, and returns when they are set.
    ///
    /// A change that is made after that is reported; a scan that begins after it sees all earlier ones. A root that
    /// is missing is waited for, and told as vanished meanwhile.
    ///
    /// Where inotify can't be opened, the roots are reported as unwatched until it can.
    ///
    /// - Parameters:
    ///   - roots: Absolute paths; events carry them as they are given. One may be below another.
    ///   - shouldStop: Asked on the watcher's thread at each directory of a walk, now and later; once true, the watcher stops.
    ///     A call also shows that the thread is alive, however slow the disk.
    /// - Throws: ``WatchError`` with `.alreadyRunning`, `.invalidRoot`, `.cancelled` if the task was cancelled or `shouldStop`
    ///   has said so before all was watched, or `.systemFailure` if a thread can't be started.
    package init(
        roots: [FilePath], options: WatchOptions = WatchOptions(),
        shouldStop: @escaping @Sendable () -> Bool = { false }
    ) async throws(WatchError) {
        if let odd = roots.first(where: { !$0.isAbsolute }) {
            throw WatchError(
                .invalidRoot, "a root must be an absolute path", path: odd, cure: "give an absolute path"
            )
        }
        let control = try WatchControl(shouldStop: shouldStop)
        let buffer = EventBuffer(capacity: options.bufferCapacity)
        let armed = OneShot<Result<Void, WatchError>>()
        // libinotifytools must not be called from a pool.
        let thread: DedicatedThread
        do throws(Errno) {
            thread = try DedicatedThread(name: "trace-watch") {
                let outcome = Self.serve(roots, options, control, buffer, armed)
                // Only now the library is free for another watcher.
                armed.settle(outcome)
                buffer.finish()
            }
        } catch { throw WatchError(.systemFailure, "a thread can't be started", refusedWith: error) }
        let outcome = await withTaskCancellationHandler {
            await armed.value()
        } onCancel: {
            control.stop()
        }
        self.control = control
        self.buffer = buffer
        self.thread = thread
        do {
            try outcome.get()
        } catch {
            thread.join()
            throw error
        }
    }

    deinit {
        stop()
    }

    /// Ends the watch and the sequence, and returns when the thread is gone; what is queued can still be taken.
    ///
    /// It may be called from any thread and more than once.
    package func stop() {
        control.stop()
        thread.join()
    }

    /// Asks the watcher to compare each watched directory with what is at its path now.
    ///
    /// inotify tells nothing when a file system is mounted over a watched directory, or when a directory above a root is
    /// renamed. Whatever is found is reported as ``WatchEvent/directoryVanished(_:)`` and ``WatchEvent/directoryAppeared(_:)``.
    /// What could not be watched is tried again. To be called with each periodic scan.
    ///
    /// - Complexity: One lstat(2) a directory, on the watcher's thread; returns at once.
    package func verify() {
        control.ask(.verify)
    }

    /// Asks for ``WatchEvent/barrier(_:isWhole:)`` of this number, behind everything that has been changed until now.
    ///
    /// What inotify does not report is looked for besides: other directories in the place of roots, roots that are there again,
    /// and file systems that were mounted below a root. Returns at once; after ``stop()`` no answer comes.
    ///
    /// - Complexity: What is queued, and a few `stat` for each root; where something was mounted or unmounted below a root, one
    ///   lstat(2) a directory.
    package func passBarrier(_ number: UInt64) {
        control.ask(.barrier(number))
    }

    /// Whether nothing at all has happened since a whole barrier: a barrier now would be whole as well, and no event would come before it.
    ///
    /// - Parameter number: That of the barrier; after another one, the answer is no.
    /// - Complexity: A poll(2), and a `stat` for each root, on the calling thread; the watcher's thread sleeps on.
    package func isStill(since number: UInt64) -> Bool { control.stillness.lasts(since: number) }

    /// Directories that are watched at present.
    package var directoryCount: Int { control.directoryCount }

    package func makeAsyncIterator() -> Iterator {
        Iterator(buffer: buffer)
    }

    /// Takes events from the watcher; one may be waiting at a time.
    package struct Iterator: AsyncIteratorProtocol {
        let buffer: EventBuffer

        package mutating func next() async -> WatchEvent? {
            await buffer.next(isolation: nil)
        }

        package mutating func next(isolation actor: isolated (any Actor)?) async -> WatchEvent? {
            await buffer.next(isolation: actor)
        }
    }

    /// Runs a closure on the watcher's thread, between two events: a call shows that the thread is alive. Tests hold it so.
    /// After ``stop()`` nothing is called any more.
    package func runOnThread(_ body: @escaping @Sendable () -> Void) {
        control.ask(.run(body))
    }

    /// The life of the thread; the library is released on return.
    private static func serve(
        _ roots: [FilePath], _ options: WatchOptions, _ control: WatchControl, _ buffer: EventBuffer,
        _ armed: OneShot<Result<Void, WatchError>>
    ) -> Result<Void, WatchError> {
        do throws(WatchError) {
            let loop = try WatchLoop(roots: roots, options: options, control: control, buffer: buffer)
            loop.arm()
            guard !control.isStopping else {
                return .failure(
                    WatchError(.cancelled, "the watcher was stopped before its watches were set"))
            }
            armed.settle(.success(()))
            loop.run()
            return .success(())
        } catch {
            return .failure(error)
        }
    }
}
