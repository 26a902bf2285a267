internal import RecordFormat
internal import TraceFormat

/// The reader of files of records, and what repair does to their ends.
struct LineFuzzing {
    private let kind: RecordKind
    private let isSettled: Bool
    /// In how large pieces the file comes the second time, and where it is cut the third time.
    private let piece: Int
    private let bytes: [UInt8]

    init(_ input: [UInt8]) {
        let choice = Int(input.first ?? 0)
        kind = RecordKind.lines[choice % RecordKind.lines.count]
        isSettled = choice / RecordKind.lines.count % 2 == 0
        piece = 1 + choice / (RecordKind.lines.count * 2)
        bytes = Array(input.dropFirst())
    }

    func check() throws {
        let whole = try reading(in: bytes.count)
        let places = PlaceCheck(bytes)
        for record in whole.records { try places.requireWholeLine(record) }
        for finding in whole.findings { try places.require(finding) }
        let lines = zip(whole.records, whole.records.dropFirst())
        try require(lines.allSatisfy { $0.line < $1.line }, "records out of order")
        try require(
            try reading(in: piece) == whole,
            "in pieces of \(piece) bytes the file reads otherwise than as a whole")
        try requireResumable(whole)
        try requireMendable()
    }

    /// What reading finds.
    private struct Reading: Equatable {
        var records: [RecordSummary] = []
        var findings: [Finding] = []
        var end = RecordStream.ResumePoint.start
    }

    private func reading(in piece: Int) throws -> Reading {
        try reading(bytes[...], in: piece, from: .start, isEnd: true)
    }

    private func reading(
        _ bytes: ArraySlice<UInt8>, in piece: Int, from start: RecordStream.ResumePoint, isEnd: Bool
    ) throws -> Reading {
        let found = Found()
        let stream = try RecordStream(.of(kind), from: start, isSettled: isSettled) {
            found.reading.records.append($0)
        } onFinding: {
            found.reading.findings.append($0)
        }
        var rest = bytes
        while !rest.isEmpty {
            let space = stream.space()
            let next = rest.prefix(min(max(1, piece), space.count))
            space.copyBytes(from: next)
            rest = rest.dropFirst(next.count)
            try stream.filled(next.count)
        }
        if isEnd { try stream.finish() }
        found.reading.end = stream.resumePoint
        return found.reading
    }

    /// A class, since closures that outlive the call fill it.
    private final class Found {
        var reading = Reading()
    }

    /// A file that grew reads as one that was there from the start.
    private func requireResumable(_ whole: Reading) throws {
        let cut = min(bytes.count, piece * 8)
        var reading = try reading(bytes[..<cut], in: piece, from: .start, isEnd: false)
        let rest = try self.reading(
            bytes[reading.end.byteOffset...], in: bytes.count, from: reading.end, isEnd: true)
        reading.records += rest.records
        reading.findings += rest.findings
        reading.end = rest.end
        try require(
            reading == whole, "cut at \(cut) and gone on with, the file reads otherwise than as a whole")
    }

    /// What repair makes of a file needs no repair, and has every record that the file has.
    private func requireMendable() throws {
        let lines = try RecordLines(bytes, kind: kind)
        for line in lines.lines {
            try require(!lines.text(of: line).contains(0x0A), "a line of repair holds a line break")
        }
        let fix = try FileEndFix(bytes, of: kind, isSettled: isSettled)
        try require(
            fix.fixes.isEmpty == (fix.bytes == bytes),
            "a mend that changes nothing, or a change that is none")
        let again = try FileEndFix(fix.bytes, of: kind, isSettled: isSettled)
        try require(again.bytes == fix.bytes && again.isInTransit == fix.isInTransit, "a mend needs a mend")
        let fixed = try RecordLines(fix.bytes, kind: kind)
        try require(records(of: fixed) == records(of: lines), "a mend loses or changes a record")

        let ordered = try requireOrderly(fixed)
        try require(
            ordered.lines.count == fixed.lines.count, "a mend of values and of order loses or makes a line")

        let merge = try VersionMerge(kind, file: fix.bytes, copies: [(name: "copy", bytes: bytes)])
        let merged = try RecordLines(merge.bytes, kind: kind)
        try require(
            records(of: merged).sorted(by: <) == records(of: lines).sorted(by: <),
            "merging a file with itself loses a record")
        let repeated = try VersionMerge(kind, file: merge.bytes, copies: [(name: "copy", bytes: bytes)])
        try require(repeated.bytes == merge.bytes, "a second merge changes something")
    }

    /// Mends values and order; what comes of it needs no such mend.
    private func requireOrderly(_ lines: RecordLines) throws -> RecordLines {
        func fixed(_ lines: RecordLines) throws -> (lines: RecordLines, fixes: [Fix]) {
            var ids = IDCensus()
            let spelling = CanonicalizationFix(lines, of: kind)
            spelling.ask(&ids)
            spelling.count(in: &ids)
            spelling.count(lines, in: &ids)
            let spelled = spelling.fixed(knowing: ids)
            let order = OrderFix(try RecordLines(spelled.bytes, kind: kind), of: kind)
            return (try RecordLines(order.bytes, kind: kind), spelled.fixes + order.fixes)
        }
        let once = try fixed(lines)
        try require(
            once.fixes.isEmpty == (once.lines.bytes == lines.bytes),
            "a mend that changes nothing, or a change that is none")
        let again = try fixed(once.lines)
        try require(again.fixes.isEmpty && again.lines.bytes == once.lines.bytes, "a mend needs a mend")
        return once.lines
    }

    private func records(of lines: RecordLines) -> [String] {
        lines.lines.filter { $0.facts != nil }.map { String(decoding: lines.text(of: $0), as: UTF8.self) }
    }
}
