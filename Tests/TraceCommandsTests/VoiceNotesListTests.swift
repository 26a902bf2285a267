import Testing

/// `trace voice-notes list`.
struct VoiceNotesListTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static func note(_ id: Int, at offset: Int, _ more: String = "") -> String {
        """
        {"id":"\(number(id))","created_at":"2026-02-04T20:01:00.000Z","media_path":"media/\(id).m4a",\
        "offset_ms":\(offset),"duration_ms":\(id)00\(more)}

        """
    }

    private func write(_ lines: String) throws {
        try scratch.session("a")
        try scratch.write(lines, to: "sessions/a/voice_notes.jsonl")
    }

    @Test func `voice notes come in the order of their offsets, one per line`() throws {
        try write(
            Self.note(11, at: 9000, #","transcript_text":"one\ttwo\nthree""#) + Self.note(12, at: 500)
                + Self.note(13, at: 500, #","transcript_text":"same place""#))
        #expect(
            try scratch.trace("voice-notes", "list")
                == Outcome(
                    """
                    \(number(12))\t500\t1200\t\tmedia/12.m4a
                    \(number(13))\t500\t1300\tsame place\tmedia/13.m4a
                    \(number(11))\t9000\t1100\tone two three\tmedia/11.m4a

                    """))
    }

    @Test func `with --json they are as they are in the file, byte for byte`() throws {
        let odd = #"{ "offset_ms":5.0e2,"id":"\#(number(12))", "x":[1], "media_path":"media/12.m4a"}"#
        try write(Self.note(11, at: 9000) + odd + "\n")
        #expect(
            try scratch.trace("voice-notes", "list", "sessions/a", "--json")
                == Outcome("[\(odd),\(Self.note(11, at: 9000).dropLast())]\n"))
        #expect(
            try scratch.trace("voice-notes", "list")
                == Outcome(
                    """
                    \(number(12))\t500\t\t\tmedia/12.m4a
                    \(number(11))\t9000\t1100\t\tmedia/11.m4a

                    """))
    }

    @Test(arguments: [
        (["--offset-min", "2s"], [12, 11]), (["--offset-max=2s"], [10, 12]),
        (["--offset-min", "2s", "--offset-max", "2000"], [12]), (["--offset-min", "1:00"], []),
    ])
    func `offsets narrow the list`(arguments: [String], wanted: [Int]) throws {
        try write(Self.note(11, at: 3000) + Self.note(12, at: 2000) + Self.note(10, at: 0))
        let outcome = try scratch.trace(["voice-notes", "list", "sessions/a"] + arguments)
        let ids = outcome.output.split(separator: "\n").map { String($0.prefix(26)) }
        #expect(ids == wanted.map { number($0) })
        #expect(outcome.errors == (wanted.isEmpty ? "no voice notes\n" : "") && outcome.status == 0)
    }

    @Test func `an empty list is said, and is an empty array`() throws {
        try scratch.session("a")
        #expect(try scratch.trace("voice-notes", "list") == Outcome(errors: "no voice notes\n"))
        #expect(try scratch.trace("voice-notes", "list", "--json") == Outcome("[]\n"))
    }

    @Test func `what can't be read is said`() throws {
        try write(Self.note(11, at: 1) + "nothing\n")
        let line = "\(number(11))\t1\t1100\t\tmedia/11.m4a\n"
        let warning = "warning: a line of voice_notes.jsonl can't be read; 'trace validate' shows why\n"
        #expect(try scratch.trace("voice-notes", "list") == Outcome(line, errors: warning))
        try scratch.remove("sessions/a/voice_notes.jsonl")
        try scratch.makeDirectory("sessions/a/voice_notes.jsonl")
        let outcome = try scratch.trace("voice-notes", "list", "--json")
        #expect(outcome.errors.hasPrefix("error: <scratch>/sessions/a/voice_notes.jsonl: "), "\(outcome)")
        #expect(outcome.status == 74 && outcome.output == "")
    }

    @Test func `offsets that are exchanged, and a session that is not there, are errors`() throws {
        try scratch.session("a")
        #expect(
            try scratch.trace("voice-notes", "list", "--offset-min", "2s", "--offset-max", "1s")
                == .failure(
                    64,
                    "--offset-min 0:02.000 is after --offset-max 0:01.000\n  hint: exchange the two"))
        #expect(try scratch.trace("voice-notes", "list", "nowhere").status == 66)
    }

    @Test func `on a terminal there is a table`() throws {
        try write(Self.note(11, at: 9000, #","transcript_text":"slower here""#))
        scratch.environment = [
            "TERM": "xterm-256color", "TRACE_PAGER": "", "SHELL": "/bin/sh", "NO_COLOR": "1",
        ]
        let script = "stty cols 80; \"$TRACE\" voice-notes list"
        let seen = try scratch.shell("script -qec '\(script)' /dev/null </dev/null").output
        let lines = seen.replacing("\r\n", with: "\n").split(separator: "\n")
        #expect(lines.count == 2)
        #expect(
            lines.first?.split(separator: " ").map(String.init) == ["TIME", "LENGTH", "TEXT", "FILE", "ID"])
        #expect(lines.last?.contains("0:09.0") == true && lines.last?.contains("slower here") == true)
        #expect(lines.last?.contains("media/11.m4a") == true && lines.last?.hasSuffix("000011") == true)
    }
}
