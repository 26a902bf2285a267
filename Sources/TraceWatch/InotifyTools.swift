#if InotifyTools
import CInotifyTools
import Glibc
import Synchronization
import SystemPackage
internal import TraceFiles
internal import TraceText

/// inotify through libinotifytools, reduced to the calls that are safe in the way they are made here.
///
/// The library keeps its state in globals: a process has room for one object of this type.
///
/// Source: the notes on libinotifytools 3.22.6 in docs/watching.md.
final class InotifyTools: Inotify {
    /// Whether an object of this type exists.
    private static let isClaimed = Atomic(false)

    private(set) var descriptor: CInt?
    let keepsEndedWatches = true
    /// Watches asked for so far; makes the names unique under which the library files them.
    private var serial: UInt64 = 0

    /// Claims the library for the caller.
    ///
    /// - Throws: ``WatchError`` with `.alreadyRunning`.
    init() throws(WatchError) {
        guard
            Self.isClaimed.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing)
                .exchanged
        else {
            throw WatchError(
                .alreadyRunning, "a watcher is running in this process",
                cure: "stop it before another is started, or give one watcher all roots")
        }
    }

    deinit {
        close()
        Self.isClaimed.store(false, ordering: .releasing)
    }

    /// Also finds the descriptor that the library hides.
    ///
    /// - Throws: ``WatchError`` also with `.descriptorTooHigh` and `.descriptorNotFound`.
    func open() throws(WatchError) {
        let earlier = Self.inotifyDescriptors()
        guard inotifytools_initialize() != 0 else {
            throw .notOpened(Errno(rawValue: inotifytools_error()))
        }
        // Another thread may open an inotify of its own meanwhile; the library's is the one without close-on-exec.
        let found = Self.inotifyDescriptors().subtracting(earlier).filter {
            fcntl($0, F_GETFD) & FD_CLOEXEC == 0
        }
        guard let only = found.first, found.count == 1 else {
            if !found.isEmpty { inotifytools_cleanup() }
            throw WatchError(
                .descriptorNotFound,
                "libinotifytools opened \(found.count) inotify descriptors where one was expected",
                cure: "install the libinotifytools0 of the distribution, and see that /proc is mounted")
        }
        // select(2) takes descriptors below FD_SETSIZE, and the library does not check.
        guard only < 1024 else {
            inotifytools_cleanup()
            throw WatchError(
                .descriptorTooHigh, "inotify descriptor \(only) is above 1023",
                cure: "start the watcher before other files are opened")
        }
        guard fcntl(only, F_SETFD, FD_CLOEXEC) == 0 else {
            let cause = Errno(rawValue: errno)
            inotifytools_cleanup()
            throw WatchError(.systemFailure, "close-on-exec can't be set on inotify", refusedWith: cause)
        }
        descriptor = only
    }

    func close() {
        guard descriptor != nil else { return }
        // What was read from the kernel stays in a static buffer through clean-up and set-up, and would come out
        // under the wrong directories.
        Self.discardEvents()
        inotifytools_cleanup()
        descriptor = nil
        serial = 0
    }

    /// - Throws: `Errno` of select(2) or read(2).
    func nextEvent() throws(Errno) -> KernelEvent? {
        guard let event = inotifytools_next_events(0, 1) else {
            let cause = Errno(rawValue: inotifytools_error())
            guard cause.rawValue == 0 || cause == .interrupted else { throw cause }
            return nil
        }
        // Copied before the next call of the library overwrites it; the library holds the event whole.
        return KernelEvent(copying: UnsafeRawPointer(event))
    }

    /// A link that took the directory's place is followed in any case: the key ends in a slash.
    func watch(_ directory: FilePath, followingLinks: Bool) throws(Errno) -> Int32 {
        serial += 1
        let key = directory.withPlatformString { Self.key(for: $0, serial: serial) }
        let mask = Self.watchMask(followingLinks: followingLinks)
        guard inotifytools_watch_file(key, CInt(bitPattern: mask)) != 0 else {
            throw Errno(rawValue: inotifytools_error())
        }
        let descriptor = inotifytools_wd_from_filename(key)
        guard descriptor > 0 else { throw .noMemory }
        return descriptor
    }

    /// The library complains on standard error if the kernel has ended the watch.
    func remove(_ descriptor: Int32) -> Bool {
        inotifytools_remove_watch_by_wd(descriptor) != 0
    }
}

extension InotifyTools {
    /// The name under which the library files a watch: the path and the serial number in binary, `./` for 1 and `/`
    /// for 0.
    ///
    /// The kernel resolves it to the same directory, and the library finds the new watch by it even if it has not
    /// forgotten an older one of the same path.
    private static func key(for path: UnsafePointer<CChar>, serial: UInt64) -> [CChar] {
        let slash = CChar(bitPattern: UInt8(ascii: "/"))
        let dot = CChar(bitPattern: UInt8(ascii: "."))
        var key = Array(UnsafeBufferPointer(start: path, count: strlen(path)))
        key.append(slash)
        var rest = serial
        while rest > 0 {
            if rest & 1 == 1 { key.append(dot) }
            key.append(slash)
            rest >>= 1
        }
        key.append(0)
        return key
    }

    /// Reads until the library's buffer and the kernel's queue are empty.
    private static func discardEvents() {
        while inotifytools_next_events(0, 1) != nil {}
    }

    /// The open descriptors of this process that are inotify instances.
    private static func inotifyDescriptors() -> Set<CInt> {
        var found: Set<CInt> = []
        try? OpenDirectory.forEachEntry(at: "/proc/self/fd") { name, _ in
            if let number = CInt(name.string),
                linkTarget("/proc/self/fd/\(number)") == "anon_inode:inotify"
            {
                found.insert(number)
            }
            return true
        }
        return found
    }

    /// What a symbolic link says, as far as it has 64 bytes; nil if it can't be read.
    private static func linkTarget(_ path: String) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { room in
            guard let start = room.baseAddress else { return nil }
            let count = readlink(path, start, room.count)
            guard count >= 0 else { return nil }
            // readlink(2) filled `count` bytes of the room, without a NUL.
            return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
        }
    }
}
#endif
