import SystemPackage

/// One event as the kernel told it, copied out of the library's buffer.
struct KernelEvent: Sendable {
    /// Watch descriptor; −1 for an overflow of the queue.
    let descriptor: Int32
    let mask: EventMask
    /// The entry of the watched directory; nil if the event is about the directory itself.
    let name: FilePath.Component?
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
