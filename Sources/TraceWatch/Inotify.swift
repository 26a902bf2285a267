import Glibc
import SystemPackage

/// The calls on inotify(7) that a ``WatchLoop`` makes.
///
/// An object belongs to one thread, the watcher's: it is made, used and destroyed there.
protocol Inotify: AnyObject {
    /// The inotify descriptor, to be polled only; nil while inotify is closed.
    var descriptor: CInt? { get }

    /// Whether the memory of a watch that the kernel has ended by itself is given back only by ``close()``.
    var keepsEndedWatches: Bool { get }

    /// Opens inotify, which must be closed; child processes do not inherit it.
    ///
    /// - Throws: ``WatchError`` with `.descriptorLimit` or `.systemFailure`.
    func open() throws(WatchError)

    /// Closes inotify; all watches and all unread events are gone.
    func close()

    /// The next event; nil when there is none at present.
    ///
    /// The descriptor may be polled only after nil: events that were read from it are out of the sight of poll(2).
    ///
    /// - Throws: `Errno` of read(2).
    func nextEvent() throws(Errno) -> KernelEvent?

    /// Adds a watch on a directory that has none.
    ///
    /// - Parameter followingLinks: Whether the path may be a symbolic link to the directory.
    /// - Returns: The watch descriptor.
    /// - Throws: `Errno` of inotify_add_watch(2); `.fileExists` if the directory is watched already.
    func watch(_ directory: FilePath, followingLinks: Bool) throws(Errno) -> Int32

    /// Removes a watch that the kernel still has.
    ///
    /// - Returns: Whether it was removed.
    func remove(_ descriptor: Int32) -> Bool
}

extension Inotify {
    /// The mask of a watch: all that becomes of a directory and its entries. Fails where the path leads to something else, and,
    /// with EEXIST, where the directory has a watch already, instead of changing that.
    ///
    /// Source: inotify(7), "inotify events" and "adding a watch".
    static func watchMask(followingLinks: Bool) -> UInt32 {
        let events =
            IN_CREATE | IN_CLOSE_WRITE | IN_MODIFY | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF
            | IN_MOVE_SELF | IN_ATTRIB
        let options = IN_ONLYDIR | IN_EXCL_UNLINK | IN_MASK_CREATE | (followingLinks ? 0 : IN_DONT_FOLLOW)
        return UInt32(events | options)
    }
}

/// What a watcher is built on; which of them a program holds is decided when it is built.
package enum InotifyBackend: String, CaseIterable, Sendable {
    #if InotifyTools
    /// libinotifytools, which is under the GPL, version 2; the package trait `InotifyTools`, on by default.
    case inotifyTools = "libinotifytools"
    #endif
    /// The kernel's interface itself, inotify(7).
    case kernel = "inotify(7)"

    /// What a watcher uses unless it is given another: libinotifytools where the programs are built with it.
    @TaskLocal package static var current: InotifyBackend = {
        #if InotifyTools
        .inotifyTools
        #else
        .kernel
        #endif
    }()

    /// The shared library that the backend needs, by the name that the dynamic linker knows.
    package var sharedLibrary: String? {
        switch self {
        #if InotifyTools
        case .inotifyTools: "libinotifytools.so.0"
        #endif
        case .kernel: nil
        }
    }

    /// - Throws: ``WatchError`` with `.alreadyRunning` where a process has room for one.
    func make() throws(WatchError) -> any Inotify {
        switch self {
        #if InotifyTools
        case .inotifyTools: try InotifyTools()
        #endif
        case .kernel: KernelInotify()
        }
    }
}
