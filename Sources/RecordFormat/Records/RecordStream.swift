/// Turns the bytes of one JSONL file into records and findings, in one pass and in constant memory.
///
/// Bytes go into ``space`` and are announced with ``filled(_:)``; ``finish()`` ends the file.
package final class RecordStream {
    /// Where reading of an append-only file can resume.
    package struct ResumePoint: Sendable, Equatable {
        /// Bytes from the start of the file to the end of its last complete line.
        package var byteOffset = 0
        /// The number of the line that begins there.
        package var lineNumber = 1
        /// The last offset that was seen, which the next must not fall below where order counts.
        package var lastOffset: SessionOffset?

        /// The start of a file.
        package static let start = ResumePoint()

        package init(byteOffset: Int = 0, lineNumber: Int = 1, lastOffset: SessionOffset? = nil) {
            self.byteOffset = byteOffset
            self.lineNumber = lineNumber
            self.lastOffset = lastOffset
        }
    }

    /// Where reading can continue when the file has grown.
    package private(set) var resumePoint: ResumePoint

    private let schema: RecordSchema
    private let isInOrder: Bool
    private let buffer: LineBuffer
    private let checker: RecordChecker
    private let summarizer: RecordSummarizer
    private let onLine: (CheckedLine) throws -> Void
    private let onFinding: (Finding) throws -> Void

    /// - Parameters:
    ///   - isSettled: Whether a last line without newline has rested long enough to count as torn.
    ///   - strictness: How strictly lines are checked.
    ///   - onLine: Is called for every complete line that holds an object, in file order.
    /// - Throws: ``FormatError`` with `.memory`.
    package init(
        linesOf schema: RecordSchema, from start: ResumePoint = .start, isSettled: Bool = true,
        strictness: RecordChecker.Strictness = .full,
        onLine: @escaping (CheckedLine) throws -> Void, onFinding: @escaping (Finding) throws -> Void
    ) throws(FormatError) {
        self.schema = schema
        isInOrder = schema.order != nil
        self.onLine = onLine
        self.onFinding = onFinding
        resumePoint = start
        buffer = LineBuffer(fileOffset: start.byteOffset, lineNumber: start.lineNumber)
        checker = try RecordChecker(schema: schema, isSettled: isSettled, strictness: strictness)
        summarizer = RecordSummarizer(schema)
    }

    /// As above, for those who want all that a record holds.
    package convenience init(
        _ schema: RecordSchema, from start: ResumePoint = .start, isSettled: Bool = true,
        onRecord: @escaping (RecordSummary) throws -> Void, onFinding: @escaping (Finding) throws -> Void
    ) throws(FormatError) {
        try self.init(
            linesOf: schema, from: start, isSettled: isSettled, onLine: { try onRecord($0.summary) },
            onFinding: onFinding)
    }

    /// Memory for the next bytes of the file.
    package func space() -> UnsafeMutableRawBufferPointer { buffer.space() }

    /// Takes the bytes that have been written into ``space()``.
    package func filled(_ count: Int) throws {
        buffer.filled(count)
        while let line = buffer.next() { try read(line) }
        resumePoint.byteOffset = buffer.nextLineOffset
        resumePoint.lineNumber = buffer.nextLineNumber
    }

    /// Takes what stands after the last newline, once the file has ended.
    package func finish() throws {
        guard let line = buffer.last(), !line.isBlank else { return }
        try read(line)
    }

    /// Reports a finding of the reader of the file, in order with those of the lines.
    package func report(_ finding: Finding) throws { try onFinding(finding) }

    private func read(_ line: Line) throws {
        if line.ending == .lineBreak, line.isBlank { return }
        var findings: [Finding] = []
        let record = checker.check(line) { findings.append($0) }
        if line.ending == .lineBreak, let record {
            let checked = CheckedLine(line: line, record: record, summarizer: summarizer)
            if isInOrder, let finding = orderFinding(checked) { findings.append(finding) }
            try onLine(checked)
        }
        for finding in findings { try onFinding(finding) }
    }

    private func orderFinding(_ line: CheckedLine) -> Finding? {
        guard let offset = line.offset else { return nil }
        defer { resumePoint.lastOffset = offset }
        guard let previous = resumePoint.lastOffset else { return nil }
        return Finding(order: offset, after: previous, at: line.place(in: schema.fileName), schema.order)
    }
}

extension Finding {
    /// What is wrong with the order of two records that follow each other, or nil.
    ///
    /// - Parameter rule: That of their order; nil if there is none.
    init?(order offset: SessionOffset, after previous: SessionOffset, at place: Place, _ rule: Rule?) {
        guard let rule, offset < previous else { return nil }
        self.init(
            rule, at: place,
            "offset_ms \(offset.milliseconds) is less than \(previous.milliseconds) in the record before it")
    }
}
