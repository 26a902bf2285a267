import Glibc
import SystemPackage
import TestSupport

/// A file system of its own, so small that it is soon full; needs the right to mount.
package final class SmallFileSystem: Sendable {
    package let directory: ScratchDirectory

    /// Whether this process may mount one.
    package static let isAvailable = (try? SmallFileSystem()) != nil

    package init(kilobytes: Int = 64) throws {
        directory = try ScratchDirectory()
        let isMounted = mount("trace-test", directory.path.string, "tmpfs", 0, "size=\(kilobytes)k") == 0
        guard isMounted else { throw Errno(rawValue: errno) }
    }

    deinit { umount2(directory.path.string, 2) }

    /// Fills it to the last byte.
    package func fill() throws {
        let file = try FileDescriptor.open(
            directory("filling"), .writeOnly, options: [.create, .append],
            permissions: FilePermissions(rawValue: 0o644))
        try file.closeAfter {
            while (try? file.writeAll([0])) != nil {}
        }
    }

    /// Mounts it read-only.
    ///
    /// A program that another test starts at this moment has a copy of each file that is open for writing, until it executes: for that long, the
    /// file system is busy.
    package func makeReadOnly() throws {
        let remountReadOnly: UInt = 32 | 1
        try soon("the file system is mounted read-only") {
            if mount("", directory.path.string, "", remountReadOnly, nil) == 0 { return true }
            guard errno == EBUSY else { throw Errno(rawValue: errno) }
            return false
        }
    }
}
