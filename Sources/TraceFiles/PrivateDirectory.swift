internal import Glibc
package import SystemPackage

/// A directory of our own that nobody else may look into, and that is gone when it is done with.
package enum PrivateDirectory {
    /// Makes a directory, hands it to `body`, and removes it with the files in it.
    ///
    /// - Parameter parent: Where it is made; must exist.
    /// - Throws: ``FileError`` if it can't be made; what `body` throws.
    /// - Note: What a process leaves that is killed in between is a directory `trace-` and six characters.
    package static func with<Result>(in parent: FilePath, _ body: (FilePath) throws -> Result) throws
        -> Result
    {
        var template = parent.appending("trace-XXXXXX").bytes.map { CChar(bitPattern: $0) } + [0]
        let isMade = template.withUnsafeMutableBufferPointer { buffer in
            // Sound: the array ends with NUL, and `mkdtemp` writes over its six X alone.
            buffer.baseAddress.flatMap { mkdtemp($0) } != nil
        }
        guard isMade else {
            throw FileError("create a temporary directory", parent, Errno(rawValue: errno))
        }
        let path = FilePath(platformString: template)
        defer { remove(path) }
        return try body(path)
    }

    /// Removes a directory of our own with the files in it, as far as that can be done.
    package static func remove(_ path: FilePath) {
        guard let directory = try? OpenDirectory(path) else { return }
        try? directory.forEachName { name in
            _ = directory.path(of: name).withPlatformString { unlink($0) }
        }
        _ = path.withPlatformString { rmdir($0) }
    }
}
