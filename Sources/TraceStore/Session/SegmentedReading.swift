internal import TraceFormat

/// Checks a file of records in parts, on all cores where it is long; memory does not grow with the file.
struct SegmentedReading: Sendable {
    let file: OpenRegularFile
    let kind: RecordKind
    let isSettled: Bool
    let interest: RecordInterest
    /// How many bytes a part has, more or less: it ends with a line.
    var partSize = 1 << 20

    /// What became of a part.
    private enum Part: Sendable {
        case read(RecordSegment)
        /// The part could not be read to its end; it tells why.
        case broken(RecordSegment, StoreError)
    }

    /// Hands out the parts in the file's order, with their lines numbered.
    ///
    /// - Returns: Why the file could not be read to its end, or nil.
    func run(_ take: (RecordSegment) throws -> Void) throws -> StoreError? {
        let (whole, rest) = Int(file.identity.size).quotientAndRemainder(dividingBy: partSize)
        let count = max(1, whole + (rest > 0 ? 1 : 0))
        var join = SegmentJoin()
        var failure: StoreError?
        try OrderedWork.run(count) { index in
            try part(index, isLast: index == count - 1)
        } take: { part in
            // What lies behind bytes that can't be read has no line number.
            guard failure == nil else { return }
            var segment: RecordSegment
            switch part {
            case .read(let read): segment = read
            case .broken(let read, let error): (segment, failure) = (read, error)
            }
            join.place(&segment)
            try take(segment)
        }
        return failure
    }

    private func part(_ index: Int, isLast: Bool) throws -> Part {
        let lower = index * partSize
        // What was appended after the file was opened belongs to the last part.
        let upper = isLast ? Int.max : lower + partSize
        var start: Int? = 0
        var failure: StoreError?
        do { start = try lower == 0 ? 0 : lineBreak(from: lower - 1, to: upper - 1).map { $0 + 1 } } catch let
            error as StoreError
        {
            failure = error
            start = nil
        }
        let reader = try SegmentReader(kind, from: start ?? lower, isSettled: isSettled, interest: interest)
        guard let start else {
            let segment = try reader.finish(isEndOfFile: false)
            return failure.map { .broken(segment, $0) } ?? .read(segment)
        }
        do {
            let isEndOfFile = try feed(reader, start..<upper)
            return .read(try reader.finish(isEndOfFile: isEndOfFile))
        } catch let error as StoreError {
            return .broken(try reader.finish(isEndOfFile: true), error)
        }
    }

    /// Feeds the lines that begin in the range.
    ///
    /// - Returns: Whether the file ended before the last of them did.
    private func feed(_ reader: SegmentReader, _ range: Range<Int>) throws -> Bool {
        var offset = range.lowerBound
        while true {
            let space = reader.space()
            // A little more than the range, for the line that begins in it and ends behind it.
            let rest = max(0, range.upperBound - offset)
            let wanted = rest < space.count ? min(space.count, rest + Self.overhang) : space.count
            let piece = UnsafeMutableRawBufferPointer(rebasing: space[..<wanted])
            let count = try file.read(into: piece, at: Int64(offset))
            let last = max(0, range.upperBound - 1 - offset)
            if last < count, let end = piece[last..<count].firstIndex(of: newline) {
                try reader.filled(end + 1)
                return false
            }
            try reader.filled(count)
            if count < wanted { return true }
            offset += count
        }
    }

    private static let overhang = 4096

    /// Where the first line break of a range stands, or nil.
    private func lineBreak(from start: Int, to end: Int) throws -> Int? {
        try withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
            var offset = start
            while offset < end {
                let wanted = UnsafeMutableRawBufferPointer(
                    rebasing: buffer[..<min(buffer.count, end - offset)])
                let count = try file.read(into: wanted, at: Int64(offset))
                if let found = wanted[..<count].firstIndex(of: newline) { return offset + found }
                if count < wanted.count { return nil }
                offset += count
            }
            return nil
        }
    }
}
