/// What was found in one part of a file of records: so little that a file of any size can be checked part by
/// part.
///
/// A part begins and ends at line breaks. Its lines are numbered as if the file began with it, until
/// ``SegmentJoin`` has put it in its place.
package struct RecordSegment: Sendable {
    fileprivate let schema: RecordSchema
    package var kind: EntryKind { schema.kind }
    package fileprivate(set) var findings: [Finding] = []
    package fileprivate(set) var entries: [Entry] = []
    /// The few records that others refer to, or that refer to others.
    package fileprivate(set) var notables: [RecordSummary] = []
    /// Its lines, by their numbers so far.
    fileprivate var lines = 0..<0
    /// The first offset that was seen, where, and the last.
    fileprivate var first: (offset: SessionOffset, place: Finding.Place)?
    fileprivate var lastOffset: SessionOffset?

    /// A record: its id and its place.
    package struct Entry: Sendable {
        package var id: ULID?
        package var line: Int
        package var byteOffset: Int
        /// Its place among ``notables``.
        package var notable: Int32?

        package init(id: ULID?, line: Int, byteOffset: Int) {
            self.id = id
            self.line = line
            self.byteOffset = byteOffset
        }
    }

    fileprivate init(_ schema: RecordSchema) { self.schema = schema }
}

/// Reads one part of a file of records; several parts can be read in parallel, each by its own thread.
package final class SegmentReader {
    private let stream: RecordStream
    private let collector: Collector
    private let firstLine: Int

    /// - Parameters:
    ///   - start: Where in the file the part begins.
    ///   - isSettled: Whether a last line without newline has rested long enough to count as torn.
    /// - Throws: ``FormatError`` with `.memory`.
    package init(
        _ schema: RecordSchema, from start: Int, isSettled: Bool, interest: RecordInterest
    ) throws(FormatError) {
        // Only the file's first line may have the number 1: a byte order mark is looked for there.
        firstLine = start == 0 ? 1 : 2
        let collector = Collector(schema, interest)
        self.collector = collector
        stream = try RecordStream(
            linesOf: schema, from: RecordStream.ResumePoint(byteOffset: start, lineNumber: firstLine),
            isSettled: isSettled, onLine: { collector.add($0) },
            onFinding: { collector.segment.findings.append($0) })
    }

    /// Memory for the next bytes of the part.
    package func space() -> UnsafeMutableRawBufferPointer { stream.space() }

    /// Takes the bytes that have been written into ``space()``.
    package func filled(_ count: Int) throws { try stream.filled(count) }

    /// Ends the part.
    ///
    /// - Parameter isEndOfFile: Whether the file ends here; what stands after the last line break is read
    ///   then.
    package func finish(isEndOfFile: Bool) throws -> RecordSegment {
        if isEndOfFile { try stream.finish() }
        collector.segment.lines = firstLine..<stream.resumePoint.lineNumber
        collector.segment.lastOffset = stream.resumePoint.lastOffset
        return collector.segment
    }

    /// Collects what the stream's closures receive.
    private final class Collector {
        var segment: RecordSegment
        private let interest: RecordInterest
        private let isInOrder: Bool

        init(_ schema: RecordSchema, _ interest: RecordInterest) {
            segment = RecordSegment(schema)
            self.interest = interest
            isInOrder = schema.order != nil
        }

        func add(_ line: CheckedLine) {
            let offset = line.offset
            if isInOrder, segment.first == nil, let offset {
                segment.first = (offset, line.place(in: segment.schema.fileName))
            }
            var entry = RecordSegment.Entry(
                id: line.id, line: line.line.number, byteOffset: line.line.offset)
            if interest.isNotable(segment.kind, offset: offset, hasReference: line.hasReference) {
                entry.notable = Int32(truncatingIfNeeded: segment.notables.count)
                segment.notables.append(line.summary)
            }
            segment.entries.append(entry)
        }
    }
}

/// Joins the parts of a file in order.
package struct SegmentJoin {
    private var nextLine = 1
    private var lastOffset: SessionOffset?

    package init() {}

    /// Gives the lines of the next part their numbers, and looks at the order across the seam.
    package mutating func place(_ segment: inout RecordSegment) {
        let shift = nextLine - segment.lines.lowerBound
        nextLine += segment.lines.count
        if shift != 0 { segment.shiftLines(by: shift) }
        if let first = segment.first, let lastOffset,
            let finding = Finding(
                order: first.offset, after: lastOffset, at: first.place, segment.schema.order)
        {
            segment.findings.append(finding)
        }
        lastOffset = segment.lastOffset ?? lastOffset
    }
}

extension RecordSegment {
    fileprivate mutating func shiftLines(by shift: Int) {
        for index in entries.indices { entries[index].line += shift }
        for index in notables.indices { notables[index].line += shift }
        for index in findings.indices where findings[index].place.line > 0 {
            findings[index].place.line += shift
        }
        first?.place.line += shift
    }
}
