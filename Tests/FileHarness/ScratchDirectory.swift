import Glibc
package import SystemPackage
import Testing
internal import TraceFiles

/// A directory of its own for one test, removed with everything in it when the test is over.
///
/// `TRACE_KEEP_SCRATCH=1` in the environment keeps it, and says where it is.
package final class ScratchDirectory: Sendable {
    package let path: FilePath

    package init() throws {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/trace-test-XXXXXX".utf8CString)
        // Sound: the template is NUL-terminated and changed in place, within its length.
        guard mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
        path = FilePath(platformString: template)
    }

    deinit {
        if getenv("TRACE_KEEP_SCRATCH") != nil {
            print("kept \(path)")
            return
        }
        var directories: [FilePath] = []
        DirectoryWalker(root: path).walk { entry in
            if entry.kind == .directory {
                directories.append(entry.path)
            } else {
                _ = entry.path.withPlatformString { unlink($0) }
            }
            return .descend
        } report: { _ in
        }
        for directory in [path] + directories {
            // Whatever a test mounted there; nothing is, for nearly all.
            _ = directory.withPlatformString { umount2($0, 2) }
        }
        for directory in directories.reversed() + [path] {
            _ = directory.withPlatformString { rmdir($0) }
        }
    }

    /// The path of an entry.
    package func callAsFunction(_ name: FilePath.Component) -> FilePath { path.appending(name) }

    /// Writes a file, plainly.
    package func write(_ text: String, to name: FilePath.Component) throws {
        try write(Array(text.utf8), to: name)
    }

    /// Writes a file, plainly.
    package func write(_ bytes: [UInt8], to name: FilePath.Component) throws {
        let file = try FileDescriptor.open(
            self(name), .writeOnly, options: [.create, .truncate],
            permissions: FilePermissions(rawValue: 0o644))
        try file.closeAfter { _ = try file.writeAll(bytes) }
    }

    /// Appends without lock or sync, as programs do that know nothing of us.
    package func append(_ text: String, to name: FilePath.Component) throws {
        let file = try FileDescriptor.open(self(name), .writeOnly, options: [.append])
        try file.closeAfter { _ = try file.writeAll(text.utf8) }
    }

    /// Puts a file in the place of another by rename, as sync tools and editors do.
    package func renameOver(_ name: FilePath.Component, _ text: String) throws {
        try write(text, to: "renamed-over")
        try #require(rename(self("renamed-over").string, self(name).string) == 0)
    }

    /// The whole of a file.
    package func bytes(of name: FilePath.Component) throws -> [UInt8] {
        let file = try FileDescriptor.open(self(name), .readOnly)
        return try file.closeAfter {
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = try chunk.withUnsafeMutableBytes { try file.read(into: $0) }
                if count == 0 { return bytes }
                bytes += chunk[..<count]
            }
        }
    }

    /// The whole of a file, as text.
    package func text(of name: FilePath.Component) throws -> String {
        String(decoding: try bytes(of: name), as: UTF8.self)
    }

    /// The names in the directory, sorted.
    package func names() throws -> [String] {
        var names: [String] = []
        try OpenDirectory(path).forEachName { names.append($0.escaped) }
        return names.sorted()
    }

    package func link(_ name: FilePath.Component, to target: String) throws {
        try #require(symlink(target, self(name).string) == 0)
    }

    package func makeDirectory(_ name: FilePath.Component) throws {
        try #require(self(name).withPlatformString { mkdir($0, 0o755) } == 0)
    }

    package func permissions(of name: FilePath.Component) throws -> UInt32 {
        try OpenDirectory(path).status(of: name, followingLinks: false).permissions
    }
}
