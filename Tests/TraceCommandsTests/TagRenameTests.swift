import Testing

/// `trace tag rename`
struct TagRenameTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let odd =
        "{\"tags\": [\"drop\" ,\"x\"], \"offset_ms\" : 1.0e1,\"id\":\"\(number(11))\",\"created_at\":\"2026-02-04T20:01:00Z\",\"source\":\"user\"}\n"

    @Test func `each marker gets its last line once more, with the other tag and every other byte as it was`()
        throws
    {
        let before =
            marker(10, at: 5, tags: ["drop"]) + Self.odd + marker(12, at: 7, tags: ["climax", "drop", "x"])
            + marker(13, at: 8, tags: ["dropped"]) + marker(10, at: 6, tags: ["b", "drop"])
        try scratch.session("a", markers: before)
        let dry = try scratch.trace("tag", "rename", "drop", "climax", "sessions/a", "--dry-run")
        #expect(dry == Outcome("would rename: 3 markers in <scratch>/sessions/a\n"))
        #expect(try scratch.text("sessions/a/markers.jsonl") == before)
        #expect(
            try scratch.trace("tag", "rename", "drop", "climax")
                == Outcome("renamed: 3 markers in <scratch>/sessions/a\n"))
        let after =
            before + Self.odd.replacing("[\"drop\" ,\"x\"]", with: "[\"climax\",\"x\"]")
            + marker(12, at: 7, tags: ["climax", "x"]) + marker(10, at: 6, tags: ["b", "climax"])
        #expect(try scratch.text("sessions/a/markers.jsonl") == after)
        #expect(try scratch.text("sessions/a/session.json").contains("\"updated_at\": \"<now>\""))
        let undone = try scratch.trace("undo")
        #expect(
            undone.output.hasPrefix(
                "undone: tag rename of 3 records in <scratch>/sessions/a, written <now>\n"))
        #expect(undone.output.hasSuffix("\n  removed 3 lines from markers.jsonl\n"))
        #expect(try scratch.text("sessions/a/markers.jsonl") == before)
    }

    @Test func `where the markers can't be read nobody says that none has the tag`() throws {
        try scratch.session("a")
        try scratch.remove("sessions/a/markers.jsonl")
        try scratch.makeDirectory("sessions/a/markers.jsonl")
        for arguments in [["--dry-run"], []] {
            let told = try scratch.trace(["tag", "rename", "drop", "climax"] + arguments)
            #expect(told.output == "" && told.status != 0 && told.status != 1)
            #expect(told.errors.contains("sessions/a/markers.jsonl"))
        }
    }

    @Test func `a session to which several roots lead is one session`() throws {
        try scratch.session("inner/a", markers: marker(10, at: 5, tags: ["drop"]))
        #expect(try scratch.shell("ln -s sessions again; ln -s sessions/inner within") == Outcome())
        let roots = ["sessions", "again", "sessions/inner", "within"].map { "\(scratch.path)/\($0)" }
        scratch.environment["TRACE_ROOTS"] = roots.joined(separator: ":")
        for flags in [["--dry-run"], []] {
            let told = try scratch.trace(["tag", "rename", "drop", "climax", "--all"] + flags)
            let verb = flags.isEmpty ? "renamed" : "would rename"
            #expect(told == Outcome("\(verb): 1 marker in <scratch>/sessions/inner/a\n"))
        }
        let doctor = try scratch.trace("doctor").output
        #expect(doctor.contains("<scratch>/sessions: 0 sessions, "), "\(doctor)")
        #expect(doctor.contains("<scratch>/sessions/inner: 1 session, "), "\(doctor)")
        for (other, own) in [("again", "sessions"), ("within", "sessions/inner")] {
            #expect(
                doctor.contains("<scratch>/\(other): the same directory as the root <scratch>/\(own), "),
                "\(doctor)")
        }
        // Four roots and one session.
        #expect(doctor.contains("about 6 are needed here"), "\(doctor)")
    }

    @Test func `in all sessions, and as JSON`() throws {
        try scratch.session("a", markers: marker(10, at: 5, tags: ["drop"]))
        try scratch.closedSession("b", id: 2, markers: marker(20, at: 5, tags: ["drop"]))
        try scratch.closedSession("c", id: 3, markers: marker(30, at: 5))
        #expect(
            try scratch.trace("tag", "rename", "drop", "climax", "--all", "--json")
                == Outcome(
                    """
                    [{"session_path":"<scratch>/sessions/a","session_id":"\(number(1))","markers":["\(number(10))"],"done":true},\
                    {"session_path":"<scratch>/sessions/b","session_id":"\(number(2))","markers":["\(number(20))"],"done":true}]

                    """))
        #expect(
            try scratch.trace("markers", "list", "--all", "--tag", "climax").output.split(separator: "\n")
                .count == 2)
        let both = """
            tag rename of 2 records in 2 sessions, written <now>
              <scratch>/sessions/b: removed 1 line (marker \(number(20))) from markers.jsonl
              <scratch>/sessions/a: removed 1 line (marker \(number(10))) from markers.jsonl

            """
        #expect(
            try scratch.trace("undo", "--dry-run")
                == Outcome("would undo: \(both.replacing(": removed", with: ": remove"))"))
        #expect(try scratch.trace("undo") == Outcome("undone: \(both)"))
        #expect(try scratch.text("sessions/a/markers.jsonl") == marker(10, at: 5, tags: ["drop"]))
        #expect(try scratch.text("sessions/b/markers.jsonl") == marker(20, at: 5, tags: ["drop"]))
        #expect(try scratch.trace("undo").status == 1)
    }

    @Test func `an undo in several sessions changes none where one refuses, and goes on where it was killed`()
        throws
    {
        try scratch.session("a", markers: marker(10, at: 5, tags: ["drop"]))
        try scratch.closedSession("b", id: 2, markers: marker(20, at: 5, tags: ["drop"]))
        _ = try scratch.trace("tag", "rename", "drop", "climax", "--all")
        let (a, b) = (
            try scratch.text("sessions/a/markers.jsonl"), try scratch.text("sessions/b/markers.jsonl")
        )
        try scratch.write(a + marker(10, at: 6), to: "sessions/a/markers.jsonl")
        let before = try scratch.tree("sessions")
        #expect(try scratch.trace("undo").errors.contains("has been edited since [unsafe-to-undo]"))
        #expect(try scratch.tree("sessions") == before)
        try scratch.write(a, to: "sessions/a/markers.jsonl")
        // One of the two is taken back alone, as a kill in between leaves it.
        #expect(try scratch.trace("undo", "--session", "sessions/b").status == 0)
        #expect(try scratch.text("sessions/b/markers.jsonl") == marker(20, at: 5, tags: ["drop"]))
        #expect(try scratch.text("sessions/a/markers.jsonl") == a)
        #expect(b != a)
        #expect(try scratch.trace("undo").status == 0)
        #expect(try scratch.text("sessions/a/markers.jsonl") == marker(10, at: 5, tags: ["drop"]))
    }

    @Test func `of a session that can't be read nothing is claimed`() throws {
        try scratch.session("a")
        #expect(
            try scratch.shell("rm sessions/a/markers.jsonl && mkdir sessions/a/markers.jsonl") == Outcome())
        let outcome = try scratch.trace("tag", "rename", "drop", "climax", "--all")
        #expect(outcome.output == "")
        #expect(
            outcome.errors.hasPrefix(
                "error: <scratch>/sessions/a/markers.jsonl: cannot open for appending: Is a directory"),
            "\(outcome.errors)")
        #expect(outcome.status == 74)
    }

    @Test func `of a directory that can't be searched nothing is claimed`() throws {
        try scratch.session("a", markers: marker(10, at: 5))
        let outcome = try scratch.outcomeWithout(
            searching: "sessions/b", ["tag", "rename", "drop", "x", "--all"])
        #expect(outcome.output == "", "\(outcome)")
        #expect(outcome.errors.hasPrefix("error: <scratch>/sessions/b: "), "\(outcome)")
        #expect(outcome.status == 77)
    }

    @Test func `a tag that no marker has is a negative result`() throws {
        try scratch.session("a", markers: marker(10, at: 5, tags: ["dropped"]))
        let before = try scratch.tree("sessions")
        #expect(
            try scratch.trace("tag", "rename", "drop", "climax")
                == Outcome(
                    "no marker has the tag 'drop'\n",
                    errors: "only this session was searched; --all renames it in all\n", status: 1))
        #expect(try scratch.trace("tag", "rename", "drop", "climax", "--json") == Outcome("[]\n", status: 1))
        #expect(try scratch.tree("sessions") == before)
    }

    @Test(arguments: [
        (["drop", "Climax"], "'Climax' is not a valid tag; nothing was written\n  hint: "),
        (["drop", "drop"], "both tags are 'drop'\nUsage: trace tag rename "),
        (
            ["drop", "x", "sessions/a", "--all"],
            "--all can't be combined with a session\nUsage: trace tag rename "
        ),
    ])
    func `what is no tag is refused`(arguments: [String], message: String) throws {
        try scratch.session("a", markers: marker(10, at: 5, tags: ["drop"]))
        let outcome = try scratch.trace(["tag", "rename"] + arguments)
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("error: \(message)"))
    }
}
