import Glibc
import SystemPackage
import Testing

@testable import TraceStore

/// A directory of its own for one test, removed with everything in it when the test is over.
///
/// `TRACE_KEEP_SCRATCH=1` in the environment keeps it, and says where it is.
final class ScratchDirectory: Sendable {
    let path: FilePath

    init() throws {
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
    func callAsFunction(_ name: FilePath.Component) -> FilePath { path.appending(name) }

    /// Writes a file, plainly.
    func write(_ text: String, to name: FilePath.Component) throws {
        try write(Array(text.utf8), to: name)
    }

    /// Writes a file, plainly.
    func write(_ bytes: [UInt8], to name: FilePath.Component) throws {
        let file = try FileDescriptor.open(
            self(name), .writeOnly, options: [.create, .truncate],
            permissions: FilePermissions(rawValue: 0o644))
        try file.closeAfter { _ = try file.writeAll(bytes) }
    }

    /// Appends without lock or sync, as programs do that know nothing of us.
    func append(_ text: String, to name: FilePath.Component) throws {
        let file = try FileDescriptor.open(self(name), .writeOnly, options: [.append])
        try file.closeAfter { _ = try file.writeAll(text.utf8) }
    }

    /// Puts a file in the place of another by rename, as sync tools and editors do.
    func renameOver(_ name: FilePath.Component, _ text: String) throws {
        try write(text, to: "renamed-over")
        try #require(rename(self("renamed-over").string, self(name).string) == 0)
    }

    /// The whole of a file.
    func bytes(of name: FilePath.Component) throws -> [UInt8] {
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
    func text(of name: FilePath.Component) throws -> String {
        String(decoding: try bytes(of: name), as: UTF8.self)
    }

    /// The names in the directory, sorted.
    func names() throws -> [String] {
        var names: [String] = []
        try OpenDirectory(path).forEachName { names.append($0.escaped) }
        return names.sorted()
    }

    func link(_ name: FilePath.Component, to target: String) throws {
        try #require(symlink(target, self(name).string) == 0)
    }

    func makeDirectory(_ name: FilePath.Component) throws {
        try #require(self(name).withPlatformString { mkdir($0, 0o755) } == 0)
    }

    func permissions(of name: FilePath.Component) throws -> UInt32 {
        try OpenDirectory(path).status(of: name, followingLinks: false).permissions
    }
}

/// A file system of its own, so small that it is soon full; needs the right to mount.
final class SmallFileSystem: Sendable {
    let directory: ScratchDirectory

    /// Whether this process may mount one.
    static let isAvailable = (try? SmallFileSystem()) != nil

    init(kilobytes: Int = 64) throws {
        directory = try ScratchDirectory()
        let isMounted = mount("trace-test", directory.path.string, "tmpfs", 0, "size=\(kilobytes)k") == 0
        guard isMounted else { throw Errno(rawValue: errno) }
    }

    deinit { umount2(directory.path.string, 2) }

    /// Fills it to the last byte.
    func fill() throws {
        let file = try FileDescriptor.open(
            directory("filling"), .writeOnly, options: [.create, .append],
            permissions: FilePermissions(rawValue: 0o644))
        try file.closeAfter {
            while (try? file.writeAll([0])) != nil {}
        }
    }

    /// Mounts it read-only.
    func makeReadOnly() throws {
        let remountReadOnly: UInt = 32 | 1
        guard mount("", directory.path.string, "", remountReadOnly, nil) == 0 else {
            throw Errno(rawValue: errno)
        }
    }
}

/// What a hook saw, from whichever thread.
final class Steps: @unchecked Sendable {
    // Guarded by the lock that every access takes.
    private var steps: [WriteStep] = []
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init() { pthread_mutex_init(lock, nil) }
    deinit { lock.deallocate() }

    func add(_ step: WriteStep) -> Int {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        steps.append(step)
        return steps.count
    }

    var all: [WriteStep] {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return steps
    }
}

/// The code of the ``StoreError`` that `body` throws.
func code(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> some Any
) -> StoreError.Code? {
    do {
        _ = try body()
        Issue.record("nothing was thrown", sourceLocation: sourceLocation)
    } catch let error as StoreError {
        return error.code
    } catch {
        Issue.record("not a StoreError: \(error)", sourceLocation: sourceLocation)
    }
    return nil
}

/// A name that is not UTF-8.
let crookedName = FilePath.Component(bytes: [0x61, 0xFF, 0xFE, 0x2E, 0x6A]) ?? "unreachable"
