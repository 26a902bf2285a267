import RecordFormat
import Testing
import TraceFormat

/// What `trace explain` shows before and after, as the checker sees it.
struct RuleCorrectionTests {
    /// Rules that no line breaks which could be shown.
    static let withoutLine: Set = [
        "file-missing", "file-unreadable", "file-empty", "byte-order-mark", "json-too-deep", "not-utf8",
        "nul-bytes", "line-in-transit", "newline-missing", "line-too-long", "media-missing", "conflict-copy",
        "record-file-name",
    ]

    @Test func `every rule that a line can break has one`() {
        #expect(Set(Rule.all.filter { $0.correction == nil }.map(\.id)) == Self.withoutLine)
    }

    @Test(arguments: Rule.all.filter { $0.correction != nil }.map(\.id))
    func `the first breaks the rule and no other, the second breaks none`(id: String) throws {
        let correction = try #require(Rule.named(id)?.correction)
        let isClosed =
            id == "offset-beyond-end"
            || (correction.before + correction.after).contains { $0.contains("session_end") }
        func findings(_ lines: [String]) throws -> [String] {
            try Self.session(correction.file, lines, isClosed: isClosed, isTorn: id == "line-torn")
                .findings().map(\.rule.id)
        }
        #expect(Set(try findings(correction.before)) == [id])
        #expect(try findings(correction.after) == [])
    }

    /// A session in order with these lines at the end of a file, or as the whole timeline, or with these members in
    /// `session.json`.
    private static func session(
        _ kind: RecordKind, _ lines: [String], isClosed: Bool, isTorn: Bool
    ) throws -> SessionFiles {
        var session = SessionFiles(FileTree())
        let text = lines.map { $0 + "\n" }.joined()
        let members = kind == .session ? lines.joined(separator: ",") : ""
        let saysClosed = isClosed || members.contains("closed")
        session["session.json"] = header(members, isClosed: isClosed)
        session["timeline.jsonl"] = kind == .timeline ? text : start + (saysClosed ? end : "")
        session["markers.jsonl"] = marker + (kind == .marker ? text : "")
        session["voice_notes.jsonl"] = voiceNote + (kind == .voiceNote ? text : "")
        session["transcript.jsonl"] = kind == .transcript ? text : ""
        session["digest.md"] = "# Set\n"
        session["media/note.m4a"] = "sound"
        session["note.m4a"] = "sound"
        if isTorn, lines.last?.hasSuffix("}") == false {
            session["markers.jsonl"] = session["markers.jsonl"].map { String($0.dropLast()) }
        }
        return session
    }

    private static func header(_ members: String, isClosed: Bool) -> String {
        let usual: [(name: String, value: String)] = [
            ("id", #""01KGNQZP00000000000000000A""#), ("created_at", #""2026-02-04T20:00:00.000Z""#),
            ("updated_at", #""2026-02-04T20:00:00.000Z""#),
            ("status", isClosed ? #""closed""# : #""active""#),
            ("start_time", #""2026-02-04T20:00:00.000Z""#), ("timeline_path", #""timeline.jsonl""#),
            ("markers_path", #""markers.jsonl""#), ("transcript_path", #""transcript.jsonl""#),
            ("voice_notes_path", #""voice_notes.jsonl""#), ("digest_path", #""digest.md""#), ("media", "[]"),
        ]
        let ended = isClosed ? [("end_time", #""2026-02-04T20:10:00.000Z""#), ("duration_ms", "600000")] : []
        let others = (usual + ended).filter { !members.contains("\"\($0.name)\":") }
        let all = others.map { "\"\($0.name)\":\($0.value)" } + (members.isEmpty ? [] : [members])
        return "{\(all.joined(separator: ","))}\n"
    }

    private static let start = """
        {"id":"01KGNQZP00000000000000000C","kind":"session_start","offset_ms":0,"wall_time":"2026-02-04T20:00:00.000Z",\
        "created_at":"2026-02-04T20:00:00.000Z","source":"system"}

        """
    private static let end = """
        {"id":"01KGNQZP00000000000000000Z","kind":"session_end","offset_ms":600000,"wall_time":"2026-02-04T20:10:00.000Z",\
        "created_at":"2026-02-04T20:10:00.000Z","source":"system"}

        """
    private static let marker = """
        {"id":"01KGNQZP00000000000000000Y","offset_ms":1,"created_at":"2026-02-04T20:00:00.001Z","source":"user"}

        """
    private static let voiceNote = """
        {"id":"01KGNQZP00000000000000000E","created_at":"2026-02-04T20:00:02.000Z","media_path":"media/note.m4a",\
        "offset_ms":2000,"duration_ms":900}

        """
}
