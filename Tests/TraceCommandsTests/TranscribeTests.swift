import Foundation
import Testing

/// `trace transcribe`
struct TranscribeTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let done = Outcome("transcribed: <scratch>/sessions/a/transcript.jsonl\n")

    /// The same where another transcript was there.
    private static func done(replacing segments: String) -> Outcome {
        Outcome(done.output, errors: notice(replacing: segments))
    }

    private static func notice(replacing segments: String) -> String {
        "replaced a transcript of \(segments); 'trace undo' restores it, --append adds to one\n"
    }

    /// A session with a second of sound that begins at 1.5 s.
    private func sessionWithSound() throws {
        try scratch.session("a")
        try sound("take.m4a")
        let outcome = try scratch.trace(
            "media", "add", "sessions/a", "--file", "take.m4a", "--offset", "1500", "--duration", "1s", "-q")
        #expect(outcome.status == 0)
    }

    private func sound(_ name: String) throws {
        let made = try scratch.run(
            "/usr/bin/ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "sine=frequency=440:duration=1", "-c:a", "aac", name])
        #expect(made == Outcome())
    }

    /// Puts a script of `sh` in the place of a speech-to-text program; `$1` is the input, `$2` the output, `$3` the language.
    private func program(_ script: String) throws -> [String: String] {
        try scratch.writeProgram("#!/bin/sh\n\(script)\n", to: "listen")
        return ["TRACE_SPEECH_COMMAND": "\(scratch.path)/listen {input_wav} '{output_base}' {lang}"]
    }

    private func transcript() throws -> String { try scratch.text("sessions/a/transcript.jsonl") }

    // MARK: - Text and files

    @Test func `a text becomes the transcript, and session.json names it`() throws {
        try sessionWithSound()
        #expect(
            try scratch.trace(
                "transcribe", "sessions/a", "--text", "- that \"was\" it", "--offset", "2s", "--duration",
                "700")
                == Self.done)
        #expect(
            try transcript()
                == "{\"id\":\"<ulid>\",\"offset_ms\":2000,\"duration_ms\":700,\"text\":\"- that \\\"was\\\" it\"}\n"
        )
        let header = try scratch.text("sessions/a/session.json")
        #expect(header.contains("\"transcript_path\": \"transcript.jsonl\""))
        #expect(header.hasSuffix("  \"transcribed_at\": \"<now>\"\n}\n"))
        #expect(try scratch.trace("validate", "sessions/a") == Outcome("ok: sessions/a\n"))
        #expect(
            try scratch.trace("transcribe", "--text", "", "--json")
                == Outcome(
                    """
                    {"path":"<scratch>/sessions/a/transcript.jsonl","segments":1,"replaced":1,"session_path":"<scratch>/sessions/a","session_id":"\(number(1))"}

                    """, errors: Self.notice(replacing: "1 segment")))
        #expect(try transcript() == "{\"id\":\"<ulid>\",\"offset_ms\":0,\"duration_ms\":0,\"text\":\"\"}\n")
    }

    private static func segment(_ id: Int, at offset: Int) -> String {
        "{\"text\":\"é\",  \"id\":\"\(number(id))\",\"offset_ms\":\(offset),\"duration_ms\":1e1}\n"
    }

    @Test func `a file of records is taken as it is`() throws {
        try sessionWithSound()
        let lines = Self.segment(50, at: 5) + "\n" + Self.segment(51, at: 5)
        try scratch.write(lines + " \n\n", to: "said.jsonl")
        #expect(try scratch.trace("transcribe", "sessions/a", "--file", "said.jsonl") == Self.done)
        #expect(try transcript() == lines)
        try scratch.write(lines.replacing("é", with: "è"), to: "said.jsonl")
        #expect(
            try scratch.shell("exec $TRACE transcribe sessions/a --file - < said.jsonl")
                == Self.done(replacing: "2 segments"))
        #expect(try transcript() == lines.replacing("é", with: "è"))
        try scratch.write("", to: "said.jsonl")
        #expect(
            try scratch.trace("transcribe", "sessions/a", "--file", "said.jsonl")
                == Self.done(replacing: "2 segments"))
        #expect(try transcript() == "")
        #expect(try scratch.trace("validate", "sessions/a") == Outcome("ok: sessions/a\n"))
    }

    @Test func `what is added stands in its place, every other byte as it was`() throws {
        try sessionWithSound()
        let old =
            Self.segment(50, at: 5) + "  \n" + Self.segment(51, at: 5000)
            + String(Self.segment(52, at: 9000).dropLast())
        try scratch.write(old, to: "sessions/a/transcript.jsonl")
        func add(_ text: String, _ offset: String) throws -> Outcome {
            try scratch.trace("transcribe", "sessions/a", "--append", "--text", text, "--offset", offset)
        }
        #expect(try add("b", "5s") == Outcome(Self.done.output, errors: "added 1 segment to 3 segments\n"))
        #expect(try add("a", "0") == Outcome(Self.done.output, errors: "added 1 segment to 4 segments\n"))
        #expect(try add("c", "1:00").status == 0)
        func line(_ offset: Int, _ text: String) -> String {
            "{\"id\":\"<ulid>\",\"offset_ms\":\(offset),\"duration_ms\":0,\"text\":\"\(text)\"}\n"
        }
        #expect(
            try transcript() == line(0, "a") + Self.segment(50, at: 5) + "  \n" + Self.segment(51, at: 5000)
                + line(5000, "b") + Self.segment(52, at: 9000) + line(60_000, "c"))
        #expect(try scratch.trace("validate", "sessions/a").status == 0)
        #expect(
            try scratch.trace(
                "transcribe", "sessions/a", "--append", "--text", "d", "--offset", "2:00", "--json", "-q"
            ).output
                == #"{"path":"<scratch>/sessions/a/transcript.jsonl","segments":7,"kept":6,"session_path":"<scratch>/sessions/a","session_id":"\#(number(1))"}"#
                + "\n"
        )
        #expect(try scratch.trace("undo").status == 0)
        #expect(try !transcript().contains("\"d\""))
    }

    @Test func `a first transcript may be added too, and voice notes have none to add to`() throws {
        try sessionWithSound()
        #expect(try scratch.trace("transcribe", "sessions/a", "--append", "--text", "x") == Self.done)
        let outcome = try scratch.trace("transcribe", "sessions/a", "--append", "--voice-notes")
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("error: --append can't be combined with --voice-notes\n"))
    }

    @Test(arguments: [
        ("{]\n", "1 (byte 1): this is not JSON", "json-syntax"),
        (
            segment(50, at: 5) + segment(51, at: 4),
            "2 (byte 80): offset_ms 4 is less than 5 in the record before it",
            "transcript-order"
        ),
        (
            segment(50, at: 5) + segment(51, at: 4).replacing("\"text\"", with: "\"words\""), "2 (byte 81)",
            "key-unknown"
        ),
    ])
    func `a file that breaks the format changes nothing`(lines: String, place: String, rule: String) throws {
        try sessionWithSound()
        _ = try scratch.trace("transcribe", "--text", "before")
        let before = try scratch.tree("sessions")
        try scratch.write(lines, to: "said.jsonl")
        let outcome = try scratch.trace("transcribe", "--file", "said.jsonl")
        #expect(outcome.output == "")
        #expect(outcome.status == 65)
        #expect(
            outcome.errors.hasPrefix("error: <scratch>/said.jsonl:\(place.split(separator: " ")[0]) (byte "),
            "\(outcome)")
        #expect(outcome.errors.contains("[\(rule)] [invalid-data]\n  hint: "), "\(outcome)")
        #expect(try scratch.tree("sessions") == before)
    }

    @Test func `a segment that ends before it begins has no length, and one without a place is left out`()
        throws
    {
        try sessionWithSound()
        let file = URL(filePath: #filePath).appending(path: "../../Fixtures/exchange/backwards.json")
            .standardized
        try scratch.write(try String(contentsOf: file, encoding: .utf8), to: "said.json")
        let outcome = try scratch.trace(
            "transcribe", "sessions/a", "--file", "said.json", "--offset", "0", "--json")
        #expect(
            outcome.status == 0
                && outcome.errors
                    == "segment 2 of 'transcription' ends before it begins, in 'offsets.to'; taken without a length\n"
                && outcome.output.contains(#""notices":[{"about":"value","count":1,"#), "\(outcome)")
        #expect(
            try transcript() == """
                {"id":"<ulid>","offset_ms":0,"duration_ms":2000,"text":"Once more."}
                {"id":"<ulid>","offset_ms":4000,"duration_ms":0,"text":"From the top."}
                {"id":"<ulid>","offset_ms":5000,"duration_ms":1000,"text":"Go."}

                """)
        let before = try scratch.tree("sessions")
        let strict = try scratch.trace("transcribe", "sessions/a", "--file", "said.json", "--strict")
        #expect(strict.status == 65 && strict.errors.hasPrefix("error: segment 2"), "\(strict)")
        #expect(try scratch.tree("sessions") == before)
    }

    @Test func `whisper's JSON begins where it is said, and repetitions are joined`() throws {
        try sessionWithSound()
        try scratch.write(
            """
            {"result": {"language": "en"}, "transcription": [
              {"timestamps": {}, "offsets": {"from": 0, "to": 900}, "text": " Slower here."},
              {"timestamps": {}, "offsets": {"from": 900, "to": 1500}, "text": " Thank you."},
              {"timestamps": {}, "offsets": {"from": 1500, "to": 2500}, "text": " Thank you."},
              {"timestamps": {}, "offsets": {"from": 2500, "to": 2600}, "text": " [BLANK_AUDIO]"}
            ]}
            """, to: "said.json")
        #expect(
            try scratch.trace("transcribe", "sessions/a", "--file", "said.json", "--offset", "10s")
                == Self.done)
        #expect(
            try transcript() == """
                {"id":"<ulid>","offset_ms":10000,"duration_ms":900,"text":"Slower here."}
                {"id":"<ulid>","offset_ms":10900,"duration_ms":1600,"text":"Thank you."}

                """)
    }

    @Test func `without sound, and without words, it is told what is missing`() throws {
        try scratch.session("a")
        #expect(
            try scratch.trace("transcribe", "sessions/a", "--text", "x")
                == .failure(
                    65,
                    """
                    <scratch>/sessions/a: no audio/video media available for transcription [nothing-to-transcribe]
                      hint: add a recording with 'trace media add' or 'trace media add-review-audio'
                    """))
        #expect(!scratch.exists("sessions/a/transcript.jsonl"))
        try sessionWithSound()
        #expect(
            try scratch.trace("transcribe", "sessions/a")
                == .failure(
                    64,
                    """
                    missing --file or --text for transcribe, and no speech_command is configured
                      hint: give the transcript with --file, or its text with --text, or set speech_command in the configuration to a speech-to-text program
                    """))
    }

    @Test func `an undo brings the transcript back that was there`() throws {
        try sessionWithSound()
        let start = try scratch.tree("sessions")
        _ = try scratch.trace("transcribe", "--text", "one")
        let one = try scratch.tree("sessions")
        _ = try scratch.trace("transcribe", "--text", "two")
        let undone = try scratch.trace("undo")
        #expect(
            undone.output.split(separator: "\n").last.map(String.init)
                == "  restored the old transcript.jsonl", "\(undone)")
        #expect(try scratch.tree("sessions")["a/transcript.jsonl"] == one["a/transcript.jsonl"])
        _ = try scratch.trace("undo")
        #expect(try Set(scratch.tree("sessions").keys) == Set(start.keys))
        #expect(try scratch.text("sessions/a/session.json").contains("\"transcript_path\": null"))
        #expect(try scratch.trace("validate", "sessions/a") == Outcome("ok: sessions/a\n"))
    }

    // MARK: - Speech-to-text

    @Test func `a program listens to the sound of the session`() throws {
        try sessionWithSound()
        let environment = try program(
            #"""
            ffprobe -v error -show_entries stream=codec_name,sample_rate,channels -of csv=p=0 "$1" > ../format 2>&1 || true
            printf '{"transcription":[{"offsets":{"from":100,"to":400},"text":" In %s."}]}' "$3" > "$2.json"
            """#.replacing("../format", with: "\(scratch.path)/format"))
        #expect(
            try scratch.trace(
                "transcribe", "sessions/a",
                environment: environment.merging(["TRACE_SPEECH_LANGUAGE": "de"]) { $1 }) == Self.done)
        #expect(
            try transcript()
                == "{\"id\":\"<ulid>\",\"offset_ms\":1600,\"duration_ms\":300,\"text\":\"In de.\"}\n")
        #expect(try scratch.text("format") == "pcm_s16le,16000,1\n")
    }

    @Test func `what it prints is read where it writes nothing`() throws {
        try sessionWithSound()
        let environment = try program(
            #"echo '{"offset_ms":5,"duration_ms":6,"text":"b","speaker":"Ann","confidence":0.5}'"#)
        #expect(try scratch.trace("transcribe", "sessions/a", environment: environment) == Self.done)
        #expect(
            try transcript()
                == "{\"id\":\"<ulid>\",\"offset_ms\":1505,\"duration_ms\":6,\"text\":\"b\",\"speaker\":\"Ann\",\"confidence\":0.5}\n"
        )
    }

    @Test(arguments: [
        ("echo no model >&2; exit 3", 65, "listen failed: no model [tool-failed]"),
        ("exit 3", 65, "listen failed: exit status 3 [tool-failed]"),
        (
            "sleep 60", 65,
            "listen took too long and was stopped [tool-failed]\n  hint: raise speech_timeout in the configuration if it needs longer"
        ),
        (
            "echo hello", 65,
            "line 1 is not a JSON object\n  hint: let the program write whisper.cpp's JSON (-oj), or lines of offset_ms, duration_ms and text"
        ),
    ])
    func `a program that does not end well changes nothing`(script: String, status: Int, message: String)
        throws
    {
        try sessionWithSound()
        let before = try scratch.tree("sessions")
        let environment = try program(script)
        #expect(
            try scratch.trace(
                "transcribe", environment: environment.merging(["TRACE_SPEECH_TIMEOUT": "1s"]) { $1 })
                == .failure(Int32(status), message))
        #expect(try scratch.tree("sessions") == before)
    }

    @Test func `a program that is not there, or names no input, is told`() throws {
        try sessionWithSound()
        #expect(
            try scratch.trace("transcribe", environment: ["TRACE_SPEECH_COMMAND": "nowhere {input_wav}"])
                == .failure(
                    69,
                    """
                    nowhere not found (the program of speech_command) [tool-missing]
                      hint: install it, or put its full path into speech_command
                    """))
        #expect(
            try scratch.trace("transcribe", environment: ["TRACE_SPEECH_COMMAND": "nowhere input.wav"])
                == .failure(
                    65,
                    """
                    speech_command does not contain {input_wav} [invalid-data]
                      hint: put {input_wav} where the program expects the audio file name
                    """))
    }

    // MARK: - Voice notes

    @Test func `voice notes are listened to one by one, and a failure costs no other`() throws {
        try scratch.session("a")
        try sound("one.m4a")
        try scratch.write("no sound", to: "two.m4a")
        for (place, name, more) in [
            ("1", "one.m4a", []), ("3", "two.m4a", []), ("2", "one.m4a", ["--text", "known"]),
        ] {
            let added = try scratch.trace(
                ["voice-note", "--offset", place, "--duration", "1s", "--media-file", name, "-q"] + more)
            #expect(added.status == 0)
        }
        let environment = try program(
            #"printf '{"offset_ms":0,"duration_ms":6,"text":"slower"}\n{"offset_ms":6,"duration_ms":6,"text":"here"}\n'"#
        )
        let outcome = try scratch.trace("transcribe", "--voice-notes", environment: environment)
        #expect(outcome.output == "transcribed: <ulid>\n")
        #expect(outcome.status == 1)
        #expect(
            outcome.errors.wholeMatch(
                of:
                    #/error: voice note <ulid>: ffmpeg failed: .*Invalid data found when processing input \[tool-failed\]\n  hint: check that the file plays\n/#
            ) != nil, "\(outcome)")
        let texts = try scratch.text("sessions/a/voice_notes.jsonl").matches(
            of: #/"transcript_text":"(\w+ ?\w*)"/#
        )
        .map { String($0.output.1) }
        #expect(texts == ["known", "slower here"])
        let again = try scratch.trace(
            "transcribe", "--voice-notes", "--again", "--json", environment: environment)
        #expect(
            again.output.hasPrefix(#"[{"id":"<ulid>","changed":false,"transcript_text":"slower here"},"#),
            "\(again)")
        #expect(again.output.hasSuffix(#"hint: check that the file plays"}]"# + "\n"), "\(again)")
        #expect(
            again.output.contains(#"{"id":"<ulid>","changed":true,"transcript_text":"slower here"},"#),
            "\(again)")
        #expect(try scratch.trace("validate", "sessions/a") == Outcome("ok: sessions/a\n"))
    }

    @Test func `a note in which nothing is heard stays as it is`() throws {
        try scratch.session("a")
        try sound("one.m4a")
        _ = try scratch.trace("voice-note", "--offset", "5", "--duration", "1s", "--media-file", "one.m4a")
        let before = try scratch.tree("sessions")
        #expect(
            try scratch.trace("transcribe", "--voice-notes", environment: program("true"))
                == Outcome(errors: "no speech was found in voice note <ulid>\n"))
        #expect(try scratch.tree("sessions") == before)
        try scratch.closedSession("b", id: 2)
        #expect(
            try scratch.trace("transcribe", "--voice-notes", "sessions/b")
                == Outcome("no voice notes to transcribe\n"))
    }

    @Test(arguments: [
        (["--voice-notes", "--text", "x"], "use --voice-notes without --file and --text"),
        (["--again"], "--again needs --voice-notes"),
    ])
    func `options that do not go together`(arguments: [String], message: String) throws {
        let outcome = try scratch.trace(["transcribe"] + arguments)
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("error: \(message)\nUsage: trace transcribe "))
    }
}
