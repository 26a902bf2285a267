internal import Glibc
package import SystemPackage
internal import TraceText

/// How a media file was placed.
package enum MediaPlacement: Equatable, Sendable {
    /// It was copied there now.
    case placed(FileIdentity)
    /// It was there already, with the same contents.
    case alreadyThere(FileIdentity)

    /// The file in its place.
    package var identity: FileIdentity {
        switch self {
        case .placed(let identity), .alreadyThere(let identity): identity
        }
    }
}

/// The expected size and checksum of a media file.
private struct ExpectedMedia {
    var sha256: String
    var size: Int64
}

/// The progress of the three passes over a file: checksum, copy, and reading the copy back.
private struct CopyProgress {
    let size: Int64
    let onProgress: ((Int64, Int64) throws(Errno) -> Void)?

    init(size: Int64, onProgress: ((Int64, Int64) throws(Errno) -> Void)?) {
        // A file with holes can be said to be longer than three passes over it could be counted; then it is the disk that is too small.
        self.size = min(size, .max / 3)
        self.onProgress = onProgress
    }

    /// The progress callback of one pass; nil if there is none.
    func pass(_ number: Int64) -> ((Int64) throws(Errno) -> Void)? {
        guard let onProgress else { return nil }
        return { (count) throws(Errno) in try onProgress(number * size + min(count, size), 3 * size) }
    }
}

extension OpenDirectory {
    /// Copies a file into the session's `media/` under a name that must not be taken by other contents.
    ///
    /// May be repeated: if the same contents are there already, they are made durable and that is success.
    /// `media/` and directories below it are made if missing. No link is followed inside the session, so
    /// nothing can be written outside of it; the source may be a link.
    ///
    /// - Parameters:
    ///   - source: The file to copy; it is left as it is.
    ///   - relativePath: Where it belongs: `media/` and at least one name, without `.` and `..`.
    ///   - expectedSHA256: 64 hexadecimal digits; nil takes the source as it is.
    ///   - expectedSize: In bytes; nil takes the source as it is.
    ///   - followsLink: Whether the source may be a link; what others deliver may not, or they could have any file copied that
    ///     this user may read.
    ///   - onProgress: Gets how many bytes have been gone through, and of how many; what it throws ends the work.
    /// - Throws: ``FileError``. `.alreadyExists`: the name has other contents. `.verificationFailed`: the
    ///   source does not have the expected size or checksum, or the copy not that of the source.
    ///   `.changedMeanwhile`: the source changed. `.leavesSession`, `.invalidData` for the path, `.notFound`,
    ///   `.notRegularFile`, `.diskFull`, `.permissionDenied`, `.io`. In each case there is nothing under the
    ///   name that was not there before, and no temporary file; an empty `media/` may be left.
    /// - Note: Durable on return. Killed in between, the name has the whole file or nothing;
    ///   `.trace-media.tmp` may be left, which the next call or ``DirectoryLock/removeLeftovers()`` removes.
    ///
    /// Source: docs/durability.md#media-and-transcripts; docs/spec/format.md#rules-across-lines-and-files, rule 5; rename(2), RENAME_NOREPLACE.
    package func placeMedia(
        from source: FilePath, to relativePath: FilePath, expectedSHA256: String? = nil,
        expectedSize: Int64? = nil, followsLink: Bool = true,
        onProgress: ((Int64, Int64) throws(Errno) -> Void)? = nil
    ) throws -> MediaPlacement {
        let names = try Self.mediaNames(of: relativePath, in: path)
        var directory = self
        for name in names.dropLast() { directory = try directory.madeDirectory(name) }
        return try directory.placeFile(
            from: source, as: names[names.count - 1], expectedSHA256: expectedSHA256,
            expectedSize: expectedSize, followsLink: followsLink, onProgress: onProgress)
    }

    /// Copies a file into this directory under a name that must not be taken by other contents; as
    /// ``placeMedia(from:to:expectedSHA256:expectedSize:)``, without a path below.
    package func placeFile(
        from source: FilePath, as name: FilePath.Component, expectedSHA256: String? = nil,
        expectedSize: Int64? = nil, followsLink: Bool = true,
        onProgress: ((Int64, Int64) throws(Errno) -> Void)? = nil
    ) throws -> MediaPlacement {
        let original = try explaining("open", source) { () throws(Errno) in
            try OpenFile(source, O_RDONLY | O_NONBLOCK | (followsLink ? 0 : O_NOFOLLOW))
        }
        let status = try original.regularStatus(at: source)
        let passes = CopyProgress(size: status.identity.size, onProgress: onProgress)
        let expected = ExpectedMedia(
            sha256: try expectedSHA256?.lowercased()
                ?? explaining("read", source) { () throws(Errno) in
                    try original.sha256(onProgress: passes.pass(0))
                },
            size: expectedSize ?? status.identity.size)
        guard status.identity.size == expected.size else {
            throw FileError(
                .verificationFailed,
                "has \(status.identity.size) bytes and should have \(expected.size)", path: source,
                cure: "let the transfer finish, or transfer the file again")
        }
        if let present = try alreadyPlaced(name, expected, passes) { return present }

        var temporary = try TemporaryFile(TemporaryFile.mediaName, in: self, permissions: 0o666)
        try temporary.fill(from: original, at: source, status.identity, expected, passes)
        do throws(Errno) { try temporary.placeAsNew(name) } catch {
            if error == .fileExists, let present = try alreadyPlaced(name, expected, passes) {
                return present
            }
            throw FileError("rename the copy to", path(of: name), error)
        }
        return try explaining("make durable", path(of: name)) { () throws(Errno) in
            try sync()
            return .placed(try temporary.file.status().identity)
        }
    }

    /// The names on the way to a file below `media/`.
    ///
    /// - Parameter session: The session's directory, for the message.
    /// - Throws: ``FileError`` with `.invalidData` for a path to which no session can have a file written.
    package static func mediaNames(
        of path: FilePath, in session: FilePath? = nil
    ) throws -> [FilePath.Component] {
        let names = Array(path.components)
        guard path.isRelative, names.count > 1, names[0] == "media",
            names.allSatisfy({ $0.kind == .regular })
        else {
            throw FileError(
                .invalidData, "media path '\(path.escaped)' does not have the form media/NAME", path: session,
                cure: "use a path below media/ without . and ..")
        }
        guard names.allSatisfy({ $0.bytes.count <= Int(NAME_MAX) }) else {
            throw FileError(
                .invalidData, "media path '\(path.escaped)' has a name of more than \(NAME_MAX) bytes",
                path: session, cure: "use a shorter one")
        }
        return names
    }

    /// Makes the directory at `path`, and those above it, where they are missing; durable on return.
    ///
    /// - Throws: ``FileError`` with `.permissionDenied`, `.diskFull`, `.readOnly` or `.io`.
    package static func make(_ path: FilePath) throws {
        if (try? OpenDirectory(path)) != nil { return }
        guard let name = path.lastComponent else { return }
        try make(path.containingDirectory)
        _ = try OpenDirectory(path.containingDirectory).madeDirectory(name)
    }

    /// The directory called `name` in this one, made and made durable if it is missing.
    private func madeDirectory(_ name: FilePath.Component) throws -> OpenDirectory {
        try explaining("create the directory", path(of: name)) { () throws(Errno) in
            do throws(Errno) {
                _ = try withDescriptor { descriptor throws(Errno) in
                    try retrying { name.withPlatformString { mkdirat(descriptor, $0, 0o777) } }
                }
                share(directory: name)
            } catch {
                if error == .fileExists { return }
                throw error
            }
            try sync()
        }
        return try openDirectory(name)
    }

    /// - Returns: Nil if there is nothing of this name.
    /// - Throws: ``FileError`` with `.alreadyExists` if its contents are others.
    private func alreadyPlaced(
        _ name: FilePath.Component, _ expected: ExpectedMedia, _ passes: CopyProgress
    ) throws -> MediaPlacement? {
        guard let status = try statusIfPresent(of: name, followingLinks: false) else { return nil }
        try status.requireRegularFile(at: path(of: name))
        guard status.identity.size == expected.size,
            try sha256(ofUnlinked: name, onProgress: passes.pass(2)) == expected.sha256
        else {
            throw FileError(
                .alreadyExists, "already exists, with different contents", path: path(of: name),
                cure: "move the existing file away, or give the new one another name")
        }
        // It may be the work of a run that was killed before it got to this.
        try makeDurable(name)
        return .alreadyThere(status.identity)
    }
}

extension TemporaryFile {
    /// Copies the source, makes the copy durable and checks both the copy and that the source held still.
    fileprivate borrowing func fill(
        from source: borrowing OpenFile, at path: FilePath, _ before: FileIdentity,
        _ expected: ExpectedMedia, _ passes: CopyProgress
    ) throws {
        let copied: Int64
        do throws(Errno) {
            try directory.reach(.write, name)
            copied = try file.copyAll(from: source, onProgress: passes.pass(1))
            try directory.reach(.sync, name)
            try file.sync()
        } catch { throw FileError("write the copy", directory.path(of: name), error) }
        let after: FileIdentity
        let sha256: String
        do throws(Errno) {
            try directory.reach(.verify, name)
            after = try source.status().identity
            sha256 = try file.sha256(onProgress: passes.pass(2))
        } catch { throw FileError("read back the copy", directory.path(of: name), error) }
        // The link count, and with it the change time, may have moved; the contents not.
        guard after.hasSameContents(as: before) else {
            throw FileError(
                .changedMeanwhile, "changed while it was copied", path: path,
                cure: "let the transfer finish, then try again")
        }
        guard copied == expected.size, sha256 == expected.sha256 else {
            throw FileError(
                .verificationFailed,
                "has the SHA-256 \(sha256) and should have '\(expected.sha256)'", path: path,
                cure: "let the transfer finish, or transfer the file again")
        }
    }
}
