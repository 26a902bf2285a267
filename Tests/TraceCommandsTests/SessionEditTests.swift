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

    @Test func `without a title there is nothing to do`() throws {
        try scratch.session("a")
        let failed = try scratch.trace("session", "edit", "a")
        #expect(failed.errors.hasPrefix("error: give the title with --title\n"))
        #expect(failed.status == 64)
        #expect(try scratch.trace("session", "edit", "--title", "x", "nobody").status == 66)
    }
}
