internal import TraceCrypto
internal import Glibc
package import SystemPackage
package import TraceFiles

/// Files that were made out of recordings, in a directory of their own below the state directory, which may be deleted at any time.
///
/// Each is named after the state of one file: once that has changed in any way, it is another one's, and goes like all that nobody uses.
struct DerivedFiles: Sendable {
    private let path: FilePath
    private let fileExtension: String
    private let byteLimit: Int64
    private let headroom: Int64

    /// - Parameters:
    ///   - fileExtension: Of all of them.
    ///   - byteLimit: How many bytes they have together at most; those that were used longest ago go.
    ///   - headroom: How many of these bytes are kept free for what is made next.
    init(_ path: FilePath, fileExtension: String, byteLimit: Int64, headroom: Int64) {
        self.path = path
        self.fileExtension = fileExtension
        self.byteLimit = byteLimit
        self.headroom = headroom
    }

    /// The name of one.
    ///
    /// - Parameters:
    ///   - kind: Tells those of one recording apart.
    ///   - isPart: Whether it is the name by which it is made.
    func name(
        _ identity: FileIdentity, _ kind: String = "", isPart: Bool = false
    ) throws -> FilePath.Component {
        let name = "\(identity.cacheKey)\(kind).\(isPart ? "part" : fileExtension)"
        guard let name = FilePath.Component(name) else {
            throw FileError(.invalidData, "can't be a name", path: path)
        }
        return name
    }

    /// One that was made; nil if it was not, or is gone. It counts as used.
    func file(
        _ identity: FileIdentity, _ kind: String = ""
    ) -> (directory: OpenDirectory, name: FilePath.Component)? {
        guard let name = try? name(identity, kind), let directory = try? OpenDirectory(path),
            let status = (try? directory.statusIfPresent(of: name, followingLinks: false)) ?? nil,
            status.kind == .regular
        else { return nil }
        // What is read all the time need not be written all the time.
        if SystemTime.now() - status.identity.modified > Self.useInterval { try? directory.touch(name) }
        return (directory, name)
    }

    private static let useInterval = Duration.seconds(3600)

    /// The directory, with room for another file.
    ///
    /// - Throws: ``FileError`` if it can't be made.
    func directoryWithRoom() throws -> OpenDirectory {
        try OpenDirectory.make(path)
        let directory = try OpenDirectory(path)
        _ = try? directory.closeToStrangers()
        var files: [(name: FilePath.Component, size: Int64, time: SystemTime)] = []
        let now = SystemTime.now()
        try? directory.forEachName { name in
            guard let status = try? directory.status(of: name, followingLinks: false) else { return }
            // What another process is just making has another extension, and so has what a killed one has left.
            if name.extension != fileExtension, now - status.identity.modified > Self.longestMaking {
                try? directory.unlink(name)
            } else {
                files.append((name, status.identity.size, status.identity.modified))
            }
        }
        var total = files.reduce(0) { $0 + $1.size }
        for file in files.sorted(by: { $0.time < $1.time }) where total > byteLimit - headroom {
            try? directory.unlink(file.name)
            total -= file.size
        }
        return directory
    }

    /// After this, what is not finished never will be.
    private static let longestMaking = Duration.seconds(600)
}

extension FileIdentity {
    /// Names what was made of one state of a file.
    fileprivate var cacheKey: String {
        let parts: [Int64] = [
            Int64(bitPattern: device), Int64(bitPattern: inode), size, modified.stamp, changed.stamp,
        ]
        let key = hexadecimal(
            SHA256.hash(data: Array(parts.map(String.init).joined(separator: " ").utf8)))
        return String(key.prefix(32))
    }

    /// Refuses a source that is not in this state any more: what was made of it is not what it is named after.
    ///
    /// - Throws: ``FileError`` with `.changedMeanwhile`, `.notFound` or `.notRegularFile`.
    func require(at path: FilePath) throws {
        guard let name = path.lastComponent else { throw FileError(.notFound, "does not exist", path: path) }
        let status = try OpenDirectory(path.containingDirectory).status(of: name, followingLinks: false)
        try status.requireRegularFile(at: path)
        guard status.identity == self else {
            throw FileError(.changedMeanwhile, "changed while it was read", path: path)
        }
    }
}

/// What is made out of a recording in some seconds, and kept until the recording changes.
package protocol MediaProduct: Sendable {
    /// Whether it was made of a file in this state.
    func exists(for identity: FileIdentity) -> Bool

    /// Makes it.
    ///
    /// - Parameter shouldStop: Is asked at least once a second; if so, nothing is made.
    /// - Throws: ``StoreError`` with `.toolMissing`, `.toolFailed` or `.stopped`; ``MediaError`` with `.mediaTooLong`; ``FileError`` with `.changedMeanwhile`,
    ///   `.diskFull` or `.io`.
    /// - Note: Killed in between, there is nothing under its name, or all of it.
    func make(of source: FilePath, in identity: FileIdentity, shouldStop: @escaping () -> Bool) throws
}
