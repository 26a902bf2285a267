import Testing

struct SessionCloseTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// A session that begins in the future is over as soon as it ends: no test needs to know the time.
    private static let future = "2999-02-04T20:00:00.000Z"

    /// That the clock is before such a start is said.
    private static func warning(_ path: String) -> String {
        """
        warning: the clock is at <now>, before the session's start at \(future)
          hint: set the clock if it is wrong; if the start is wrong, correct it with 'trace session edit \(path) --start TIME'

        """
    }

    @Test(arguments: ["sessions/a", "sessions/a/", "./sessions/a", "sessions/../sessions/a"])
    func `the line names the directory as it was typed`(typed: String) throws {
        try scratch.session("a", start: Self.future)
        let path = typed.hasSuffix("/") ? String(typed.dropLast()) : typed
        #expect(
            try scratch.trace("session", "close", typed)
                == Outcome("closed: \(typed) (duration 0ms)\n", errors: Self.warning(path)))
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
        let closed = Outcome(
            "closed: <scratch>/sessions/a (duration 0ms)\n", errors: Self.warning("<scratch>/sessions/a"))
        #expect(try scratch.trace("session", "close", "set") == closed)
        try scratch.session("a", start: Self.future)
        #expect(try scratch.trace("session", "close") == closed)
    }

    @Test func `as JSON it is the id, the path and the length`() throws {
        try scratch.session("a", start: Self.future)
        #expect(
            try scratch.trace("session", "close", "--json")
                == Outcome(
                    #"{"session_path":"<scratch>/sessions/a","session_id":"\#(number(1))","duration_ms":0}"#
                        + "\n", errors: Self.warning("<scratch>/sessions/a")))
    }

    @Test(arguments: [
        ["markers", "list"], ["session", "show"], ["digest", "show"], ["export", "--format", "csv"],
        ["validate"],
        ["action", "list"], ["digest", "read"], ["export", "--format", "csv", "--quiet"],
    ])
    func `what only reads takes the last session after that, and says so`(command: [String]) throws {
        try scratch.session("a", id: 1, markers: marker(10, at: 5))
        try scratch.closedSession("earlier", id: 2, title: "Earlier")
        try scratch.session(
            "b", id: 3, start: "2026-02-05T20:00:00.000Z", title: "B", markers: marker(11, at: 7))
        for name in ["a", "b"] { _ = try scratch.trace("session", "close", "sessions/\(name)") }
        let outcome = try scratch.trace(command)
        var named = try scratch.trace(command + ["last"])
        if !command.contains("--quiet") {
            named.errors =
                "no session is active; this is the last one, B (<scratch>/sessions/b)\n" + named.errors
        }
        // What was typed stands in some lines of success.
        named.output = named.output.replacing("ok: last\n", with: "ok: <scratch>/sessions/b\n")
        #expect(outcome == named)
    }

    @Test func `what writes takes no session that has ended and that nobody named`() throws {
        try scratch.closedSession("a", markers: marker(10, at: 5, tags: ["x"]))
        let before = try scratch.tree("sessions")
        for command in [
            ["mark", "--offset", "5"], ["session", "close"], ["digest", "generate"],
            ["queue", "add", "marker", "--offset", "5"],
        ] {
            #expect(
                try scratch.trace(command)
                    == .failure(
                        66,
                        """
                        no session was given, and none is active in <scratch>/sessions [no-such-session]
                          hint: give a directory, an id, a title or 'last'; 'trace sessions' lists them
                        """))
        }
        #expect(try scratch.tree("sessions") == before && !scratch.exists("state/queue"))
    }

    @Test func `where there is no session at all there is no last one`() throws {
        #expect(
            try scratch.trace("markers", "list").errors.hasPrefix(
                "error: no session was given, and none is active in <scratch>/sessions [no-such-session]\n"))
    }

    @Test func `a session is closed once`() throws {
        try scratch.closedSession("a")
        let before = try scratch.tree("sessions")
        #expect(
            try scratch.trace("session", "close", "sessions/a")
                == .failure(65, "<scratch>/sessions/a: session already closed [already-closed]"))
        #expect(try scratch.tree("sessions") == before)
    }

    @Test(arguments: ["2026-02-04T20:30Z", "2026-02-04T21:30+01:00", "2026-02-04 21:30:00.0"])
    func `a session that ended earlier is as long as it was`(end: String) throws {
        try scratch.session("a")
        #expect(
            try scratch.trace(
                "session", "close", "sessions/a", "--at", end, environment: ["TZ": "Europe/Berlin"])
                == Outcome("closed: sessions/a (duration 1800000ms)\n"))
        let header = try scratch.text("sessions/a/session.json")
        #expect(header.contains(#""end_time": "2026-02-04T20:30:00.000Z""#) && header.contains("<now>"))
        #expect(
            try scratch.text("sessions/a/timeline.jsonl").hasSuffix(
                #""offset_ms":1800000,"wall_time":"2026-02-04T20:30:00.000Z","created_at":"<now>","source":"system"}"#
                    + "\n"))
        #expect(try scratch.trace("validate", "sessions/a") == Outcome("ok: sessions/a\n"))
    }

    @Test func `an end that can't be is refused, and nothing is written`() throws {
        try scratch.session("a")
        try scratch.write("sound", to: "take.m4a")
        _ = try scratch.trace(
            "media", "add", "sessions/a", "--file", "take.m4a", "--offset", "0", "--duration", "1:00:00")
        let before = try scratch.tree("sessions")
        for (end, status, message) in [
            (
                "2026-02-04T19:59Z", 65,
                "<scratch>/sessions/a: the session began at 2026-02-04T20:00:00.000Z, after 2026"
            ),
            (
                "2026-02-04T20:30Z", 65,
                "<scratch>/sessions/a/timeline.jsonl: the last entry is at 2026-02-04T21:00:00.000Z, after 2026"
            ),
            ("2999-02-04T20:30Z", 64, "--at '2999-02-04T20:30Z' is 2999-02-04 20:30:00 UTC, in the future"),
            ("half past nine", 64, "'half past nine' is not a time"),
        ] {
            let failed = try scratch.trace("session", "close", "sessions/a", "--at", end)
            #expect(failed.errors.hasPrefix("error: \(message)") && failed.status == status, "\(failed)")
        }
        #expect(try scratch.tree("sessions") == before)
    }

    @Test func `the end that a killed close has left is not passed over`() throws {
        try scratch.session("a")
        let line =
            #"{"id":"\#(number(30))","kind":"session_end","offset_ms":60000,"#
            + #""wall_time":"2026-02-04T20:01:00.000Z","created_at":"2026-02-04T20:01:00.000Z","source":"system"}"#
            + "\n"
        let timeline = try scratch.text("sessions/a/timeline.jsonl") + line
        try scratch.write(timeline, to: "sessions/a/timeline.jsonl")
        let refused = try scratch.trace("session", "close", "sessions/a", "--at", "2026-02-04T20:30Z")
        #expect(
            refused.errors.contains(
                "there is already a session_end, at 2026-02-04T20:01:00.000Z [invalid-data]")
                && refused.status == 65, "\(refused)")
        #expect(
            try scratch.trace("session", "close", "sessions/a", "--at", "2026-02-04T20:01Z")
                == Outcome("closed: sessions/a (duration 60000ms)\n"))
        #expect(try scratch.text("sessions/a/timeline.jsonl") == timeline)
    }

    @Test func `a session without a start can't be closed`() throws {
        try scratch.session("a", start: "some day")
        let before = try scratch.tree("sessions")
        #expect(
            try scratch.trace("session", "close", "sessions/a")
                == .failure(
                    65,
                    """
                    <scratch>/sessions/a/session.json: session start_time is missing or invalid [invalid-data]
                      hint: write start_time as YYYY-MM-DDTHH:MM:SS.mmmZ, then close again
                    """))
        #expect(try scratch.tree("sessions") == before)
    }
}
