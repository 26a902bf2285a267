internal import Glibc
package import SystemPackage
internal import TraceText

/// A file's bytes and the state of the file that they belong to.
package struct FileContents: Sendable {
    /// The bytes.
    package var contents: [UInt8]
    /// The file as it was when they were read.
    package var identity: FileIdentity

    /// Contents from their parts.
    package init(contents: [UInt8], identity: FileIdentity) {
        self.contents = contents
        self.identity = identity
    }
}

/// A regular file that is open for reading: the same file for as long as it lives, whatever happens to its
/// name.
package final class OpenRegularFile: Sendable {
    /// The path by which it was found, for messages.
    package let path: FilePath
    /// The file as it was when it was opened.
    package let identity: FileIdentity

    private let file: OpenFile

    fileprivate init(path: FilePath, file: consuming OpenFile, identity: FileIdentity) {
        self.path = path
        self.file = file
        self.identity = identity
    }

    /// Reads until the buffer is full or the file ends.
    ///
    /// - Returns: How many bytes were read: fewer than the buffer takes only at the end of the file.
    /// - Throws: ``FileError`` with `.io`.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        try explaining("read", path) { () throws(Errno) in try file.read(into: buffer, at: offset) }
    }

    /// Up to `count` bytes from an offset; fewer where the file ends.
    ///
    /// - Throws: ``FileError`` with `.io`.
    package func bytes(at offset: Int64, count: Int) throws -> [UInt8] {
        try explaining("read", path) { () throws(Errno) in try file.bytes(at: offset, count: count) }
    }

    /// The bytes of a range that the file was seen to have.
    ///
    /// - Throws: ``FileError`` with `.io`, or `.changedMeanwhile` if the file is shorter than that.
    package func slice(at offset: Int, count: Int) throws -> [UInt8] {
        let bytes = try bytes(at: Int64(offset), count: count)
        guard bytes.count == count else { throw shrunk }
        return bytes
    }

    /// That it has become shorter than it was.
    package var shrunk: FileError {
        FileError(.changedMeanwhile, "became shorter while it was read", path: path)
    }

    /// Reads on from an offset, one piece after the other, until the file ends.
    ///
    /// - Parameters:
    ///   - space: Memory for the piece that begins at an offset. None ends the reading.
    ///   - take: Gets each piece, never an empty one, and its offset; it is in the memory that was lent for it.
    /// - Returns: Why the rest can't be read (``unreadable(_:)``), or nil. It is not thrown, so as not to be taken for a failure of `take`.
    /// - Throws: What `take` throws.
    package func readPieces(
        from start: Int64, into space: (Int64) -> UnsafeMutableRawBufferPointer,
        _ take: (UnsafeRawBufferPointer, Int64) throws -> Void
    ) throws -> Errno? {
        try file.readPieces(from: start, into: space, take)
    }

    /// What the kernel's refusal to read it means.
    package func unreadable(_ cause: Errno) -> FileError { FileError("read", path, cause) }

    /// Hands out all of it, in pieces that are read one after the other.
    ///
    /// - Throws: ``FileError`` with `.io`; what `take` throws.
    package func forEachPiece(of size: Int = 1 << 20, _ take: ([UInt8]) throws -> Void) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 4096)
        defer { buffer.deallocate() }
        let failure = try readPieces(from: 0, into: { _ in buffer }, { piece, _ in try take(Array(piece)) })
        if let failure { throw unreadable(failure) }
    }

    /// The file as it is now; compared with ``identity``, it says whether it changed while it was read.
    ///
    /// - Throws: ``FileError`` with `.io`.
    package func currentIdentity() throws -> FileIdentity {
        try explaining("read the status", path) { () throws(Errno) in try file.status().identity }
    }
}

extension OpenDirectory {
    /// Opens a file for reading. A symbolic link is followed, unless that is not wanted (`.leavesSession`).
    ///
    /// - Returns: Nil if there is no such file.
    /// - Throws: ``FileError`` with `.permissionDenied`, `.tooManyOpenFiles` or `.notRegularFile`; a pipe is
    ///   refused without waiting for its writer.
    package func openRegularFile(
        _ name: FilePath.Component, followsLink: Bool = true
    ) throws -> OpenRegularFile? {
        let place = followsLink ? try finalPlace(of: name) : FilePlace(directory: self, name: name)
        let file: OpenFile
        do throws(Errno) {
            file = try place.directory.openFile(place.name, O_RDONLY | O_NONBLOCK)
        } catch {
            if error == .noSuchFileOrDirectory { return nil }
            throw FileError("open", place.path, error)
        }
        let identity = try file.regularStatus(at: place.path).identity
        return OpenRegularFile(path: place.path, file: file, identity: identity)
    }

    /// Reads a whole file, as it was at one moment. A symbolic link is followed, unless that is not wanted (`.leavesSession`).
    ///
    /// The identity is taken before and after the read; while the two differ, the file is read again, with
    /// growing pauses for 40 ms in all, so that neither half of an edit is taken for the whole.
    ///
    /// - Parameter limit: The most bytes to read.
    /// - Returns: Nil if there is no such file.
    /// - Throws: ``FileError`` with `.permissionDenied`, `.notRegularFile` (a pipe is refused without
    ///   waiting for its writer), `.invalidData` if the file is longer than the limit, `.changedMeanwhile` if
    ///   it never rests.
    package func readFile(
        _ name: FilePath.Component, limit: Int64 = 64 << 20, followsLink: Bool = true
    ) throws -> FileContents? {
        var retry = RetryDeadline(timeout: .milliseconds(40))
        repeat {
            // Opened again each time: a file renamed over this one is what the name now means.
            guard let file = try openRegularFile(name, followsLink: followsLink) else { return nil }
            let size = file.identity.size
            guard size <= limit else {
                throw FileError(
                    .invalidData, "has \(size) bytes, more than the limit of \(limit)",
                    path: file.path, cure: "check that this is the right file")
            }
            // One byte more than there should be, to see a file that grew.
            let bytes = try file.bytes(at: 0, count: Int(size) + 1)
            try explaining("read", file.path) { () throws(Errno) in try reach(.verify, name) }
            if try file.currentIdentity() == file.identity, bytes.count == Int(size) {
                return FileContents(contents: bytes, identity: file.identity)
            }
        } while retry.pause()
        throw FileError(
            .changedMeanwhile, "kept changing while it was read", path: path(of: name),
            cure: "wait until the program that writes it has finished, then try again")
    }
}
