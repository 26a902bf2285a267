internal import Glibc
package import SystemPackage
internal import Synchronization

/// A file without a name, which is gone with its last user: holds what is made while it is sent on.
///
/// Source: open(2), "O_TMPFILE".
package final class UnnamedFile: Sendable {
    private let file: OpenFile
    private let directory: FilePath
    private let length = Atomic<Int64>(0)

    /// `O_TMPFILE`, which is a macro that Swift does not take over.
    private static let flags = 0o20_000_000 | O_DIRECTORY | O_RDWR | O_CLOEXEC

    /// - Throws: ``FileError`` if the directory's file system has no such files, or is full.
    package init(in directory: FilePath) throws {
        self.directory = directory
        let descriptor = try explaining("create a temporary file", directory) { () throws(Errno) in
            try retrying { directory.withPlatformString { open($0, Self.flags, 0o600) } }
        }
        file = OpenFile(adopting: descriptor)
    }

    /// How many bytes it has.
    package var size: Int64 { length.load(ordering: .acquiring) }

    /// Writes at its end; one thread at a time.
    ///
    /// - Throws: ``FileError`` with `.diskFull`.
    package func append(_ bytes: [UInt8]) throws {
        var rest = bytes
        while !rest.isEmpty {
            let part = rest
            let count = try explaining("write a temporary file", directory) { () throws(Errno) in
                try file.writeOnce(part)
            }
            rest.removeFirst(count)
            length.add(Int64(count), ordering: .releasing)
        }
    }

    /// Up to `count` bytes from `offset`.
    package func bytes(at offset: Int64, count: Int) throws -> [UInt8] {
        try explaining("read a temporary file", directory) { () throws(Errno) in
            try file.bytes(at: offset, count: count)
        }
    }
}
