package import RecordFormat

/// The lines of a file of records where they are in its bytes, blank ones left out.
package struct RecordLines: Sendable {
    package let bytes: [UInt8]
    package private(set) var lines: [RecordLine] = []

    /// Reads a file; a byte order mark in front belongs to no line.
    ///
    /// - Parameter file: The file name in findings.
    /// - Throws: ``FormatError`` with `.memory`.
    package init(_ bytes: [UInt8], kind: RecordKind, file: String? = nil) throws(FormatError) {
        self.bytes = bytes
        let start = RepairWording.lengthOfByteOrderMark(bytes)
        let reader = try Reader(kind, file: file)
        let buffer = LineBuffer(fileOffset: start, chunk: min(bytes.count, 256 << 10))
        var rest = bytes[start...]
        while !rest.isEmpty {
            let space = buffer.space(atLeast: min(rest.count, 64 << 10))
            let piece = rest.prefix(space.count)
            space.copyBytes(from: piece)
            buffer.filled(piece.count)
            rest = rest.dropFirst(piece.count)
            while let line = buffer.next() { add(line, reader) }
        }
        if let line = buffer.last() { add(line, reader) }
    }

    private mutating func add(_ line: Line, _ reader: Reader) {
        guard !line.isBlank || line.ending == .tooLong else { return }
        var range = line.offset..<(line.offset + line.content.count)
        var isFinished = line.ending == .lineBreak
        if line.ending == .tooLong {
            let end = bytes[line.offset...].firstIndex(of: 0x0A)
            range = line.offset..<(end ?? bytes.count)
            isFinished = end != nil
        }
        lines.append(RecordLine(range: range, isFinished: isFinished, content: reader.content(of: line)))
    }

    /// The bytes of a line, without its break.
    package func text(of line: RecordLine) -> ArraySlice<UInt8> { bytes[line.range] }

    /// Distinguishes records from damage.
    private final class Reader {
        private let checker: RecordChecker
        private let summarizer: RecordSummarizer

        init(_ kind: RecordKind, file: String?) throws(FormatError) {
            checker = try RecordChecker(kind, file: file)
            summarizer = RecordSummarizer(.of(kind))
        }

        func content(of line: Line) -> RecordLine.Content {
            var found: Finding?
            var isMisspelled = false
            let record = checker.check(line) { finding in
                found = finding
                isMisspelled = isMisspelled || finding.isMisspelling
            }
            guard let record else {
                let place = Finding.Place(file: "", line: line.number, byteOffset: line.offset)
                return .damage(found ?? Finding(.jsonSyntax, at: place, "this is not JSON"))
            }
            let summary = summarizer.summary(of: record, on: line)
            return .record(
                RecordLine.Facts(
                    id: summary.id, offset: summary.offset, createdAt: summary.createdAt,
                    detail: summary.detail, isMisspelled: isMisspelled))
        }
    }
}

/// A line of a file of records.
package struct RecordLine: Sendable {
    /// Its bytes, without the break.
    package let range: Range<Int>
    /// Whether it has a break.
    package let isFinished: Bool
    let content: Content

    enum Content: Sendable {
        /// A JSON object, whatever else may be wrong with it.
        case record(Facts)
        /// Anything else, and why; rare, so that it is elsewhere and makes no line larger.
        indirect case damage(Finding)
    }

    /// The facts that determine the order of lines.
    package struct Facts: Sendable {
        /// Nil if the line has no valid id.
        package let id: ULID?
        let offset: SessionOffset?
        let createdAt: Timestamp?
        /// A timeline entry's kind, or an action run's status.
        package let detail: String?
        /// Whether it holds a time or an id that is not written as the format asks for.
        let isMisspelled: Bool
    }

    package var facts: Facts? {
        if case .record(let facts) = content { facts } else { nil }
    }
}
