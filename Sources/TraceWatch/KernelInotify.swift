import Glibc
import SystemPackage

/// inotify(7) as the kernel offers it, without a library between.
final class KernelInotify: Inotify {
    private(set) var descriptor: CInt?
    let keepsEndedWatches = false

    /// What the last read(2) has brought; as much as libinotifytools reads at once, some thousand events.
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)
    /// The bytes of ``buffer`` that hold events not handed out yet.
    private var unread = 0..<0

    deinit { close() }

    func open() throws(WatchError) {
        let opened = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
        guard opened >= 0 else { throw .notOpened(Errno(rawValue: errno)) }
        descriptor = opened
    }

    func close() {
        if let descriptor { Glibc.close(descriptor) }
        descriptor = nil
        unread = 0..<0
    }

    func nextEvent() throws(Errno) -> KernelEvent? {
        if unread.isEmpty, try !refill() { return nil }
        return try takeEvent()
    }

    func watch(_ directory: FilePath, followingLinks: Bool) throws(Errno) -> Int32 {
        guard let descriptor else { throw .badFileDescriptor }
        let mask = Self.watchMask(followingLinks: followingLinks)
        let watch = directory.withPlatformString { inotify_add_watch(descriptor, $0, mask) }
        guard watch >= 0 else { throw Errno(rawValue: errno) }
        return watch
    }

    func remove(_ watch: Int32) -> Bool {
        guard let descriptor else { return false }
        return inotify_rm_watch(descriptor, watch) == 0
    }

    /// Reads events; false if there are none.
    private func refill() throws(Errno) -> Bool {
        guard let descriptor else { return false }
        while true {
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                unread = 0..<count
                return true
            }
            switch Errno(rawValue: count == 0 ? EIO : errno) {
            case .interrupted: continue
            case .wouldBlock: return false
            case let cause: throw cause
            }
        }
    }

    /// The first of the unread events.
    ///
    /// - Throws: `Errno.ioError` for an event that is cut off, which no kernel writes.
    private func takeEvent() throws(Errno) -> KernelEvent {
        let taken = buffer.withUnsafeBytes { bytes -> (event: KernelEvent, size: Int)? in
            let rest = UnsafeRawBufferPointer(rebasing: bytes[unread])
            guard let start = rest.baseAddress, let size = KernelEvent.size(in: rest) else { return nil }
            return (KernelEvent(copying: start), size)
        }
        guard let taken else { throw .ioError }
        unread = unread.lowerBound + taken.size..<unread.upperBound
        return taken.event
    }
}
