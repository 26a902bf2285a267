internal import SystemPackage
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// Reads standard input.
enum StandardInput {
    /// All of it.
    ///
    /// - Throws: ``FileError`` with `.invalidData` if it is longer than `limit` bytes; `Errno` if it can't be read.
    static func all(limit: Int) throws -> [UInt8] {
        var text: [UInt8] = []
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 1)
        defer { chunk.deallocate() }
        // Sound: the array copies what it is given.
        try readPieces(into: { chunk }) { piece in
            text.append(contentsOf: piece)
            guard text.count <= limit else {
                throw FileError(
                    .invalidData, "standard input has more than the limit of \(limit) bytes",
                    cure: "split it into smaller parts")
            }
        }
        return text
    }

    /// Hands out what comes, as it comes: of a pipe, a read gets what there is, and there are no offsets to read at.
    ///
    /// - Throws: `Errno` if standard input can't be read; what `take` throws.
    static func readPieces(
        into space: () -> UnsafeMutableRawBufferPointer, _ take: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        while true {
            let space = space()
            let count = try FileDescriptor.standardInput.read(into: space)
            if count == 0 { return }
            // Sound: `read` has filled the first `count` bytes.
            try take(UnsafeRawBufferPointer(rebasing: space[..<count]))
        }
    }
}

extension CommandContext {
    /// The bytes of a file that is named on the command line; `-` is standard input.
    ///
    /// - Throws: ``FileError`` with `.notFound`, or `.invalidData` if it is longer than `limit` bytes.
    func contents(ofFile named: String, limit: Int64) throws -> [UInt8] {
        if named == "-" { return try StandardInput.all(limit: Int(limit)) }
        let path = absolute(FilePath(argument: named))
        guard let name = path.lastComponent,
            let read = try OpenDirectory(path.removingLastComponent()).readFile(name, limit: limit)
        else { throw FileError("open", path, .noSuchFileOrDirectory) }
        return read.contents
    }
}
