import Testing

/// `trace session edit`
struct SessionEditTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func `a session gets another title, nothing else is changed, and that can be taken back`() throws {
        try scratch.session("a", title: "Set")
        let before = try scratch.tree("sessions")
        let header = try scratch.text("sessions/a/session.json")
        #expect(
            try scratch.trace("session", "edit", "sessions/a", "--title", "- Late \"set\" -")
                == Outcome("session: sessions/a (title '- Late \"set\" -')\n"))
        #expect(
            try scratch.text("sessions/a/session.json")
                == header.replacing(#""title": "Set""#, with: #""title": "- Late \"set\" -""#)
                .replacing(#/"updated_at": "[^"]+"/#, with: #""updated_at": "<now>""#))
        #expect(
            try scratch.trace("session", "show", "--session=- late \"SET\" -").output.hasPrefix(
                "id: \(number(1))\n"))
        let undone = try scratch.trace("undo")
        #expect(
            undone.output.hasPrefix("undone: session edit in <scratch>/sessions/a, written <now>\n"),
            "\(undone)")
        #expect(try scratch.text("sessions/a/session.json").contains(#""title": "Set""#))
        #expect(
            try scratch.tree("sessions").filter { $0.key != "a/session.json" }
                == before.filter { $0.key != "a/session.json" })
    }

    @Test func `a session without a title gets one, and undo takes it away`() throws {
        try scratch.session("a", title: nil)
        let header = try scratch.text("sessions/a/session.json")
        let outcome = try scratch.trace("session", "edit", "--title", "Monday", "--json")
        #expect(
            outcome
                == Outcome(
                    #"{"session_path":"<scratch>/sessions/a","session_id":"\#(number(1))","changed":true,"title":"Monday"}"#
                        + "\n"))
        #expect(try scratch.text("sessions/a/session.json").contains(#""title": "Monday""#))
        _ = try scratch.trace("undo")
        #expect(
            try scratch.text("sessions/a/session.json")
                == header.replacing(#/"updated_at": "[^"]+"/#, with: #""updated_at": "<now>""#))
    }

    @Test func `the title that it has changes nothing, and '' is none`() throws {
        try scratch.closedSession("a", title: "Set")
        let before = try scratch.tree("sessions")
        #expect(
            try scratch.trace("session", "edit", "a", "--title", "Set")
                == Outcome("session: <scratch>/sessions/a (title 'Set')\n", errors: "nothing to change\n"))
        #expect(try scratch.tree("sessions") == before && !scratch.exists("state/undo"))
        #expect(try scratch.trace("session", "edit", "a", "--title", "").status == 0)
        #expect(try scratch.text("sessions/a/session.json").contains(#""title": """#))
    }

    @Test func `a start is corrected, with the end, and that can be taken back`() throws {
        try scratch.closedSession("a", title: "Set")
        let files = ["session.json", "timeline.jsonl"].map { "sessions/a/\($0)" }
        let before = try files.map { try scratch.text($0) }
        let outcome = try scratch.trace(
            "session", "edit", "a", "--start", "2026-02-04T19:30Z", "--title", "Late")
        #expect(
            outcome
                == Outcome("session: <scratch>/sessions/a (title 'Late', began at 2026-02-04 19:30:00 UTC)\n")
        )
        let header = try scratch.text(files[0])
        #expect(
            header.contains(#""start_time": "2026-02-04T19:30:00.000Z""#)
                && header.contains(#""end_time": "2026-02-04T19:32:00.000Z""#)
                && header.contains(#""title": "Late""#))
        #expect(try scratch.trace("validate", "sessions/a") == Outcome("ok: sessions/a\n"))
        #expect(try scratch.trace("undo").status == 0)
        let undone = try files.map {
            try scratch.text($0).replacing(#/"updated_at": "[^"]+"/#, with: "")
        }
        #expect(undone == before.map { $0.replacing(#/"updated_at": "[^"]+"/#, with: "") })
        let failed = try scratch.trace("session", "edit", "a", "--start", "2099-01-01")
        #expect(
            failed.status == 64
                && failed.errors.hasPrefix(
                    "error: --start '2099-01-01' is 2099-01-01 00:00:00 UTC, in the future"),
            "\(failed)")
        let json = try scratch.trace("session", "edit", "a", "--start", "2026-02-04T20:00Z", "--json")
        #expect(
            json.output.hasSuffix(
                #""changed":false,"title":"Set","start_time":"2026-02-04T20:00:00.000Z"}"# + "\n"),
            "\(json)")
    }

    @Test func `what is written by a clock before the session's start is written, and says so`() throws {
        try scratch.session("a", start: "2031-01-01T00:00:00.000Z")
        try scratch.write("sound", to: "note.m4a")
        let warning = """
            , before the session's start at 2031-01-01T00:00:00.000Z
              hint: set the clock if it is wrong; if the start is wrong, correct it with \
            'trace session edit <scratch>/sessions/a --start TIME'

            """
        for arguments in [
            ["mark", "now", "Now"], ["mark", "0"],
            ["voice-note", "--offset", "now", "--media-file", "note.m4a", "--duration", "2s"],
            ["session", "pause"], ["session", "resume"], ["session", "close"],
        ] {
            let outcome = try scratch.trace(arguments)
            #expect(outcome.status == 0, "\(arguments): \(outcome)")
            #expect(outcome.errors.contains("warning: the clock is at "), "\(arguments): \(outcome)")
            #expect(outcome.errors.contains(warning), "\(arguments): \(outcome)")
        }
        #expect(try scratch.text("sessions/a/markers.jsonl").split(separator: "\n").count == 2)
        #expect(try scratch.trace("session", "edit", "a", "--start", "2026-02-04T20:00Z").status == 0)
        let outcome = try scratch.trace("mark", "a", "0", "Later")
        #expect(outcome.status == 0 && !outcome.errors.contains("clock"), "\(outcome)")
    }

    @Test func `without a title there is nothing to do`() throws {
        try scratch.session("a")
        let failed = try scratch.trace("session", "edit", "a")
        #expect(failed.errors.hasPrefix("error: give the title with --title, or the start with --start\n"))
        #expect(failed.status == 64)
        #expect(try scratch.trace("session", "edit", "--title", "x", "nobody").status == 66)
    }
}
