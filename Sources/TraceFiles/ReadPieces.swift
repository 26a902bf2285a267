internal import Glibc
internal import SystemPackage

/// What is read of a file at a time where nothing else asks for more or less, in bytes.
private let pieceSize = 256 << 10

extension OpenFile {
    /// Reads on from an offset, one piece after the other, until the file ends. Each loop over the contents of a file is
    /// this one.
    ///
    /// - Parameters:
    ///   - space: Memory for the piece that begins at an offset. None ends the reading.
    ///   - take: Gets each piece, never an empty one, and its offset; it is in the memory that was lent for it.
    /// - Returns: Why the rest can't be read, or nil. It is not thrown, so as not to be taken for a failure of `take`.
    func readPieces<Failure: Error>(
        from start: Int64, into space: (Int64) -> UnsafeMutableRawBufferPointer,
        _ take: (UnsafeRawBufferPointer, Int64) throws(Failure) -> Void
    ) throws(Failure) -> Errno? {
        var offset = start
        while true {
            let space = space(offset)
            let count: Int
            do throws(Errno) { count = try read(into: space, at: offset) } catch { return error }
            // Sound: `read` has filled the first `count` bytes.
            if count > 0 { try take(UnsafeRawBufferPointer(rebasing: space[..<count]), offset) }
            // Nothing was wanted, or the file has ended.
            if count < max(1, space.count) { return nil }
            offset += Int64(count)
        }
    }

    /// As above, into memory of its own and up to an offset.
    ///
    /// - Complexity: O(bytes) in time, 256 KiB in memory.
    func readPieces(
        from start: Int64 = 0, to end: Int64 = .max,
        _ take: (UnsafeRawBufferPointer, Int64) throws(Errno) -> Void
    ) throws(Errno) {
        let size = Int(min(Int64(pieceSize), max(0, end - start)))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 4096)
        defer { buffer.deallocate() }
        let failure = try readPieces(from: start) { offset in
            UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(min(Int64(size), max(0, end - offset)))])
        } _: { piece, offset throws(Errno) in
            try take(piece, offset)
        }
        if let failure { throw failure }
    }
}
