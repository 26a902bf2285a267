import RecordFormat
import SystemPackage
import Testing
import TraceFormat

@testable import TraceIndex

/// What the index answers.
@Suite struct QuestionTests {
    private let scratch: Scratch
    private let folder: SessionFolder
    private let index: JournalIndex

    init() throws {
        scratch = try Scratch()
        folder = try scratch.session()
        index = try scratch.index()
        try folder.append(
            SessionFolder.marker(
                1, at: 5000, more: #","tags":["highlight","b"],"label":"Loud","note":"n","duration_ms":9"#)
                + SessionFolder.marker(2, at: 1000, more: #","tags":["structure"]"#)
                + SessionFolder.marker(3, at: 5000)
                + SessionFolder.marker(2, at: 7000, more: #","tags":["highlight"]"#)
                + "{\"id\":\"broken\",\"offset_ms\":100}\n")
        try folder.append(SessionFolder.action(9) + SessionFolder.action(9, "failed"), to: "actions.jsonl")
        _ = try index.reconcile(journal: folder.path, in: scratch.root)
    }

    private func offset(_ milliseconds: Int64) -> SessionOffset { SessionOffset(milliseconds: milliseconds) }

    @Test func `markers come by offset, then by line, and only the last line of an id counts`() throws {
        let markers = try index.records(of: folder.path, kind: .marker)
        #expect(markers.map(\.line) == [1, 3, 4])
        let first = try #require(markers.first)
        #expect(first.tags == ["highlight", "b"])
        #expect(first.text == "Loud" && first.note == "n" && first.duration == offset(9))
        #expect(first.wallTime?.description == "2026-02-04T19:00:05.000Z")
        #expect(first.file == folder.file("markers.jsonl"))
        let all = try index.records(of: folder.path, kind: .marker, authoritativeOnly: false)
        #expect(all.map(\.line) == [5, 2, 1, 3, 4])
        #expect(all.map(\.isAuthoritative) == [false, false, true, true, true])
    }

    @Test func `a window, a tag and a limit narrow the answer`() throws {
        func lines(_ offsets: ClosedRange<Int64>? = nil, tag: String? = nil, limit: Int? = nil) throws
            -> [Int]
        {
            let window = offsets.map { offset($0.lowerBound)...offset($0.upperBound) }
            return try index.records(of: folder.path, kind: .marker, offsets: window, tag: tag, limit: limit)
                .map(\.line)
        }
        #expect(try lines(5000...5000) == [1, 3])
        #expect(try lines(5001...Int64.max) == [4])
        #expect(try lines(tag: "highlight") == [1, 4])
        #expect(try lines(0...6000, tag: "highlight") == [1])
        #expect(try lines(tag: "none") == [])
        #expect(try lines(limit: 2) == [1, 3])
    }

    @Test func `all kinds come in one order`() throws {
        let records = try index.records(of: folder.path)
        #expect(records.map(\.kind) == [.action, .timeline, .marker, .marker, .marker])
        #expect(records.first?.detail == "failed" && records.first?.text == "transcribe")
    }

    @Test func `the last marker is the one that stands last in the file`() throws {
        #expect(try index.lastMarker(of: folder.path)?.line == 4)
        let empty = try scratch.session("empty")
        _ = try index.reconcile(journal: empty.path, in: nil)
        #expect(try index.lastMarker(of: empty.path) == nil)
    }

    @Test func `a session that is not there is an error where records are asked for, and nil where it is`()
        throws
    {
        #expect(code { try index.records(of: "/none") } == .noSuchSession)
        #expect(code { try index.lastMarker(of: "/none") } == .noSuchSession)
        #expect(try index.session(at: "/none") == nil)
        #expect(try index.findings(of: "/none").isEmpty)
        #expect(try !index.isCurrent(session: "/none"))
    }

    @Test func `sessions are listed, the latest first, and found by the beginning of their id`() throws {
        let later = try scratch.session("later")
        try later.write(
            SessionFolder.header(
                id: "01ARZ3NDEKTSV4RRFFQ69G5FZZ", startTime: "2026-03-04T19:00:00Z",
                more: #""status":"closed","end_time":"2026-03-04T19:01:00Z","duration_ms":60000"#),
            to: "session.json")
        let broken = try scratch.session("broken")
        try broken.write("{}", to: "session.json")
        for session in [later, broken] { _ = try index.reconcile(journal: session.path, in: scratch.root) }

        let sessions = try index.sessions()
        #expect(sessions.map(\.path) == [later.path, folder.path, broken.path])
        #expect(sessions[1].counts == [.timeline: 1, .marker: 3, .action: 1])
        #expect(sessions[1].findingCounts[.error] == 3)
        #expect(sessions[0].duration == offset(60_000) && sessions[0].endTime != nil)
        #expect(sessions[0].displayTitle == "Late set" && sessions[0].root == scratch.root)
        #expect(try index.sessions(status: .active).map(\.path) == [folder.path])
        #expect(try index.sessions(withIDPrefix: "01arz").map(\.path) == [later.path, folder.path])
        #expect(try index.sessions(withIDPrefix: "01ARZ3NDEKTSV4RRFFQ69G5FZ").map(\.path) == [later.path])
        #expect(try index.sessions(withIDPrefix: "").count == 2)
        #expect(try index.sessions(withIDPrefix: "%").isEmpty)
    }

    @Test func `two directories with one id are two sessions`() throws {
        let copy = try scratch.session("copy")
        _ = try index.reconcile(journal: copy.path, in: nil)
        #expect(try index.sessions(withIDPrefix: "01ARZ3NDEKTSV4RRFFQ69G5FAA").count == 2)
    }

    @Test func `findings come by session and place, and by severity`() throws {
        let findings = try index.findings()
        #expect(findings.allSatisfy { $0.session == folder.path })
        #expect(findings.map(\.finding) == JournalLayout.session.sorted(findings.map(\.finding)))
        #expect(try index.findings(severity: .warning).isEmpty)
        #expect(try index.findings(of: folder.path, severity: .error) == findings)
        #expect(try findings.count == index.session(at: folder.path)?.findingCounts[.error])
    }

    @Test func `a line is sliced out of the file, and only while it is that record`() throws {
        let record = try #require(try index.records(of: folder.path, kind: .marker).first)
        #expect(try index.line(of: record).starts(with: Array("{\"id\":\"01ARZ3NDEKTSV4000000000001\"".utf8)))
        let file = folder.file("markers.jsonl")
        let text = String(decoding: file.contents ?? [], as: UTF8.self)

        try file.write(text.replacing("V4000000000001", with: "V4000000000007").utf8)
        #expect(code { try index.line(of: record) } == .stale)
        try file.write(text.replacing("Loud", with: "Lou").utf8)
        #expect(code { try index.line(of: record) } == .stale)
        try file.write(text.prefix(20).utf8)
        #expect(code { try index.line(of: record) } == .stale)
        try file.unlink()
        #expect(code { try index.line(of: record) } == .stale)
        try file.write(text.utf8)
        #expect(try index.line(of: record).count == record.byteLength)
    }

    @Test func `lines with CRLF and a byte order mark are sliced whole`() throws {
        let line = SessionFolder.marker(5).dropLast()
        try folder.write(
            "\u{FEFF}\(line)\r\n\r\n\(SessionFolder.marker(6).dropLast())\r\n", to: "markers.jsonl")
        _ = try index.reconcile(journal: folder.path, in: scratch.root)
        let records = try index.records(of: folder.path, kind: .marker)
        #expect(records.map(\.line) == [1, 3])
        #expect(try records.map { try index.line(of: $0).count } == [line.utf8.count + 3, line.utf8.count])
    }

    @Test func `the view for people reads as it should`() throws {
        let rows = try index.database.read { database in
            try database.query(
                "SELECT kind, line, wall_ms, tags FROM records WHERE kind = 'marker' AND line = 1"
            )
            .map { [$0.text(0), $0.text(1), $0.text(2), $0.text(3)] }
        }
        #expect(rows == [["marker", "1", "1770231605000", "highlight b"]])
    }
}
