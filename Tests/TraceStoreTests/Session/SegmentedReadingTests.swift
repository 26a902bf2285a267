import FileHarness
import RecordFormat
import SystemPackage
import Testing
import TraceFiles

@testable import TraceFormat
@testable import TraceStore

/// A file that is read in parts gives what it gives when it is read in one piece.
struct SegmentedReadingTests {
    let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    private static func segment(_ id: Int, _ offset: Int, _ text: String = "x") -> String {
        let digits = String(id)
        let ulid = String(repeating: "0", count: 26 - digits.count) + digits
        return #"{"id":"\#(ulid)","offset_ms":\#(offset),"duration_ms":1,"text":"\#(text)"}"#
    }

    static let texts: [String] = [
        "", "\n", "\n\n\n", segment(1, 0), segment(1, 0) + "\n",
        // Good and bad lines, one that is longer than a part, order that breaks at any seam, ids that come
        // again.
        "\u{FEFF}" + segment(1, 5) + "\n" + segment(2, 4) + "\r\n\n[]\n"
            + segment(3, 9, String(repeating: "y", count: 300))
            + "\n" + segment(1, 2) + "\n{\"id\":1,\"more\":2}\n\u{0}\n" + segment(4, 1) + "\n" + segment(5, 0)
            + "\n{\"torn",
        "\u{FEFF}\n" + segment(1, 0) + "\n  \t" + segment(2, 0) + "\n\n",
    ]

    @Test(arguments: texts.indices, [1, 2, 3, 7, 64, 100, 1000])
    func `parts of any size give what the whole gives`(text: Int, partSize: Int) throws {
        try check(Self.texts[text], partSize)
    }

    @Test func `a seam may lie on any byte`() throws {
        let text = Self.segment(1, 5) + "\n" + Self.segment(2, 4) + "\n" + Self.segment(3, 3) + "\n"
        for partSize in 1...text.utf8.count + 1 { try check(text, partSize) }
    }

    @Test func `many small parts come in order`() throws {
        let text = (0..<2000).map { Self.segment($0 % 1500, $0 % 7) + "\n" }.joined()
        try check(text, 997)
    }

    @Test func `what was appended after the file was opened is read too`() throws {
        try scratch("transcript.jsonl").write(Self.segment(1, 0) + "\n")
        let session = try SessionReader(scratch.path, settleTime: .zero)
        let file = try #require(try session.directory.openRegularFile(RecordKind.transcript.component))
        try scratch("transcript.jsonl").write(Self.segment(1, 0) + "\n" + Self.segment(2, 0) + "\n")
        #expect(try read(file, 10).facts.counts == [.transcript: 2])
    }

    @Test func `a file that has become shorter ends where it ends`() throws {
        let text = (0..<50).map { Self.segment($0, 0) + "\n" }.joined()
        try scratch("transcript.jsonl").write(text)
        let session = try SessionReader(scratch.path, settleTime: .zero)
        let file = try #require(try session.directory.openRegularFile(RecordKind.transcript.component))
        try scratch("transcript.jsonl").write(Self.segment(1, 0) + "\n{\"to")
        let result = try read(file, 100)
        #expect(result.facts.counts == [.transcript: 1])
        #expect(result.findings.map(\.rule) == [.lineTorn])
    }

    // MARK: -

    private func read(
        _ file: OpenRegularFile, _ partSize: Int
    ) throws -> (facts: SessionFactsBuilder, findings: [Finding]) {
        var builder = SessionFactsBuilder(session: Session())
        var findings: [Finding] = []
        var reading = SegmentedReading(
            file: file, kind: .transcript, isSettled: true, interest: builder.interest)
        reading.partSize = partSize
        let failure = try reading.run { segment in
            builder.add(segment)
            findings += segment.findings
        }
        #expect(failure == nil)
        return (builder, JournalLayout.session.sorted(findings))
    }

    private func check(_ text: String, _ partSize: Int) throws {
        try scratch("transcript.jsonl").write(text)
        let session = try SessionReader(scratch.path, settleTime: .zero)
        let file = try #require(try session.directory.openRegularFile(RecordKind.transcript.component))
        let parts = try read(file, partSize)
        let whole = Whole()
        _ = try session.read(.transcript) {
            whole.builder.add($0)
        } onFinding: {
            whole.findings.append($0)
        }
        #expect(parts.findings == JournalLayout.session.sorted(whole.findings), "parts of \(partSize)")
        #expect(parts.facts.counts == whole.builder.counts)
        let nothing = SessionFacts.Directory()
        #expect(
            parts.facts.finish(directory: nothing).findings()
                == whole.builder.finish(directory: nothing).findings())
    }

    private final class Whole {
        var builder = SessionFactsBuilder(session: Session())
        var findings: [Finding] = []
    }
}
