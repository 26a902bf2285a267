internal import Glibc
package import SystemPackage

/// An owned file descriptor, closed at the end of its life.
///
/// The errors of `close` are not looked at: everything that must be durable was synced before, with its
/// errors.
package struct OpenFile: ~Copyable, Sendable {
    package let descriptor: Int32

    /// Opens `name` relative to a directory, always with O_CLOEXEC.
    ///
    /// - Parameter permissions: For a file that is created here; the process's umask is taken off.
    init(_ name: FilePath.Component, inside directory: Int32, _ flags: Int32, permissions: UInt32 = 0)
        throws(Errno)
    {
        descriptor = try retrying {
            name.withPlatformString { openat(directory, $0, flags | O_CLOEXEC, mode_t(permissions)) }
        }
    }

    /// Opens `path`, always with O_CLOEXEC.
    package init(_ path: FilePath, _ flags: Int32) throws(Errno) {
        descriptor = try retrying { path.withPlatformString { open($0, flags | O_CLOEXEC) } }
    }

    /// Takes over a descriptor that nobody else closes.
    package init(adopting descriptor: Int32) { self.descriptor = descriptor }

    deinit { _ = close(descriptor) }

    package func status() throws(Errno) -> FileStatus {
        try FileStatus(ofDescriptor: descriptor)
    }

    /// What the kernel knows of it, if it is a regular file: of a device or a pipe that has come in the place of one, reading
    /// would find no end.
    ///
    /// - Throws: ``FileError`` with `.notRegularFile` or `.io`.
    package func regularStatus(at path: @autoclosure () -> FilePath) throws -> FileStatus {
        let found = try explaining("read the status", path()) { () throws(Errno) in try status() }
        try found.requireRegularFile(at: path())
        return found
    }

    /// Reads until the buffer is full or the file ends, and says how many bytes that were.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(Errno) -> Int {
        var filled = 0
        while filled < buffer.count {
            // Sound: the rebased rest is within the buffer that the caller lends for this call.
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = try retrying {
                pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(filled))
            }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// How much room behind the bytes of a file is kept free.
    private static let spare = 64

    /// Up to `count` bytes from `offset`; fewer where the file ends.
    package func bytes(at offset: Int64, count: Int) throws(Errno) -> [UInt8] {
        var failure: Errno?
        // With room for readers that look a little further than the bytes go, which then need no copy.
        let bytes = [UInt8](unsafeUninitializedCapacity: count + Self.spare) { buffer, initialized in
            // Sound: `read` writes exactly as many bytes as it says, from the start of the buffer.
            do throws(Errno) {
                let wanted = UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count])
                initialized = try read(into: wanted, at: offset)
            } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Whether these bytes are at `offset`; they are compared piece by piece.
    func holds(_ expected: [UInt8], at offset: Int64) throws(Errno) -> Bool {
        var equal = 0
        try readPieces(from: offset, to: offset + Int64(expected.count)) { piece, position in
            let start = Int(position - offset)
            if piece.elementsEqual(expected[start..<start + piece.count]) { equal += piece.count }
        }
        return equal == expected.count
    }

    /// One `write`, which may take fewer bytes than it is given.
    package func writeOnce(_ bytes: [UInt8]) throws(Errno) -> Int {
        // Sound: the array lends its elements for the length of the call, and the kernel only reads them.
        let count = try retrying {
            bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        }
        WriteCounts.noteWrite(of: count)
        return count
    }

    /// Writes until everything is written.
    func writeAll(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
        var done = 0
        while done < bytes.count {
            // Sound: the rebased rest is within the buffer that the caller lends for this call.
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = try retrying { Glibc.write(descriptor, rest.baseAddress, rest.count) }
            WriteCounts.noteWrite(of: count)
            done += count
        }
    }

    /// Where the next `write` of this descriptor would go; after an O_APPEND write, the end of what it wrote.
    func position() throws(Errno) -> Int64 {
        Int64(try retrying { lseek(descriptor, 0, SEEK_CUR) })
    }

    /// Cuts it off, or fills it up with zeros.
    package func truncate(to length: Int64) throws(Errno) {
        _ = try retrying { ftruncate(descriptor, off_t(length)) }
    }

    /// Makes bytes and attributes durable. A failure is final: the kernel drops the pages that it could not
    /// write, and a second `fsync` would find nothing to complain about (fsync(2), "ERRORS").
    package func sync() throws(Errno) {
        try WriteCounts.timing { () throws(Errno) in _ = try retrying { fsync(descriptor) } }
    }

    /// Makes the bytes, and the size that leads to them, durable; final like ``sync()``.
    package func syncData() throws(Errno) {
        try WriteCounts.timing { () throws(Errno) in _ = try retrying { fdatasync(descriptor) } }
    }

    /// Takes the exclusive `flock`, without waiting.
    ///
    /// - Returns: Whether it was free.
    package func tryLock() throws(Errno) -> Bool { try tryFlock(descriptor) }
}

/// Takes the exclusive `flock` of an open file description, without waiting.
///
/// - Returns: Whether it was free.
func tryFlock(_ descriptor: Int32) throws(Errno) -> Bool {
    do throws(Errno) {
        _ = try retrying { flock(descriptor, LOCK_EX | LOCK_NB) }
        return true
    } catch {
        if error == .wouldBlock { return false }
        throw error
    }
}

extension Errno {
    /// Whether this is how a file system says that it has no `flock` for what was opened: FUSE and 9p answer
    /// that it is not supported, NFS that its lock manager is away or that a lock needs a descriptor open for
    /// writing.
    ///
    /// Source: flock(2), "NFS details".
    var meansNoLocking: Bool {
        [Glibc.EOPNOTSUPP, Glibc.ENOLCK, Glibc.EINVAL, Glibc.EBADF, Glibc.ENOSYS].contains(rawValue)
    }
}
