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
        #expect(made.output == "created: <scratch>/sessions/link/../new (id <ulid>)\n")
        #expect(made.errors.hasPrefix("warning: it is below none of the roots"))
        #expect(try scratch.names(in: "elsewhere") == ["inner", "new"])
    }

    @Test func `a title may begin with a hyphen`() throws {
        _ = try scratch.trace("session", "init", "sessions/new", "--title", "- Café -")
        #expect(try scratch.text("sessions/new/session.json").contains("  \"title\": \"- Café -\",\n"))
    }

    @Test func `as JSON it is the id and the path`() throws {
        let outcome = try scratch.trace("session", "init", "sessions/new", "--json")
        #expect(
            outcome == Outcome(#"{"session_path":"<scratch>/sessions/new","session_id":"<ulid>"}"# + "\n"))
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
                      hint: choose another name, or use the existing session
                    """))
        #expect(try scratch.tree("sessions") == before)
    }

    @Test func `the parent must be there`() throws {
        #expect(
            try scratch.trace("session", "init", "no/new")
                == .failure(
                    66,
                    """
                    <scratch>/no: does not exist [not-found]
                      hint: check the path; if it is on a removable or network disk, mount the disk
                    """))
        #expect(!scratch.exists("no"))
    }

    @Test func `without a directory and a title it is named after the day`() throws {
        for arguments in [[], ["--title", ""]] {
            let outcome = try scratch.trace(["session", "init"] + arguments)
            #expect(outcome.status == 0 && outcome.output.contains("-session"), "\(outcome)")
        }
        #expect(try scratch.names(in: "sessions").count == 2)
    }

    // MARK: - Named by its title

    /// Of the days on both sides of a midnight that passes meanwhile.
    private func today(_ script: String = "date +%F") throws -> String {
        String(try scratch.shell("TZ=Pacific/Auckland \(script)").output.dropLast())
    }

    @Test(arguments: [
        ("Monday", "monday"), ("Bob's  Late-Set!", "bobs-late-set"), ("Café Übersee 2", "café-übersee-2"),
        ("練習", "練習"), ("?!", "session"), ("../../etc", "etc"), ("a/b\n.c", "a-b-c"),
        (String(repeating: "ä", count: 200), String(repeating: "ä", count: 60)),
    ])
    func `a title names the directory, with the local date`(title: String, name: String) throws {
        let before = try today()
        let made = try scratch.trace(
            "session", "init", "--title", title, environment: ["TZ": "Pacific/Auckland"])
        let names = try [before, today()].map { "created: <scratch>/sessions/\($0)-\(name) (id <ulid>)\n" }
        #expect(names.contains(made.output) && made.errors == "", "\(made)")
    }

    @Test func `a name that is taken gets a number`() throws {
        let made = try (1...3).map { _ in try scratch.trace("session", "init", "--title", "Monday").output }
        #expect(
            made[0].contains("-monday (") && made[1].contains("-monday-2 (")
                && made[2].contains("-monday-3 ("))
        #expect(try scratch.trace("sessions", "--json").output.matches(of: #/"title":"Monday"/#).count == 3)
    }

    // MARK: - Roots

    @Test func `a root that is missing is made, and what lies outside of all is warned of`() throws {
        let roots = ["TRACE_ROOTS": "\(scratch.path)/music/sessions"]
        #expect(
            try scratch.trace("session", "init", "music/sessions/monday", environment: roots)
                == Outcome(
                    "created: <scratch>/music/sessions/monday (id <ulid>)\n",
                    errors: "created the root directory <scratch>/music/sessions\n"))
        let outside = try scratch.trace("session", "init", "new", environment: roots)
        #expect(
            outside
                == Outcome(
                    "created: <scratch>/new (id <ulid>)\n",
                    errors: """
                        warning: it is below none of the roots (<scratch>/music/sessions): 'trace mark' finds it only if the \
                        session is given
                          hint: add the directory above it to 'roots' in the configuration, or create sessions below a root
                        <scratch>/music/sessions/monday is still open, too; 'trace session close <scratch>/music/sessions/monday' ends it

                        """))
        #expect(try scratch.shell("ln -s music twin") == Outcome())
        for (root, path) in [("twin/sessions", "music/sessions/a"), ("music", "twin/sessions/b")] {
            let made = try scratch.trace(
                "session", "init", path, environment: ["TRACE_ROOTS": "\(scratch.path)/\(root)"])
            #expect(made.status == 0 && !made.errors.contains("warning:"), "\(made)")
        }
        let hidden = try scratch.trace("session", "init", "music/sessions/.git", environment: roots)
        #expect(hidden.errors.hasPrefix("warning: it is below none of the roots"), "\(hidden)")
    }

    @Test func `a root that is gone with its sessions is not made again`() throws {
        try scratch.session("a")
        _ = try scratch.trace("sessions")
        #expect(try scratch.shell("mv sessions disk") == Outcome())
        for arguments in [["sessions/b"], ["--title", "Monday"]] {
            let failed = try scratch.trace(["session", "init"] + arguments)
            #expect(failed.errors.contains("removable or network disk, mount the disk"), "\(failed)")
            #expect(failed.status == 66)
        }
        #expect(!scratch.exists("sessions"))
    }

    // MARK: - Recordings of the past

    @Test func `a session may have begun earlier, and is named by that day`() throws {
        let zone = ["TZ": "Pacific/Auckland"]
        let made = try scratch.trace(
            "session", "init", "--title", "X", "--start", "2026-02-04T20:15Z", environment: zone)
        #expect(made == Outcome("created: <scratch>/sessions/2026-02-05-x (id <ulid>)\n"))
        let header = try scratch.text("sessions/2026-02-05-x/session.json")
        #expect(header.contains(#""start_time": "2026-02-04T20:15:00.000Z""#))
        #expect(header.contains(#""created_at": "<now>""#) && header.contains(#""updated_at": "<now>""#))
        #expect(
            try scratch.text("sessions/2026-02-05-x/timeline.jsonl").contains(
                #""wall_time":"2026-02-04T20:15:00.000Z","created_at":"<now>""#))
        _ = try scratch.trace(
            "session", "init", "sessions/b", "--start", "2026-02-05T09:15", environment: zone)
        #expect(
            try scratch.text("sessions/b/session.json").contains(#""start_time": "2026-02-04T20:15:00.000Z""#)
        )
        #expect(try scratch.trace("validate", "--all").status == 0)
        let future = try scratch.trace("session", "init", "sessions/c", "--start", "2999-01-01T00:00Z")
        #expect(
            future
                == .failure(
                    64,
                    """
                    --start '2999-01-01T00:00Z' is 2999-01-01 00:00:00 UTC, in the future
                      hint: correct it; a time without a zone is in the configured time zone, one with Z in UTC
                    """))
        #expect(!scratch.exists("sessions/c"))
    }

    @Test func `a recording tells when its session began, and the line that closes it`() throws {
        let recorded = try scratch.shell(
            """
            ffmpeg -nostdin -v error -f lavfi -i sine=duration=3 take.wav && touch -d 2026-02-04T21:00:03Z take.wav
            """)
        try #require(recorded.status == 0, "\(recorded)")
        let made = try scratch.trace("session", "init", "sessions/late set", "--from", "take.wav")
        #expect(
            made
                == Outcome(
                    "created: <scratch>/sessions/late set (id <ulid>)\nmedia: <ulid> (media/<ulid>.wav)\n",
                    errors: """
                        it began at 2026-02-04 21:00:00 UTC: the file's last change minus its duration
                        it is open; to end it with the recording: trace session close '<scratch>/sessions/late set' \
                        --at 2026-02-04T21:00:03.000Z (next time, --close does)

                        """))
        let header = try scratch.text("sessions/late set/session.json")
        #expect(header.contains(#""start_time": "2026-02-04T21:00:00.000Z""#))
        #expect(header.contains(#""duration_ms": 3000"#) && header.contains(#""mime": "audio/wav""#))
        let closed = try scratch.shell(
            "$TRACE session close \"$PWD/sessions/late set\" --at 2026-02-04T21:00:03.000Z")
        #expect(closed.output.hasSuffix("(duration 3000ms)\n"), "\(closed)")
        #expect(try scratch.trace("validate", "--all").status == 0)
        let other = try scratch.trace(
            "session", "init", "sessions/b", "--from", "take.wav", "--start", "2026-02-04T20:00Z", "--json",
            "-q")
        #expect(try JSONContract(of: "trace session init").breaches(in: other.output) == [])
        #expect(
            try scratch.text("sessions/b/session.json").contains(#""start_time": "2026-02-04T20:00:00.000Z""#)
        )
        #expect(try scratch.names(in: ".").contains("take.wav"))
    }

    @Test(arguments: ["1904-01-01", "1970-01-01", "1980-01-01", "2098-01-01"])
    func `a recorder whose clock is wrong is found out before anything is copied`(day: String) throws {
        let recorded = try scratch.shell(
            "ffmpeg -nostdin -v error -f lavfi -i sine=duration=3 take.wav && touch -d \(day)T00:00:00Z take.wav"
        )
        try #require(recorded.status == 0, "\(recorded)")
        let made = try scratch.trace("session", "init", "sessions/a", "--from", "take.wav")
        if day.hasPrefix("20") {
            #expect(
                made
                    == Outcome(
                        errors: """
                            error: '<scratch>/take.wav' was last changed at \(day) 00:00:00 UTC, in the future, so that does not \
                            tell when it began
                              hint: give it with --start; the clock of the recorder may be wrong

                            """, status: 64))
            #expect(try scratch.names(in: "sessions") == [])
        } else {
            #expect(
                made.errors.hasPrefix(
                    """
                    warning: <scratch>/take.wav: it was last changed at \(day) 00:00:00 UTC, as a recorder has it whose clock was \
                    never set
                      hint: correct the start with 'trace session edit --start TIME', and set the clock of the recorder
                    it began at
                    """), "\(made)")
            #expect(made.status == 0)
        }
        let given = try scratch.trace(
            "session", "init", "sessions/b", "--from", "take.wav", "--start", "2026-02-04T20:00Z")
        #expect(given.status == 0 && !given.errors.contains("clock"), "\(given)")
    }

    @Test func `a recording that can't be taken in makes no session`() throws {
        try scratch.write("\u{0}sound", to: "take.m4a")
        try scratch.write("sound", to: "take.xyz")
        try scratch.write("", to: "empty.wav")
        try scratch.write("Set list: Café\r\n\t1. Drone\n", to: "text.wav")
        // A character that is cut in two at the end of what is looked at.
        try scratch.write("a" + String(repeating: "é", count: 3000), to: "long.wav")
        let later = ["--start", "2026-02-04T20:00Z"]
        for (arguments, status, message) in [
            (["--from", "no.wav"], 66, "<scratch>/no.wav: "),
            (["--from", "sessions"], 64, "--from '<scratch>/sessions' is not a regular file"),
            (["--from", "take.xyz"], 64, "--from '<scratch>/take.xyz': the extension does not identify"),
            (["--from", "take.m4a"], 64, "when '<scratch>/take.m4a' began is unknown"),
            (
                ["--from", "empty.wav"], 64,
                "--from '<scratch>/empty.wav' is not a recording: it is empty\n  hint: copy"
            ),
            (
                ["--from", "empty.wav"] + later, 64,
                "--from '<scratch>/empty.wav' is not a recording: it is empty\n"
            ),
            (
                ["--from", "text.wav"] + later, 64,
                "--from '<scratch>/text.wav' is not a recording: it is a text\n"
            ),
            (
                ["--from", "long.wav"] + later, 64,
                "--from '<scratch>/long.wav' is not a recording: it is a text\n"
            ),
        ] {
            let failed = try scratch.trace(["session", "init", "sessions/a"] + arguments)
            #expect(failed.errors.hasPrefix("error: \(message)") && failed.status == status, "\(failed)")
        }
        #expect(try scratch.names(in: "sessions") == [])
        // What it is, is not asked; only how long it is.
        let made = try scratch.trace(
            "session", "init", "sessions/a", "--from", "take.m4a", "--start", "yesterday")
        #expect(made.status == 0, "\(made)")
        #expect(made.errors == "it is open: how long the recording is, is not known\n")
    }
}
