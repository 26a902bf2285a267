import Testing

struct SessionCloseTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// A session that begins in the future is over as soon as it ends: no test needs to know the time.
    private static let future = "2999-02-04T20:00:00.000Z"

    @Test(arguments: ["sessions/a", "sessions/a/", "./sessions/a", "sessions/../sessions/a"])
    func `the line names the directory as it was typed`(typed: String) throws {
        try scratch.session("a", start: Self.future)
        #expect(try scratch.trace("session", "close", typed) == Outcome("closed: \(typed) (duration 0ms)\n"))
    }

    @Test func `the end stands in the timeline and in session.json`() throws {
        try scratch.session("a", start: Self.future)
        let header = try scratch.text("sessions/a/session.json")
        let timeline = try scratch.text("sessions/a/timeline.jsonl")
        _ = try scratch.trace("session", "close", "sessions/a")
        #expect(
            try scratch.text("sessions/a/session.json")
                == header.replacing("\"active\"", with: "\"closed\"").replacing(
                    "\"media\": []",
                    with: "\"media\": [],\n  \"end_time\": \"\(Self.future)\",\n  \"duration_ms\": 0"))
        #expect(
            try scratch.text("sessions/a/timeline.jsonl") == timeline + """
                {"id":"<ulid>","kind":"session_end","offset_ms":0,"wall_time":"\(Self.future)","created_at":"<now>","source":"system"}

                """)
        #expect(try scratch.trace("validate", "sessions/a") == Outcome("ok: sessions/a\n"))
    }

    @Test func `a session that began a while ago is as long as that`() throws {
        try scratch.session("a")
        let outcome = try scratch.trace("session", "close", "sessions/a")
        let digits = try #require(outcome.output.firstMatch(of: #/duration (\d+)ms/#)?.1)
        let duration = try #require(Int(digits))
        #expect(try scratch.text("sessions/a/session.json").contains("\n  \"duration_ms\": \(duration)\n"))
        #expect(try scratch.trace("validate", "sessions/a") == Outcome("ok: sessions/a\n"))
    }

    @Test func `what is not named by its directory is shown by its path`() throws {
        try scratch.session("a", start: Self.future)
        let line = "closed: <scratch>/sessions/a (duration 0ms)\n"
        #expect(try scratch.trace("session", "close", "set") == Outcome(line))
        try scratch.session("a", start: Self.future)
        #expect(try scratch.trace("session", "close") == Outcome(line))
    }

    @Test func `as JSON it is the id, the path and the length`() throws {
        try scratch.session("a", start: Self.future)
        #expect(
            try scratch.trace("session", "close", "--json")
                == Outcome("{\"id\":\"\(number(1))\",\"path\":\"<scratch>/sessions/a\",\"duration_ms\":0}\n"))
    }

    @Test func `a session is closed once`() throws {
        try scratch.closedSession("a")
        let before = try scratch.tree("sessions")
        #expect(
            try scratch.trace("session", "close", "sessions/a")
                == .failure(65, "<scratch>/sessions/a: session already closed [already-closed]"))
        #expect(try scratch.tree("sessions") == before)
    }

    @Test func `a session without a start can't be closed`() throws {
        try scratch.session("a", start: "some day")
        let before = try scratch.tree("sessions")
        #expect(
            try scratch.trace("session", "close", "sessions/a")
                == .failure(
                    65,
                    """
                    <scratch>/sessions/a/session.json: session start_time is missing or broken [invalid-data]
                      hint: write start_time as YYYY-MM-DDTHH:MM:SS.mmmZ, then close again
                    """))
        #expect(try scratch.tree("sessions") == before)
    }
}
