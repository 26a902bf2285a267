import Glibc
import Synchronization
import SystemPackage
internal import TraceFiles

/// Whether nothing at all has happened since a barrier, which any thread can see for itself: the watcher's thread has reported nothing
/// since and sleeps, the kernel has queued nothing, nothing was mounted, and the roots are the directories that they were.
///
/// A write is queued by the kernel before it returns. A look after that finds it in the queue, or finds the watcher's thread awake, or
/// finds that it has reported something.
final class Stillness: Sendable {
    /// A root, and the directory that is watched there.
    typealias Root = (path: FilePath, directory: FileID)

    private struct State {
        /// That of inotify, while the watcher's thread has handled all that it has read, and reads nothing.
        var descriptor: CInt?
        /// The last barrier, until something is reported behind it.
        var barrier: (number: UInt64, roots: [Root])?
    }

    private let state = Mutex(State())
    /// Where it can't be read it is never still.
    private let mounts = MountSource()

    // MARK: - The watcher's thread

    /// A barrier was reported, behind all that had happened.
    func begin(at number: UInt64, _ roots: [Root]) { state.withLock { $0.barrier = (number, roots) } }

    /// Something else was reported, or is lost.
    func end() { state.withLock { $0.barrier = nil } }

    /// From here on until ``wakeUp()`` nothing is read from inotify, and it stays open.
    func fallAsleep(_ descriptor: CInt) { state.withLock { $0.descriptor = descriptor } }

    func wakeUp() { state.withLock { $0.descriptor = nil } }

    // MARK: - Others

    /// Whether nothing has happened since the barrier of a number.
    ///
    /// - Complexity: A poll(2), and a `stat` for each root.
    func lasts(since number: UInt64) -> Bool {
        let roots = state.withLock { state -> [Root]? in
            guard let barrier = state.barrier, barrier.number == number, let descriptor = state.descriptor,
                let mounts
            else { return nil }
            switch mounts.look(besides: descriptor) {
            case .still: return barrier.roots
            case .queued: return nil
            // It is reported once; the watcher's thread finds out what it means.
            case .mounted:
                state.barrier = nil
                return nil
            }
        }
        guard let roots else { return false }
        return roots.allSatisfy { WatchLoop.directory(at: $0.path, followingLinks: true) == $0.directory }
    }
}
