internal import RecordFormat
internal import TraceFiles
internal import TraceFormat

/// Checks a file of records in parts, on all cores where it is long; memory does not grow with the file.
struct SegmentedReading: Sendable {
    let file: OpenRegularFile
    let kind: RecordKind
    let isSettled: Bool
    let interest: RecordInterest
    /// How many bytes a part has, more or less: it ends with a line.
    var partSize = 1 << 20

    /// Hands out the parts in the file's order, with their lines numbered.
    ///
    /// - Returns: Why the file could not be read to its end, or nil.
    func run(_ take: (RecordSegment) throws -> Void) throws -> FileError? {
        let reading = PartReading(file: file, partSize: partSize) { [kind, isSettled, interest] start in
            try SegmentReader(.of(kind), from: start, isSettled: isSettled, interest: interest)
        }
        var join = SegmentJoin()
        return try reading.run { segment in
            var segment = segment
            join.place(&segment)
            try take(segment)
        }
    }
}
