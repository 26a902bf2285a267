internal import Glibc
internal import SystemPackage

extension OpenFile {
    /// Copies everything from the start of `source` to the start of this empty file, inside the kernel where
    /// it can (on btrfs, XFS and NFS without moving the bytes at all), else through a buffer.
    ///
    /// - Parameter onProgress: Gets how many bytes have been copied; what it throws ends the copying.
    /// - Returns: How many bytes that were.
    ///
    /// Source: copy_file_range(2), "ERRORS" and "BUGS".
    func copyAll(
        from source: borrowing OpenFile, onProgress: ((Int64) throws(Errno) -> Void)? = nil
    ) throws(Errno) -> Int64 {
        var copied: Int64 = 0
        // Small enough that progress is seen, and an end is asked for in time.
        let piece = onProgress == nil ? 1 << 30 : 32 << 20
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
                    try onProgress?(copied)
                }
            } catch {
                guard [EXDEV, EINVAL, ENOSYS, EOPNOTSUPP, EPERM, EBADF].contains(error.rawValue) else {
                    throw error
                }
            }
        }
        // Also after a seeming end: some file systems answer 0 where they should refuse.
        return try copyThroughBuffer(from: source, beginningAt: copied, onProgress)
    }

    private func copyThroughBuffer(
        from source: borrowing OpenFile, beginningAt start: Int64,
        _ onProgress: ((Int64) throws(Errno) -> Void)?
    ) throws(Errno) -> Int64 {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 4096)
        defer { buffer.deallocate() }
        var copied = start
        _ = try retrying { lseek(descriptor, off_t(start), SEEK_SET) }
        while true {
            let count = try source.read(into: buffer, at: copied)
            if count == 0 { return copied }
            // Sound: `read` has filled the first `count` bytes.
            try writeAll(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            copied += Int64(count)
            try onProgress?(copied)
        }
    }
}
