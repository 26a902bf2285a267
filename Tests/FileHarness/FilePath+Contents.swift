import Glibc
package import SystemPackage
import Testing
internal import TraceFiles

extension FilePath {
    /// The whole of the file, as text.
    package func text() throws -> String {
        let parent = try OpenDirectory(removingLastComponent())
        let name = try #require(lastComponent)
        let file = try #require(try parent.readFile(name), "\(self) does not exist")
        return String(decoding: file.contents, as: UTF8.self)
    }

    /// Writes the file, plainly.
    package func write(_ text: String) throws {
        let file = try FileDescriptor.open(
            self, .writeOnly, options: [.create, .truncate], permissions: FilePermissions(rawValue: 0o644))
        try file.closeAfter { _ = try file.writeAll(text.utf8) }
    }

    /// Whether there is something of this name.
    package var exists: Bool { withPlatformString { access($0, F_OK) } == 0 }

    /// Sets the time of the last change as sync tools do.
    package func setModified(secondsAgo: Int) throws {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        now.tv_sec -= secondsAgo
        let result = [now, now].withUnsafeBufferPointer { times in
            withPlatformString { utimensat(AT_FDCWD, $0, times.baseAddress, 0) }
        }
        try #require(result == 0)
    }

    /// Makes a symbolic link of this name.
    package func link(to target: String) throws {
        try #require(symlink(target, string) == 0)
    }
}
