import Glibc
import SystemPackage

/// Device and inode: what stays the same when a directory is renamed.
struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64

    /// The identity of the directory at a path; nil if there is none, or none that can be reached.
    ///
    /// - Parameter followingLink: Whether a symbolic link at the end of the path is followed.
    static func ofDirectory(at path: FilePath, followingLink: Bool) -> FileIdentity? {
        var status = stat()
        let result = path.withPlatformString { followingLink ? stat($0, &status) : lstat($0, &status) }
        guard result == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
        return FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }
}
