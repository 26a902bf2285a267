import SystemPackage

/// One event as the kernel told it, copied out of the buffer that it was read into.
struct KernelEvent: Sendable {
    /// Watch descriptor; −1 for an overflow of the queue.
    let descriptor: Int32
    let mask: EventMask
    /// The entry of the watched directory; nil if the event is about the directory itself.
    let name: FilePath.Component?
}

extension KernelEvent {
    /// Copies an event.
    ///
    /// - Precondition: The memory at `event` holds as many bytes as ``size(in:)`` says.
    init(copying event: UnsafeRawPointer) {
        descriptor = event.loadUnaligned(as: Int32.self)
        mask = EventMask(rawValue: event.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        guard event.loadUnaligned(fromByteOffset: Self.lengthOffset, as: UInt32.self) > 0 else {
            name = nil
            return
        }
        let bytes = event.advanced(by: Self.headerSize)
        name = FilePath.Component(platformString: bytes.assumingMemoryBound(to: CChar.self))
    }

    /// How many bytes the first event of a buffer takes; nil if the buffer does not hold all of them.
    static func size(in buffer: UnsafeRawBufferPointer) -> Int? {
        guard buffer.count >= headerSize else { return nil }
        let size =
            headerSize + Int(buffer.loadUnaligned(fromByteOffset: lengthOffset, as: UInt32.self))
        return size <= buffer.count ? size : nil
    }

    /// `wd`, `mask`, `cookie` and `len`, four bytes each; then `len` bytes, in which the name is padded with at least one
    /// NUL. If `len` is 0, nothing may be read there.
    ///
    /// Source: inotify(7), "Reading events from an inotify file descriptor".
    private static let headerSize = 16
    private static let lengthOffset = 12
}

/// Bits of an inotify event.
///
/// Source: inotify(7), "inotify events".
struct EventMask: OptionSet, Sendable {
    let rawValue: UInt32

    static let modified = EventMask(rawValue: 0x2)
    static let attributes = EventMask(rawValue: 0x4)
    static let closedAfterWriting = EventMask(rawValue: 0x8)
    static let movedFrom = EventMask(rawValue: 0x40)
    static let movedTo = EventMask(rawValue: 0x80)
    static let created = EventMask(rawValue: 0x100)
    static let deleted = EventMask(rawValue: 0x200)
    static let selfDeleted = EventMask(rawValue: 0x400)
    static let selfMoved = EventMask(rawValue: 0x800)
    static let unmounted = EventMask(rawValue: 0x2000)
    static let queueOverflow = EventMask(rawValue: 0x4000)
    static let watchEnded = EventMask(rawValue: 0x8000)
    static let directory = EventMask(rawValue: 0x4000_0000)

    /// What the event says of an entry of the directory.
    var change: WatchEvent.Change? {
        if contains(.modified) { return .contents }
        if contains(.closedAfterWriting) { return .written }
        if contains(.created) { return .created }
        if contains(.movedTo) { return .movedIn }
        if contains(.movedFrom) { return .movedOut }
        if contains(.deleted) { return .deleted }
        if contains(.attributes) { return .attributes }
        return nil
    }
}
