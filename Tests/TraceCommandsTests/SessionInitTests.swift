import Testing

struct SessionInitTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func `a session is made, and its line names the whole path and the id`() throws {
        #expect(
            try scratch.trace("session", "init", "sessions/new")
                == Outcome("created: <scratch>/sessions/new (id <ulid>)\n"))
        #expect(
            try scratch.text("sessions/new/session.json") == """
                {
                  "id": "<ulid>",
                  "title": "",
                  "created_at": "<now>",
                  "updated_at": "<now>",
                  "status": "active",
                  "start_time": "<now>",
                  "timeline_path": "timeline.jsonl",
                  "markers_path": "markers.jsonl",
                  "transcript_path": null,
                  "voice_notes_path": null,
                  "digest_path": null,
                  "media": []
                }

                """)
        #expect(
            try scratch.text("sessions/new/timeline.jsonl") == """
                {"id":"<ulid>","kind":"session_start","offset_ms":0,"wall_time":"<now>","created_at":"<now>","source":"system"}

                """)
        #expect(try scratch.text("sessions/new/markers.jsonl") == "")
        #expect(
            try scratch.names(in: "sessions/new") == [
                "markers.jsonl", "media", "session.json", "timeline.jsonl",
            ])
        #expect(try scratch.names(in: "sessions") == ["new"])
        #expect(try scratch.trace("validate", "sessions/new") == Outcome("ok: sessions/new\n"))
    }

    @Test(arguments: ["new", "./new", "new/", "../sessions/new"])
    func `a directory is named from where one is`(typed: String) throws {
        let outcome = try scratch.trace("session", "init", typed, in: "sessions")
        #expect(outcome == Outcome("created: <scratch>/sessions/new (id <ulid>)\n"))
        #expect(scratch.exists("sessions/new/session.json"))
    }

    @Test func `a way up that begins at a link leads where the link leads`() throws {
        try scratch.makeDirectory("elsewhere/inner")
        #expect(try scratch.shell("ln -s ../elsewhere/inner sessions/link") == Outcome())
        let made = try scratch.trace("session", "init", "sessions/link/../new")
        #expect(made == Outcome("created: <scratch>/sessions/link/../new (id <ulid>)\n"))
        #expect(try scratch.names(in: "elsewhere") == ["inner", "new"])
    }

    @Test func `a title may begin with a hyphen`() throws {
        _ = try scratch.trace("session", "init", "sessions/new", "--title", "- Café -")
        #expect(try scratch.text("sessions/new/session.json").contains("  \"title\": \"- Café -\",\n"))
    }

    @Test func `as JSON it is the id and the path`() throws {
        let outcome = try scratch.trace("session", "init", "sessions/new", "--json")
        #expect(outcome == Outcome("{\"id\":\"<ulid>\",\"path\":\"<scratch>/sessions/new\"}\n"))
    }

    @Test func `what is there already is left alone`() throws {
        try scratch.session("a")
        let before = try scratch.tree("sessions")
        #expect(
            try scratch.trace("session", "init", "sessions/a")
                == .failure(
                    73,
                    """
                    <scratch>/sessions/a: target already exists [already-exists]
                      hint: choose another name, or use what is there
                    """))
        #expect(try scratch.tree("sessions") == before)
    }

    @Test func `the parent must be there`() throws {
        #expect(
            try scratch.trace("session", "init", "no/new")
                == .failure(
                    66,
                    """
                    <scratch>/no: cannot open the directory: No such file or directory [not-found]
                      hint: check the path; if it lies on a removable or network disk, mount it
                    """))
        #expect(!scratch.exists("no"))
    }

    @Test func `without a directory there is nothing to make`() throws {
        let outcome = try scratch.trace("session", "init")
        #expect(
            outcome
                == .failure(
                    64,
                    """
                    Missing expected argument '<directory>'
                    Help:  <directory>  The session's directory; it must not exist yet.
                    Usage: trace session init <directory> [--title <title>] [--json] [--quiet] [--verbose] [--session <session>] [--config <file>] [--root <directory> ...] [--state-directory <directory>] [--color <color>] [--no-pager]
                      See 'trace session init --help' for more information.
                    """))
    }
}
