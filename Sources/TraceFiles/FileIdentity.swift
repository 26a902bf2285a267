internal import Glibc
package import SystemPackage
internal import TraceText

/// Identifies a file regardless of its contents and names: device and inode (inode(7)).
package struct FileID: Hashable, Sendable {
    /// The device of the file system.
    package let device: UInt64
    /// The inode within the device, which may be another file's once this one is gone.
    package let inode: UInt64

    package init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }
}

/// Which file it is and in which state: enough to tell that a file is not what was read before.
///
/// Two identities are the same or *different*; neither is ever newer: sync tools set times backwards, and
/// clocks jump. A change that keeps the size and falls into the same tick of the kernel's clock (up to 4 ms
/// before Linux 6.13) can go unseen; who must be sure reads the bytes.
///
/// Source: docs/index.md#how-a-session-is-brought-up-to-date; inode(7).
package struct FileIdentity: Hashable, Sendable {
    /// The device of the file system.
    package var device: UInt64
    /// The inode within the device.
    package var inode: UInt64
    /// The size in bytes.
    package var size: Int64
    /// When the contents last changed, as the file says: whatever somebody has set (utimensat(2)).
    package var modified: SystemTime
    /// When the contents or the attributes last changed, by the kernel's clock.
    package var changed: SystemTime

    /// An identity from its parts.
    package init(device: UInt64, inode: UInt64, size: Int64, modified: SystemTime, changed: SystemTime) {
        self.device = device
        self.inode = inode
        self.size = size
        self.modified = modified
        self.changed = changed
    }

    /// Which file it is.
    package var file: FileID { FileID(device: device, inode: inode) }

    /// Whether both are states of one and the same file, whatever its contents.
    package func isSameFile(as other: FileIdentity) -> Bool { file == other.file }

    /// Whether the file changed so short a time before `time` that another change might leave the same identity: the
    /// kernel's clock for file times stands still for up to 10 ms.
    package func isTooFresh(at time: SystemTime) -> Bool { time - changed < .milliseconds(20) }

    /// Whether nothing but attributes and names of the file changed between both states.
    func hasSameContents(as other: FileIdentity) -> Bool {
        isSameFile(as: other) && size == other.size && modified == other.modified
    }
}

/// The type of a directory entry.
package enum FileKind: Hashable, Sendable {
    case regular
    case directory
    case symbolicLink
    /// A pipe, socket or device.
    case special
}

/// The status of a file, as far as this module needs it.
package struct FileStatus: Hashable, Sendable {
    /// Which file it is and in which state.
    package var identity: FileIdentity
    /// What it is.
    package var kind: FileKind
    /// The twelve permission bits, e.g. `0o644`.
    package var permissions: UInt32
    /// The user that owns it.
    package var owner: UInt32
    /// The group that owns it.
    package var group: UInt32
    /// How many names it has; 0 once the last one is gone.
    package var linkCount: UInt64
    /// Which device it is, if it is one (makedev(3)).
    package var representedDevice: UInt64

    private init(_ raw: stat) {
        identity = FileIdentity(
            device: UInt64(raw.st_dev), inode: UInt64(raw.st_ino), size: Int64(raw.st_size),
            modified: SystemTime(raw.st_mtim), changed: SystemTime(raw.st_ctim))
        kind =
            switch raw.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .directory
            case S_IFLNK: .symbolicLink
            default: .special
            }
        permissions = UInt32(raw.st_mode & 0o7777)
        owner = raw.st_uid
        group = raw.st_gid
        linkCount = UInt64(raw.st_nlink)
        representedDevice = UInt64(raw.st_rdev)
    }

    /// The status of what a path leads to.
    package init(of path: FilePath, followingLinks: Bool = true) throws(Errno) {
        var raw = stat()
        _ = try retrying { path.withPlatformString { followingLinks ? stat($0, &raw) : lstat($0, &raw) } }
        self.init(raw)
    }

    /// The status of what a descriptor of the caller's stands for.
    package init(ofDescriptor descriptor: Int32) throws(Errno) {
        var raw = stat()
        _ = try retrying { fstat(descriptor, &raw) }
        self.init(raw)
    }

    /// The status of an entry of an open directory.
    package init(of name: FilePath.Component, inside directory: Int32, followingLinks: Bool) throws(Errno) {
        var raw = stat()
        _ = try retrying {
            name.withPlatformString {
                fstatat(directory, $0, &raw, followingLinks ? 0 : AT_SYMLINK_NOFOLLOW)
            }
        }
        self.init(raw)
    }

    /// Refuses everything but a regular file.
    ///
    /// - Throws: ``FileError`` with `.notRegularFile`.
    package func requireRegularFile(at path: @autoclosure () -> FilePath) throws {
        guard kind != .regular else { return }
        let found =
            switch kind {
            case .directory: "a directory"
            case .symbolicLink: "a symbolic link"
            default: "a pipe, socket or device"
            }
        throw FileError(
            .notRegularFile, "is \(found), not a regular file", path: path(),
            cure: "put a regular file in its place")
    }
}
