internal import RecordFormat
internal import TraceFiles

/// Reads one part of a file of lines, by a thread of its own.
protocol PartReader: SendableMetatype {
    /// What is found in the part.
    associatedtype Product: Sendable

    /// Memory for the next bytes of the part.
    func space() -> UnsafeMutableRawBufferPointer
    /// Takes the bytes that have been written into ``space()``.
    func filled(_ count: Int) throws
    /// Ends the part; `isEndOfFile` says whether the file ends here, so that a last line without line break is read.
    func finish(isEndOfFile: Bool) throws -> Product
}

extension SegmentReader: PartReader {}

/// Reads a file of lines in parts, on all cores where it is long; memory does not grow with the file.
struct PartReading<Reader: PartReader>: Sendable {
    let file: OpenRegularFile
    /// How many bytes a part has, more or less: it ends with a line.
    var partSize = 1 << 20
    /// Makes the reader of a part that begins at that byte of the file.
    let makeReader: @Sendable (_ start: Int) throws -> Reader

    /// The outcome of a part.
    private enum Part: Sendable {
        case read(Reader.Product)
        /// The part could not be read to its end; it says why.
        case broken(Reader.Product, FileError)
    }

    /// Hands out what is found in the parts, in the file's order.
    ///
    /// - Returns: Why the file could not be read to its end, or nil.
    func run(_ take: (Reader.Product) throws -> Void) throws -> FileError? {
        let (whole, rest) = Int(file.identity.size).quotientAndRemainder(dividingBy: partSize)
        let count = max(1, whole + (rest > 0 ? 1 : 0))
        var failure: FileError?
        try OrderedWork.run(count) { index in
            try part(index, isLast: index == count - 1)
        } take: { part in
            // What follows bytes that can't be read has no line number.
            guard failure == nil else { return }
            switch part {
            case .read(let product): try take(product)
            case .broken(let product, let error):
                failure = error
                try take(product)
            }
        }
        return failure
    }

    private func part(_ index: Int, isLast: Bool) throws -> Part {
        let lower = index * partSize
        // What was appended after the file was opened belongs to the last part.
        let upper = isLast ? Int.max : lower + partSize
        var start: Int? = 0
        var failure: FileError?
        do { start = try lower == 0 ? 0 : lineBreak(from: lower - 1, to: upper - 1).map { $0 + 1 } } catch let
            error as FileError
        {
            failure = error
            start = nil
        }
        let reader = try makeReader(start ?? lower)
        guard let start else {
            let product = try reader.finish(isEndOfFile: false)
            return failure.map { .broken(product, $0) } ?? .read(product)
        }
        let isEndOfFile: Bool
        (isEndOfFile, failure) = try feed(reader, start..<upper)
        let product = try reader.finish(isEndOfFile: isEndOfFile)
        return failure.map { .broken(product, $0) } ?? .read(product)
    }

    /// Feeds the lines that begin in the range.
    ///
    /// - Returns: Whether the file ended before the last of them did, and why it can't be read further, or nil.
    private func feed(_ reader: Reader, _ range: Range<Int>) throws -> (isEndOfFile: Bool, FileError?) {
        var isEndOfFile = true
        let failure = try file.readPieces(from: Int64(range.lowerBound)) { offset in
            guard isEndOfFile else { return UnsafeMutableRawBufferPointer(start: nil, count: 0) }
            let space = reader.space()
            // A little more than the range, for the line that begins in it and ends behind it.
            let rest = min(space.count, max(0, range.upperBound - Int(offset)))
            return UnsafeMutableRawBufferPointer(rebasing: space[..<min(space.count, rest + Self.lookahead)])
        } _: { piece, offset in
            let last = max(0, range.upperBound - 1 - Int(offset))
            let end = last < piece.count ? piece[last...].firstIndex(of: newline) : nil
            isEndOfFile = end == nil
            try reader.filled(end.map { $0 + 1 } ?? piece.count)
        }
        return (isEndOfFile, failure.map(file.unreadable))
    }

    private static var lookahead: Int { 4096 }

    /// Where the first line break of a range stands, or nil.
    private func lineBreak(from start: Int, to end: Int) throws -> Int? {
        try withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
            var found: Int?
            let failure = try file.readPieces(from: Int64(start)) { offset in
                let wanted = found == nil ? min(buffer.count, end - Int(offset)) : 0
                return UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
            } _: { piece, offset in
                found = piece.firstIndex(of: newline).map { Int(offset) + $0 }
            }
            if let failure { throw file.unreadable(failure) }
            return found
        }
    }
}
