package import RecordFormat
internal import TraceText

/// Fixes both ends of a file of records: a byte order mark in front, and behind a last line that is torn or lacks its newline.
package struct FileEndFix: Sendable {
    /// The file as it is to be.
    package private(set) var bytes: [UInt8]
    package private(set) var fixes: [Fix] = []
    /// Whether the last line may still be in transit; then nothing must be done to the file.
    package private(set) var isInTransit = false

    /// - Parameter isSettled: Whether the file has rested long enough for an unfinished last line to count as
    ///   torn.
    /// - Throws: ``FormatError`` with `.memory`.
    package init(_ bytes: [UInt8], of kind: RecordKind, isSettled: Bool) throws(FormatError) {
        self.bytes = bytes
        fixEnd(try Self.lastLine(of: bytes, kind), kind, isSettled: isSettled)
        let mark = RepairWording.lengthOfByteOrderMark(bytes)
        guard mark > 0, !isInTransit else { return }
        self.bytes.removeFirst(mark)
        fixes.insert(
            Fix(.byteOrderMark, in: kind.fileName, "byte order mark at the start removed"), at: 0)
    }

    private mutating func fixEnd(_ last: RecordLine?, _ kind: RecordKind, isSettled: Bool) {
        guard let last, !last.isFinished else { return }
        switch last.content {
        case .record:
            bytes.append(0x0A)
            fixes.append(
                Fix(.missingNewline, in: kind.fileName, "missing newline added to the last line"))
        case .damage(let finding):
            // JSON that is not an object was not cut off while a record was written, and what has no end in sight is not a
            // line.
            guard finding.rule != .notAnObject, finding.rule != .lineTooLong else { return }
            guard isSettled else {
                isInTransit = true
                return
            }
            let count = counted(last.range.count, "byte")
            let reason =
                "torn last line (\(count) without a newline) set aside: \(finding.message)"
            fixes.append(Fix(.tornLine, in: kind.fileName, reason))
            bytes.removeSubrange(last.range)
        }
    }

    /// The last line that is not blank; only it is read.
    private static func lastLine(of bytes: [UInt8], _ kind: RecordKind) throws(FormatError) -> RecordLine? {
        guard let last = bytes.last, last != 0x0A else { return nil }
        let start = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? RepairWording.lengthOfByteOrderMark(bytes)
        guard let line = try RecordLines(Array(bytes[start...]), kind: kind).lines.last else { return nil }
        let range = (line.range.lowerBound + start)..<(line.range.upperBound + start)
        return RecordLine(range: range, isFinished: line.isFinished, content: line.content)
    }
}
