internal import Glibc
package import SystemPackage
package import TraceFiles

/// Copies of recordings for players that can't play them as they are: `copies/` in the state directory. It may be deleted at any time.
///
/// A copy is that of one state of one file. What was recorded stays as it is.
package struct PlayableCopies: Sendable {
    private let path: FilePath
    private let byteLimit: Int64

    /// - Parameter byteLimit: How many bytes they have together at most; those that were made first go.
    package init(state: FilePath, byteLimit: Int64 = 512 << 20) {
        path = state.appending("copies")
        self.byteLimit = byteLimit
    }

    /// Where the copies are, and how the one of a file in this state is called; nil if it was not made.
    package func copy(of identity: FileIdentity) -> (directory: OpenDirectory, name: FilePath.Component)? {
        guard let name = FilePath.Component("\(identity.cacheKey).m4a"),
            let directory = try? OpenDirectory(path),
            (try? directory.statusIfPresent(of: name, followingLinks: false))??.kind == .regular
        else { return nil }
        return (directory, name)
    }

    /// Makes the copy of a recording, with `ffmpeg`.
    ///
    /// - Parameters:
    ///   - identity: Of which the copy is to be.
    ///   - shouldStop: Is asked once a second; if so, nothing is made.
    /// - Throws: ``FileError`` with `.toolMissing`, `.toolFailed`, `.changedMeanwhile`, `.diskFull` or `.io`.
    /// - Note: Killed in between, there is no copy of that name; what is left goes with the next one that is made.
    package func make(
        of source: FilePath, in identity: FileIdentity, shouldStop: @escaping () -> Bool
    ) throws {
        try OpenDirectory.make(path)
        let directory = try OpenDirectory(path)
        _ = try directory.closeToStrangers()
        let key = identity.cacheKey
        guard let name = FilePath.Component("\(key).m4a"), let part = FilePath.Component("\(key).part") else {
            throw FileError(.invalidData, "can't be copied", path: source)
        }
        makeRoom(in: directory)
        do {
            try FFmpeg(for: "copies for players", shouldStop: shouldStop).makePlayable(
                from: source, to: directory.path(of: part))
            let now = try FileStatus.regular(at: source)
            guard now == identity else {
                throw FileError(.changedMeanwhile, "changed while it was copied", path: source)
            }
            try explaining("rename the copy", directory.path(of: name)) { () throws(Errno) in
                try directory.unlink(name)
                try directory.moveWithoutReplacing(part, to: name, in: directory)
            }
        } catch {
            try? directory.unlink(part)
            throw error
        }
    }

    private func makeRoom(in directory: OpenDirectory) {
        var files: [(name: FilePath.Component, size: Int64, time: SystemTime)] = []
        try? directory.forEachName { name in
            guard let status = try? directory.status(of: name, followingLinks: false) else { return }
            // One at a time is made: any other part is of a process that was killed.
            if name.extension == "part" { try? directory.unlink(name) }
            files.append((name, status.identity.size, status.identity.modified))
        }
        var total = files.reduce(0) { $0 + $1.size }
        for file in files.sorted(by: { $0.time < $1.time }) where total > byteLimit / 2 {
            try? directory.unlink(file.name)
            total -= file.size
        }
    }
}

extension FileStatus {
    /// The identity of a regular file.
    fileprivate static func regular(at path: FilePath) throws -> FileIdentity {
        guard let name = path.lastComponent else { throw FileError(.notFound, "does not exist", path: path) }
        let status = try OpenDirectory(path.containingDirectory).status(of: name, followingLinks: false)
        try status.requireRegularFile(at: path)
        return status.identity
    }
}
