import Testing

/// `trace marker …`, `trace voice-note set-transcript` and `trace undo`.
struct EditingTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private let note = """
        {"id":"\(number(20))","created_at":"2026-02-04T20:01:00.000Z","media_path":"media/a.m4a","offset_ms":1,\
        "duration_ms":2,"marker_id":"\(number(10))"}

        """

    private func withNote() throws {
        try scratch.session("a", markers: marker(10, at: 5) + marker(11, at: 7))
        try scratch.write(note, to: "sessions/a/voice_notes.jsonl")
        try scratch.write("sound", to: "sessions/a/media/a.m4a")
        let header = try scratch.text("sessions/a/session.json")
        try scratch.write(
            header.replacing(#""voice_notes_path": null"#, with: #""voice_notes_path": "voice_notes.jsonl""#),
            to: "sessions/a/session.json")
    }

    // MARK: - Edit

    @Test func `a marker is changed by one more line`() throws {
        try scratch.session("a", markers: marker(10, at: 5, tags: ["structure"]))
        #expect(
            try scratch.trace(
                "marker", "edit", number(10), "--offset", "+5s", "--label", "- two", "--tag", "highlight",
                "--untag", "structure", "--duration", "1.5s")
                == Outcome(
                    "marker: \(number(10))\n",
                    errors:
                        "at 0:05.005 (5005 ms), 5 s after marker at 0:00.005\n")
        )
        #expect(
            try scratch.text("sessions/a/markers.jsonl") == marker(10, at: 5, tags: ["structure"]) + """
                {"id":"\(number(10))","offset_ms":5005,"created_at":"2026-02-04T20:01:00.000Z","source":"user",\
                "tags":["highlight"],"label":"- two","duration_ms":1500}

                """)
        #expect(
            try scratch.trace("marker", "edit", "sessions/a", number(10).lowercased(), "--clear", "note")
                == Outcome("marker: \(number(10))\n", errors: "nothing to change\n"))
        #expect(try scratch.trace("markers", "list") == Outcome("\(number(10))\t5005\t- two\thighlight\n"))
        #expect(try scratch.trace("validate", "sessions/a") == Outcome("ok: sessions/a\n"))
    }

    @Test(arguments: [
        (
            ["edit", number(10)], 64,
            "there is nothing to change\n  hint: give --offset, --label, --note, --tag, --untag, --duration or --clear"
        ),
        (
            ["edit", "x", "--tag", "y"], 64,
            "'x' is not the id of a marker\n  hint: write its 26 characters, 4 or more characters from its beginning or end, 'last', or @1:30 for its offset"
        ),
        (
            ["edit", number(10), "--tag", "Loud!"], 64,
            "'Loud!' is not a valid tag; nothing was written\n  hint: use lower-case letters, digits, - and _, beginning with a letter or digit"
        ),
        (
            ["edit", number(19), "--tag", "y"], 66,
            "<scratch>/sessions/a/markers.jsonl: marker not found: \(number(19)) [no-such-record]\n  hint: 'trace markers list' lists the ids; if it is in another session, give that with --session"
        ),
        (
            ["remove", number(19)], 66,
            "<scratch>/sessions/a/markers.jsonl: marker not found: \(number(19)) [no-such-record]\n  hint: 'trace markers list' lists the ids; if it is in another session, give that with --session"
        ),
    ])
    func `what can't be changed leaves everything as it was`(
        arguments: [String], status: Int, message: String
    ) throws {
        try scratch.session("a", markers: marker(10, at: 5))
        let before = try scratch.tree("sessions")
        #expect(try scratch.trace(["marker"] + arguments) == .failure(Int32(status), message))
        #expect(try scratch.tree("sessions") == before)
    }

    // MARK: - Remove

    @Test func `a marker is removed, and undo brings it back`() throws {
        try withNote()
        #expect(try scratch.trace("marker", "remove", number(11)) == Outcome("removed: \(number(11))\n"))
        #expect(try scratch.text("sessions/a/markers.jsonl") == marker(10, at: 5))
        #expect(
            try scratch.trace("marker", "remove", number(10))
                == .failure(
                    1,
                    """
                    <scratch>/sessions/a/voice_notes.jsonl: marker \(number(10)) is referenced by voice note \(number(20)) \
                    [is-referenced]
                      hint: --force removes it and clears the voice note's marker_id
                    """))
        #expect(
            try scratch.trace("marker", "remove", number(10), "--force")
                == Outcome(
                    "removed: \(number(10))\n",
                    errors: "voice note \(number(20)) no longer refers to a marker\n"))
        #expect(try scratch.text("sessions/a/markers.jsonl") == "")
        #expect(try scratch.trace("validate", "sessions/a") == Outcome("ok: sessions/a\n"))
        #expect(
            try scratch.trace("undo")
                == Outcome(
                    """
                    undone: marker remove 0:00.005 in <scratch>/sessions/a, written <now>
                      restored 1 line (marker \(number(10))) in markers.jsonl
                      removed 1 line (voice note \(number(20))) from voice_notes.jsonl

                    """))
        #expect(try scratch.trace("undo").status == 0)
        #expect(try scratch.text("sessions/a/markers.jsonl") == marker(10, at: 5) + marker(11, at: 7))
        #expect(try scratch.text("sessions/a/voice_notes.jsonl") == note)
        #expect(
            try scratch.trace("undo")
                == .failure(
                    1,
                    """
                    there is nothing to undo [nothing-to-undo]
                      hint: changes made by other programs can't be undone here
                    """))
    }

    // MARK: - Transcripts

    @Test(arguments: [
        ["$NOTE", "slower"], ["sessions/a", "$NOTE", "slower"], ["sessions/a", "$NOTE", "--text", "slower"],
        ["sessions/a", "$NOTE", "--file", "text"],
    ])
    func `a transcript is set, however it is given`(arguments: [String]) throws {
        try withNote()
        try scratch.write("slower\n", to: "text")
        let spelled = arguments.map { $0 == "$NOTE" ? number(20) : $0 }
        #expect(
            try scratch.trace(["voice-note", "set-transcript"] + spelled) == Outcome("transcript: updated\n"))
        let line = note.dropLast(2) + ",\"transcript_text\":\"slower\"}\n"
        #expect(try scratch.text("sessions/a/voice_notes.jsonl") == note + line)
    }

    @Test func `a transcript comes from standard input`() throws {
        try withNote()
        #expect(
            try scratch.shell("echo slower | $TRACE voice-note set-transcript \(number(20)) -")
                == Outcome("transcript: updated\n"))
        #expect(try scratch.text("sessions/a/voice_notes.jsonl").contains(#""transcript_text":"slower"}"#))
    }

    // MARK: - Undo

    @Test func `undo puts aside what was queued, or takes its record back once it is drained`() throws {
        try scratch.session("a")
        let add = ["queue", "add", "marker", "--session", number(1), "--offset", "5"]
        #expect(try scratch.trace(add).status == 0)
        #expect(
            try scratch.trace("undo")
                == Outcome(
                    "undone: queue add 0:00.005, written <now>\n  moved entry <ulid> from the queue to <scratch>/state/dropped\n"
                ))
        #expect(try scratch.names(in: "state/queue") == [])
        #expect(try scratch.trace(add).status == 0)
        #expect(try scratch.trace("queue", "flush").output.hasSuffix("flushed: 1 applied\n"))
        #expect(
            try scratch.trace("undo")
                == Outcome(
                    """
                    undone: queue add 0:00.005 in <scratch>/sessions/a, written <now>
                      removed 1 line (marker <ulid>) from markers.jsonl

                    """))
        #expect(try scratch.text("sessions/a/markers.jsonl") == "")
        #expect(try scratch.trace("queue", "flush") == Outcome("flushed: nothing waited\n"))
    }

    @Test func `a mark before one that was drained can be reached, and each is called by its time and label`()
        throws
    {
        try scratch.session("a")
        _ = try scratch.trace("mark", "--offset", "2:00", "--label", "Too fast")
        _ = try scratch.trace("queue", "add", "marker", "--session", number(1), "--offset", "2:30.5")
        _ = try scratch.trace("queue", "flush")
        let marked = #"mark 2:00 "Too fast" in <scratch>/sessions/a"#
        let first = "<now>\tqueue add\t1\tmarker\t<ulid>\t150500\t\t0\t\(number(1))\t\t\t\n"
        let second =
            "<now>\tmark\t1\tmarker\t<ulid>\t120000\tToo fast\t1\t\(number(1))\t<scratch>/sessions/a\t\t\n"
        #expect(try scratch.trace("undo", "--list") == Outcome(first + second))
        #expect(try scratch.trace("undo").status == 0)
        #expect(try scratch.trace("undo").output.hasPrefix("undone: \(marked), written <now>\n"))
        #expect(try scratch.text("sessions/a/markers.jsonl") == "")
        #expect(try scratch.trace("undo", "--list") == Outcome(errors: "there is nothing to undo\n"))
        let names = try scratch.trace("undo", "--list", "--header").output
        #expect(names.hasPrefix("written_at\toperation\t"), "\(names)")
        #expect(try scratch.trace("undo", "--list", "--json") == Outcome("[]\n"))
    }

    @Test func `a write into a session that is gone is passed over with --skip`() throws {
        try scratch.session("a")
        try scratch.session("b", id: 2)
        _ = try scratch.trace("mark", "sessions/a", "--offset", "5")
        _ = try scratch.trace("mark", "sessions/b", "--offset", "7")
        #expect(try scratch.shell("rm -rf sessions/b") == Outcome())
        let refused = try scratch.trace("undo")
        #expect(refused.status == 66, "\(refused)")
        #expect(refused.errors.contains("'trace undo --skip' skips this write"), "\(refused)")
        let skipped = "mark 0:00.007 in <scratch>/sessions/b, written <now>\n"
        #expect(try scratch.trace("undo", "--skip", "--dry-run") == Outcome("would skip: \(skipped)"))
        #expect(try scratch.trace("undo", "--skip") == Outcome("skipped: \(skipped)"))
        #expect(
            try scratch.trace("undo").output.hasPrefix(
                "undone: mark 0:00.005 in <scratch>/sessions/a, written <now>\n"))
        #expect(try scratch.trace("undo", "--skip").status == 1)
        #expect(try scratch.trace("undo", "--list", "--skip").status == 64)
        #expect(try scratch.trace("undo", "--header").errors.contains("--header is for --list"))
        #expect(try scratch.trace("undo", "--format", "csv").errors.contains("--format is for --list"))
    }

    // MARK: - Restore

    @Test func `what another program has overwritten is shown, and put back`() throws {
        try scratch.session("a")
        #expect(try scratch.trace("restore") == Outcome("nothing is missing\n"))
        _ = try scratch.trace("mark", "--offset", "2:00", "--label", "Too fast")
        _ = try scratch.trace("mark", "--offset", "7")
        let written = try scratch.text("sessions/a/markers.jsonl")
        try scratch.write(marker(30, at: 5), to: "sessions/a/markers.jsonl")
        // At rest for longer than the settle time.
        #expect(try scratch.shell("touch -d '1 minute ago' sessions/a/markers.jsonl") == Outcome())
        let status = try scratch.trace("status").output
        #expect(
            status.contains(
                "lost:     another program has overwritten 2 records of yours ('trace restore' restores them)\n"
            ),
            "\(status)")
        let doctor = try scratch.trace("doctor").output
        #expect(
            doctor.contains("another program has overwritten 2 records of yours in <scratch>/sessions/a"),
            "\(doctor)")
        let lines = [#"marker 2:00 "Too fast""#, "marker 0:00.007"]
        func told(_ verb: String) -> Outcome {
            Outcome(lines.map { "\(verb): \($0) in <scratch>/sessions/a, <now>\n" }.joined())
        }
        #expect(try scratch.trace("restore", "--dry-run") == told("would restore"))
        #expect(try scratch.text("sessions/a/markers.jsonl") == marker(30, at: 5))
        #expect(try scratch.trace("restore", "sessions/a") == told("restored"))
        #expect(try scratch.text("sessions/a/markers.jsonl") == marker(30, at: 5) + written)
        #expect(try scratch.trace("restore") == Outcome("nothing is missing\n"))
        #expect(try scratch.trace("status").output.contains("lost:") == false)
        #expect(try scratch.trace("validate", "sessions/a") == Outcome("ok: sessions/a\n"))
        try scratch.write(marker(30, at: 5), to: "sessions/a/markers.jsonl")
        #expect(try scratch.trace("restore", "--forget") == told("forgotten"))
        #expect(try scratch.trace("restore") == Outcome("nothing is missing\n"))
        #expect(try scratch.text("sessions/a/markers.jsonl") == marker(30, at: 5))
    }

    @Test func `what the queue has written and another program has overwritten is shown, and put back`()
        throws
    {
        try scratch.session("a")
        _ = try scratch.trace(
            "queue", "add", "marker", "-s", "sessions/a", "--offset", "5", "--label", "Late")
        _ = try scratch.trace("queue", "flush")
        let written = try scratch.text("sessions/a/markers.jsonl")
        #expect(written.contains("Late"))
        #expect(try scratch.trace("restore") == Outcome("nothing is missing\n"))
        try scratch.write("", to: "sessions/a/markers.jsonl")
        #expect(try scratch.shell("touch -d '1 minute ago' sessions/a/markers.jsonl") == Outcome())
        #expect(try scratch.trace("status").output.contains("overwritten 1 record of yours"))
        #expect(
            try scratch.trace("doctor").output.contains(
                "overwritten 1 record of yours in <scratch>/sessions/a"))
        func told(_ verb: String) -> Outcome {
            Outcome("\(verb): marker 0:00.005 \"Late\" in <scratch>/sessions/a, <now>\n")
        }
        #expect(try scratch.trace("restore", "--dry-run") == told("would restore"))
        #expect(try scratch.trace("restore") == told("restored"))
        #expect(try scratch.text("sessions/a/markers.jsonl") == written)
        #expect(try scratch.trace("restore") == Outcome("nothing is missing\n"))
        try scratch.write("", to: "sessions/a/markers.jsonl")
        #expect(try scratch.trace("restore", "--forget") == told("forgotten"))
        #expect(try scratch.trace("restore") == Outcome("nothing is missing\n"))
    }

    @Test func `what another user has written and a program has overwritten is missing, too`() throws {
        try scratch.session("a")
        _ = try scratch.trace("mark", "sessions/a", "--offset", "5", "--label", "Late")
        // As in a shared state directory, where each user has a journal.
        #expect(try scratch.shell("mv state/undo state/undo-4711") == Outcome())
        try scratch.write("", to: "sessions/a/markers.jsonl")
        #expect(try scratch.shell("touch -d '1 minute ago' sessions/a/markers.jsonl") == Outcome())
        #expect(try scratch.trace("status").output.contains("overwritten 1 record of yours"))
        #expect(try scratch.trace("restore").output.hasPrefix("restored: marker 0:00.005 \"Late\""))
        #expect(try scratch.text("sessions/a/markers.jsonl").contains("Late"))
    }

    @Test func `a restore that can't put something back says why, and not that nothing is missing`() throws {
        try scratch.session("a")
        _ = try scratch.trace("mark", "sessions/a", "--offset", "5", "--label", "Late")
        for name in ["session.json", "markers.jsonl"] { try scratch.write("", to: "sessions/a/\(name)") }
        let restored = try scratch.trace("restore")
        #expect(restored.output == "", "\(restored)")
        #expect(restored.errors.contains("session.json can't be read; repair it"), "\(restored)")
    }

    @Test func `undo shows first, then takes back, the last write first`() throws {
        try scratch.session("a")
        try scratch.write("sound", to: "take.m4a")
        let before = try scratch.tree("sessions").filter { $0.key != "a/session.json" }
        _ = try scratch.trace("mark", "--offset", "5")
        _ = try scratch.trace("voice-note", "--offset", "5", "--duration", "7", "--media-file", "take.m4a")
        _ = try scratch.trace("session", "close", "sessions/a")
        let plan = """
              remove duration_ms from session.json
              remove end_time from session.json
              set status in session.json to "active"
              remove 1 line (timeline entry <ulid>) from timeline.jsonl

            """
        #expect(
            try scratch.trace("undo", "--dry-run")
                == Outcome("would undo: session close in <scratch>/sessions/a, written <now>\n\(plan)"))
        let done = plan.replacing("remove ", with: "removed ")
        #expect(
            try scratch.trace("undo")
                == Outcome("undone: session close in <scratch>/sessions/a, written <now>\n\(done)"))
        #expect(
            try scratch.trace("undo")
                == Outcome(
                    """
                    undone: voice-note 0:00.005 in <scratch>/sessions/a, written <now>
                      removed 1 line (voice note <ulid>) from voice_notes.jsonl
                      moved media/<ulid>.m4a to <scratch>/state/undo/<ulid>

                    """))
        #expect(
            try scratch.trace("undo")
                == Outcome(
                    """
                    undone: mark 0:00.005 in <scratch>/sessions/a, written <now>
                      removed 1 line (marker <ulid>) from markers.jsonl

                    """))
        var after = try scratch.tree("sessions").filter { $0.key != "a/session.json" }
        #expect(after.removeValue(forKey: "a/voice_notes.jsonl")?.isEmpty == true)
        #expect(after == before)
        #expect(try scratch.trace("validate", "sessions/a") == Outcome("ok: sessions/a\n"))
    }

    @Test func `what was edited since is not taken back`() throws {
        try scratch.session("a")
        let id = try scratch.shell("$TRACE mark -q --offset 5 | cut -c9- | tr -d '\\n'; echo >&2").output
        #expect(id == "<ulid>")
        try scratch.write(
            try scratch.text("sessions/a/markers.jsonl"), to: "sessions/a/markers.jsonl")
        let outcome = try scratch.trace("undo")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("is no longer there [unsafe-to-undo]"))
    }
}
