internal import Glibc
internal import SystemPackage

extension OpenFile {
    /// Copies everything from the start of `source` to the start of this empty file, inside the kernel where
    /// it can (on btrfs, XFS and NFS without moving the bytes at all), else through a buffer.
    ///
    /// - Parameter onProgress: Gets how many bytes have been copied; what it throws ends the copying. If there is one, the
    ///   bytes are also written out as they are copied, so that the `sync` that follows, which can't be ended, has little left
    ///   to do.
    /// - Returns: How many bytes that were.
    ///
    /// Source: copy_file_range(2), "ERRORS" and "BUGS".
    func copyAll(
        from source: borrowing OpenFile, onProgress: ((Int64) throws(Errno) -> Void)? = nil
    ) throws(Errno) -> Int64 {
        var copied: Int64 = 0
        var writing = WritebackPacer(descriptor)
        let piece = onProgress == nil ? 1 << 30 : Int(WritebackPacer.piece)
        if let copyFileRange = GNUCall.copyFileRange {
            do throws(Errno) {
                while true {
                    var from = copied
                    var to = copied
                    // Sound: the two offsets outlive the call; the kernel moves them and not the descriptors'
                    // positions.
                    let count = try retrying {
                        copyFileRange(source.descriptor, &from, descriptor, &to, piece, 0)
                    }
                    if count == 0 { break }
                    copied += Int64(count)
                    if let onProgress {
                        try writing.advance(to: copied)
                        try onProgress(copied)
                    }
                }
            } catch {
                guard [EXDEV, EINVAL, ENOSYS, EOPNOTSUPP, EPERM, EBADF].contains(error.rawValue) else {
                    throw error
                }
            }
        }
        // Also after a seeming end: some file systems answer 0 if they should refuse.
        return try copyThroughBuffer(from: source, beginningAt: copied, &writing, onProgress)
    }

    private func copyThroughBuffer(
        from source: borrowing OpenFile, beginningAt start: Int64, _ writing: inout WritebackPacer,
        _ onProgress: ((Int64) throws(Errno) -> Void)?
    ) throws(Errno) -> Int64 {
        var copied = start
        _ = try retrying { lseek(descriptor, off_t(start), SEEK_SET) }
        try source.readPieces(from: start) { piece, offset throws(Errno) in
            try writeAll(piece)
            copied = offset + Int64(piece.count)
            if let onProgress {
                try writing.advance(to: copied)
                try onProgress(copied)
            }
        }
        return copied
    }
}

/// Starts writeback of a file while it is being written, one piece at a time, so that what is not on the disk yet is never more
/// than two pieces.
///
/// This does not make the file durable: `sync` does.
///
/// Source: sync_file_range(2).
private struct WritebackPacer {
    /// Small enough that a slow disk has it within a second, in bytes.
    static let piece: Int64 = 8 << 20

    private let descriptor: Int32
    /// Everything before this is on the disk.
    private var done: Int64 = 0
    /// Writeback has been started for everything before this.
    private var begun: Int64 = 0

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// - Parameter end: What is before is written to the file.
    /// - Throws: What the disk refused; final, as of ``OpenFile/sync()``, which would not tell it once more.
    mutating func advance(to end: Int64) throws(Errno) {
        guard end - begun >= Self.piece, let syncFileRange = GNUCall.syncFileRange else { return }
        do throws(Errno) {
            _ = try retrying { syncFileRange(descriptor, begun, end - begun, Self.begin) }
            // No bytes would mean all of them.
            if begun > done {
                _ = try retrying { syncFileRange(descriptor, done, begun - done, Self.finish) }
            }
        } catch {
            // A file system or a sandbox that does not offer it.
            guard [EINVAL, ENOSYS, EOPNOTSUPP, EPERM, ESPIPE].contains(error.rawValue) else { throw error }
        }
        (done, begun) = (begun, end)
    }

    // SYNC_FILE_RANGE_WRITE, and that with the two that wait (linux/fs.h).
    private static let begin: UInt32 = 2
    private static let finish: UInt32 = 1 | 2 | 4
}
