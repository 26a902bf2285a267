import Testing

struct VoiceNoteTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.write("sound", to: "take.M4A")
    }

    private func added(_ echo: String) -> Outcome {
        Outcome("voice-note: <ulid>\n", errors: "at \(echo)\nin Set (<scratch>/sessions/a)\n")
    }

    @Test func `the audio is copied, the note is a line, and session.json names the file`() throws {
        try scratch.session("a")
        let header = try scratch.text("sessions/a/session.json")
        let outcome = try scratch.trace(
            "voice-note", "sessions/a", "--offset", "1:00", "--duration", "4.2s", "--media-file", "take.M4A",
            "--text",
            "- slower")
        #expect(outcome == added("1:00.000 (60000 ms)"))
        #expect(
            try scratch.text("sessions/a/voice_notes.jsonl") == """
                {"id":"<ulid>","created_at":"<now>","media_path":"media/<ulid>.M4A","offset_ms":60000,"duration_ms":4200,\
                "transcript_text":"- slower"}

                """)
        let expected =
            header.replacing(#/"updated_at": "[^"]+"/#, with: #""updated_at": "<now>""#)
            .replacing(#""voice_notes_path": null"#, with: #""voice_notes_path": "voice_notes.jsonl""#)
        #expect(try scratch.text("sessions/a/session.json") == expected)
        let audio = try scratch.names(in: "sessions/a/media")
        #expect(audio.count == 1 && audio[0].hasSuffix(".M4A"))
        #expect(try scratch.text("sessions/a/media/\(audio[0])") == "sound")
        #expect(try scratch.text("take.M4A") == "sound")
        #expect(try scratch.trace("validate", "sessions/a") == Outcome("ok: sessions/a\n"))
    }

    @Test func `audio that lies in the session is only named`() throws {
        try scratch.session("a")
        try scratch.write("sound", to: "sessions/a/media/x.m4a")
        #expect(
            try scratch.trace(
                "voice-note", "--offset", "5ms", "--duration", "7", "--media", "x.m4a", "--json", "-q")
                == Outcome(
                    """
                    {"id":"<ulid>","offset_ms":5,"media_path":"media/x.m4a","session_path":"<scratch>/sessions/a","session_id":"\(number(1))","queued":false}

                    """))
        #expect(
            try scratch.text("sessions/a/voice_notes.jsonl")
                == "{\"id\":\"<ulid>\",\"created_at\":\"<now>\",\"media_path\":\"media/x.m4a\",\"offset_ms\":5,\"duration_ms\":7}\n"
        )
    }

    /// Makes a file with so many seconds of a tone, or of a picture alone.
    private func media(_ name: String, seconds: Double, hasSound: Bool = true) throws {
        let source =
            hasSound ? "sine=frequency=440:duration=\(seconds)" : "color=size=16x16:duration=\(seconds)"
        let made = try scratch.run("/usr/bin/ffmpeg", ["-v", "error", "-f", "lavfi", "-i", source, name])
        #expect(made == Outcome())
    }

    @Test func `the file tells how long it is`() throws {
        try scratch.session("a")
        try media("take.wav", seconds: 2.5)
        let outcome = try scratch.trace(
            "voice-note", "sessions/a", "--offset", "5ms", "--media-file", "take.wav", "-q")
        #expect(outcome == Outcome("voice-note: <ulid>\n"))
        #expect(try scratch.text("sessions/a/voice_notes.jsonl").contains("\"duration_ms\":2500"))
        #expect(
            try scratch.trace(
                "queue", "add", "voice-note", "-s", number(1), "--offset", "5ms", "--media-file", "take.wav",
                "--json"
            )
            .output.contains("\"duration_ms\":2500"))
    }

    @Test func `a length that contradicts the file is told, and counts`() throws {
        try scratch.session("a")
        try media("take.wav", seconds: 2.5)
        func add(_ duration: String) throws -> String {
            let outcome = try scratch.trace(
                "voice-note", "sessions/a", "--offset", "5ms", "--duration", duration, "--media-file",
                "take.wav")
            #expect(outcome.status == 0)
            return outcome.errors.replacing("at 0:00.005 (5 ms)\n", with: "").replacing(
                "in Set (<scratch>/sessions/a)\n", with: "")
        }
        #expect(try add("2.5s") == "")
        #expect(try add("3.5s") == "")
        #expect(try add("25") == "warning: --duration 0:00.025 is written, but the file lasts 0:02.500\n")
        #expect(try add("25s") == "warning: --duration 0:25.000 is written, but the file lasts 0:02.500\n")
        #expect(try scratch.text("sessions/a/voice_notes.jsonl").contains("\"duration_ms\":25000"))
    }

    @Test(arguments: [true, false])
    func `a file without sound is refused`(hasDuration: Bool) throws {
        try scratch.session("a")
        try media("picture.mkv", seconds: 1, hasSound: false)
        let before = try scratch.tree("sessions")
        let outcome = try scratch.trace(
            ["voice-note", "sessions/a", "--offset", "5ms", "--media-file", "picture.mkv", "-q"]
                + (hasDuration ? ["--duration", "1s"] : []))
        #expect(
            outcome
                == .failure(
                    65,
                    """
                    <scratch>/picture.mkv: has no audio [tool-failed]
                      hint: name a recording that has an audio stream
                    """))
        #expect(try scratch.tree("sessions") == before)
        #expect(!scratch.exists("state/queue"))
    }

    @Test func `where the file does not tell its length, it must be said`() throws {
        try scratch.session("a")
        #expect(
            try scratch.trace("voice-note", "sessions/a", "--offset", "5ms", "--media-file", "take.M4A", "-q")
                == .failure(
                    64,
                    """
                    missing --duration, and <scratch>/take.M4A does not contain its duration
                      hint: give it with --duration; ffprobe (apt install ffmpeg) reads it from the file if possible
                    """))
        #expect(
            try scratch.trace("voice-note", "sessions/a", "--offset", "5ms", "--media-file", "no.m4a", "-q")
                == .failure(66, "<scratch>/no.m4a: does not exist [not-found]\n  hint: give the audio file"))
    }

    @Test func `the last line of its marker is appended once more with the note, every other byte as it was`()
        throws
    {
        let odd =
            "{\"offset_ms\" : 1.0e1,\"id\":\"\(number(10))\",\"x\":1,\"created_at\":\"2026-02-04T20:01:00Z\",\"source\":\"user\" }"
        let before = marker(10, at: 5) + odd + "\n" + marker(11, at: 7)
        try scratch.session("a", markers: before)
        let outcome = try scratch.trace(
            "voice-note", "sessions/a", "--offset", "10ms", "--duration", "7", "--media-file", "take.M4A",
            "--marker-id",
            number(10))
        #expect(outcome == added("0:00.010 (10 ms)"))
        #expect(
            try scratch.text("sessions/a/voice_notes.jsonl").hasSuffix(",\"marker_id\":\"\(number(10))\"}\n"))
        let linked = odd.replacing("\"user\" }", with: "\"user\",\"voice_note_id\":\"<ulid>\" }\n")
        #expect(try scratch.text("sessions/a/markers.jsonl") == before + linked)
        #expect(
            try scratch.trace("markers", "list")
                == Outcome("\(number(11))\t7\n\(number(10))\t10\t<ulid>\n"))
    }

    @Test(arguments: [
        (
            ["--media", "no.m4a"], 66,
            "'media/no.m4a' does not exist in the session [not-found]\n  hint: copy it there, or use --media-file"
        ),
        (
            ["--media", "../take.M4A"], 65,
            "'media/../take.M4A' points outside the session directory [leaves-session]\n  hint: use a file in media/"
        ),
        (
            ["--media-file", "no.m4a"], 66,
            "<scratch>/no.m4a: does not exist [not-found]\n  hint: check the path; if it is on a removable or network disk, mount the disk"
        ),
        (
            ["--media-file", "take.M4A", "--marker-id", number(19)], 66,
            "<scratch>/sessions/a/markers.jsonl: marker not found: \(number(19)) [no-such-record]\n  hint: 'trace markers list' lists the ids; if it is in another session, give that with --session"
        ),
        (["--media-file", "take.M4A", "--marker-id", "x"], 64, "marker_id 'x' is not a ULID"),
    ])
    func `what is missing leaves nothing behind`(arguments: [String], status: Int, message: String) throws {
        try scratch.session("a", markers: marker(10, at: 5))
        let before = try scratch.tree("sessions")
        var failure = Outcome.failure(Int32(status), message)
        failure.errors = "at 0:00.010 (10 ms)\n" + failure.errors
        #expect(
            try scratch.trace(["voice-note", "--offset", "10ms", "--duration", "7"] + arguments) == failure)
        #expect(try scratch.tree("sessions") == before)
    }

    @Test(arguments: [
        (["--media", "", "--media-file="], "missing --media <filename> or --media-file <path>"),
        (["--media=x", "--media-file=y"], "use either --media or --media-file, not both"),
    ])
    func `one source of audio is needed`(arguments: [String], message: String) throws {
        try scratch.session("a")
        let outcome = try scratch.trace(["voice-note", "--offset", "10ms", "--duration", "7"] + arguments)
        #expect(
            outcome
                == .failure(
                    64,
                    """
                    \(message)
                    Usage: trace voice-note add [<options>] [<session>]
                      See 'trace voice-note add --help' for more information.
                    """))
    }
}
