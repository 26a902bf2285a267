import FormatHarness
import RecordFormat
import TestSupport
import Testing
import TraceFormat

struct RecordStreamTests {
    /// What a stream handed out.
    private struct Output: Equatable {
        var records: [RecordSummary] = []
        var findings: [Finding] = []
    }

    /// Reads bytes as (the rest of) a file.
    private func read(
        _ kind: RecordKind, _ bytes: [UInt8], from start: RecordStream.ResumePoint = .start,
        isSettled: Bool = true,
        isWhole: Bool = true, sizes: () -> Int = { .max }
    ) throws -> (output: Output, resumePoint: RecordStream.ResumePoint) {
        var output = Output()
        let stream = try RecordStream(.of(kind), from: start, isSettled: isSettled) {
            output.records.append($0)
        } onFinding: {
            output.findings.append($0)
        }
        try stream.read(bytes, sizes: sizes)
        if isWhole { try stream.finish() }
        return (output, stream.resumePoint)
    }

    private static let id = "01KGN6Z5BM0000000000000005"

    private static func marker(_ offset: Int, _ more: String = "") -> String {
        #"{"id":"\#(id)","offset_ms":\#(offset),"created_at":"2026-02-04T20:00:00Z","source":"user"\#(more)}"#
    }

    private static func segment(_ offset: Int) -> String {
        #"{"id":"\#(id)","offset_ms":\#(offset),"duration_ms":1,"text":"x"}"#
    }

    /// Good lines, bad lines, blank lines, and a torn one.
    private static let mixed = Array(
        (segment(0) + "\n\n" + segment(5) + "\r\n{\"id\":1}\n  \t\n" + segment(3) + "\n[]\n\u{0}\u{0}\n"
            + segment(9) + "\n"
            + segment(4) + "\n{\"id\":\"").utf8)

    @Test func `records are handed out with what stands in them`() throws {
        let text = Self.marker(
            1500,
            #","label":"a\u00e9","note":"n","tags":["x","y-z"],"duration_ms":2e2,"voice_note_id":"ZZZZZZZZZZZZZZZZZZZZZZZZZZ""#
        )
        let (output, _) = try read(.marker, Array("\n\(text)\r\n".utf8))
        #expect(output.findings.isEmpty)
        let record = try #require(output.records.first)
        #expect(record.kind == .marker)
        #expect(record.line == 2)
        #expect(record.byteOffset == 1)
        #expect(record.byteLength == text.utf8.count)
        #expect(record.id == ULID(Self.id))
        #expect(record.offset == SessionOffset(milliseconds: 1500))
        #expect(record.duration == SessionOffset(milliseconds: 200))
        #expect(record.createdAt == Timestamp("2026-02-04T20:00:00Z"))
        #expect(record.reference == ULID("ZZZZZZZZZZZZZZZZZZZZZZZZZZ"))
        #expect(record.text == "aé")
        #expect(record.note == "n")
        #expect(record.tags == ["x", "y-z"])
        #expect(record.detail == nil)
        #expect(record.mediaPath == nil)
    }

    @Test(
        arguments: [
            (RecordKind.timeline, nil, "session_start", nil, nil),
            (.voiceNote, "again", nil, nil, "media/note.m4a"),
            (.transcript, "once more", nil, nil, nil), (.action, "summarize", "started", nil, nil),
        ] as [(RecordKind, String?, String?, String?, String?)])
    func `each kind gives its own text`(
        kind: RecordKind, text: String?, detail: String?, note: String?, path: String?
    ) throws {
        let record = try #require(
            read(kind, SessionFiles.valid.tree.files[kind.fileName] ?? []).output.records.first)
        #expect(record.kind == kind.entryKind)
        #expect(record.text == text)
        #expect(record.detail == detail)
        #expect(record.note == note)
        #expect(record.mediaPath == path)
    }

    @Test func `byte offset and length cut the line out of the file`() throws {
        let lines = [
            Self.marker(1), "", "x", Self.marker(2, #","label":"ü""#), " " + Self.marker(3) + " ",
            Self.marker(4),
        ]
        let bytes = Array(lines.joined(separator: "\r\n").utf8) + [0x0A]
        let (output, _) = try read(.marker, bytes)
        let cut = output.records.map { Array(bytes[$0.byteOffset..<($0.byteOffset + $0.byteLength)]).text }
        #expect(cut == [lines[0], lines[3], lines[4], lines[5]])
        #expect(output.records.map(\.line) == [1, 4, 5, 6])
    }

    @Test func `broken lines do not hide the others`() throws {
        let (output, _) = try read(.transcript, Self.mixed)
        #expect(output.records.map(\.offset?.milliseconds) == [0, 5, nil, 3, 9, 4])
        #expect(
            Set(output.findings.map(\.rule.id)) == [
                "type-mismatch", "key-missing", "transcript-order", "not-an-object", "nul-bytes", "line-torn",
            ])
    }

    @Test(arguments: Array(UInt64(1)...6)) func `however the bytes arrive, the result is the same`(
        seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed)
        let whole = try read(.transcript, Self.mixed)
        let largest = Int.random(in: 1...200, using: &random)
        let pieces = try read(.transcript, Self.mixed) { .random(in: 1...largest, using: &random) }
        #expect(pieces.output == whole.output)
        #expect(pieces.resumePoint == whole.resumePoint)
    }

    @Test func `reading in two parts, wherever they are cut, equals reading at once`() throws {
        let whole = try read(.transcript, Self.mixed)
        for cut in 0...Self.mixed.count {
            let first = try read(.transcript, Array(Self.mixed[..<cut]), isWhole: false)
            let second = try read(
                .transcript, Array(Self.mixed[first.resumePoint.byteOffset...]), from: first.resumePoint)
            #expect(first.output.records + second.output.records == whole.output.records, "cut at \(cut)")
            #expect(first.output.findings + second.output.findings == whole.output.findings, "cut at \(cut)")
            #expect(second.resumePoint == whole.resumePoint, "cut at \(cut)")
        }
    }

    @Test func `order counts over a resumption`() throws {
        let first = try read(.transcript, Array((Self.segment(10) + "\n").utf8))
        #expect(first.resumePoint.lastOffset == SessionOffset(milliseconds: 10))
        let second = try read(.transcript, Array((Self.segment(9) + "\n").utf8), from: first.resumePoint)
        let place = "transcript.jsonl:2 (byte \(first.resumePoint.byteOffset))"
        #expect(
            second.output.findings.map(\.description) == [
                "\(place): offset_ms 9 is less than 10 in the record before it [transcript-order]"
            ])
    }

    @Test(
        arguments: [
            (RecordKind.marker, []), (.voiceNote, []), (.action, []), (.transcript, ["transcript-order"]),
            (.timeline, ["timeline-order"]),
        ] as [(RecordKind, [String])])
    func `order counts in timelines and transcripts only`(kind: RecordKind, rules: [String]) throws {
        let lines = "{\"offset_ms\":5}\n{\"offset_ms\":5}\n{\"offset_ms\":4}\n{\"x\":0}\n{\"offset_ms\":4}\n"
        let findings = try read(kind, Array(lines.utf8)).output.findings
        #expect(findings.map(\.rule.id).filter { $0.hasSuffix("-order") } == rules)
    }

    @Test func `an unfinished last line is no record yet, and is read again once it is whole`() throws {
        let line = Array(Self.marker(1).utf8)
        let unfinished = try read(.marker, line)
        #expect(unfinished.output.records.isEmpty)
        #expect(unfinished.output.findings.map(\.rule.id) == ["newline-missing"])
        #expect(unfinished.resumePoint == .start)
        #expect(try read(.marker, line + [0x0A], from: unfinished.resumePoint).output.records.count == 1)
    }

    @Test(arguments: [(true, "line-torn"), (false, "line-in-transit")])
    func `a torn last line is in transit until the file has settled`(isSettled: Bool, rule: String) throws {
        let (output, resumePoint) = try read(
            .marker, Array((Self.marker(1) + "\n{\"id\":\"01K").utf8), isSettled: isSettled)
        #expect(output.findings.map(\.rule.id) == [rule])
        #expect(resumePoint.lineNumber == 2)
    }

    @Test(arguments: ["", "\n", "\r\n", "\n\n \t\n", "   "]) func `a file of nothing has nothing wrong`(
        text: String
    ) throws {
        let (output, resumePoint) = try read(.marker, Array(text.utf8))
        #expect(output == Output())
        #expect(resumePoint.byteOffset == (Array(text.utf8).lastIndex(of: 0x0A).map { $0 + 1 } ?? 0))
    }

    @Test func `a line that is too long is a finding and the next is read`() throws {
        let long = [UInt8](repeating: 0x20, count: LineBuffer.maximumLineLength + 1) + [0x0A]
        let (output, resumePoint) = try read(.marker, long + Array(Self.marker(1).utf8) + [0x0A])
        #expect(
            output.findings.map(\.description) == [
                "markers.jsonl:1 (byte 0): the line is longer than any record [line-too-long]"
            ])
        #expect(output.records.map(\.byteOffset) == [long.count])
        #expect(resumePoint.lineNumber == 3)
    }

    @Test func `a hundred thousand records come and go`() throws {
        var count = 0
        let stream = try RecordStream(.marker) { _ in
            count += 1
        } onFinding: {
            Issue.record("\($0)")
        }
        let block = Array(String(repeating: Self.marker(7) + "\n", count: 1000).utf8)
        for _ in 0..<100 { try stream.read(block) }
        try stream.finish()
        #expect(count == 100_000)
        #expect(stream.resumePoint.byteOffset == block.count * 100)
    }

    @Test func `what a closure throws ends the reading`() throws {
        struct Stop: Error {}
        let stream = try RecordStream(.marker) { _ in
            throw Stop()
        } onFinding: { _ in
        }
        #expect(throws: Stop.self) { try stream.read(Array((Self.marker(1) + "\n").utf8)) }
        #expect(stream.resumePoint == .start)
    }
}
