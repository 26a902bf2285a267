import Foundation
import Testing

/// Suggestions, colours, pages and completions.
struct ComfortTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    // MARK: - Suggestions

    @Test(arguments: [
        ("markres list", "trace markers"), ("--json sesions", "trace sessions"),
        ("session shwo", "trace session show"),
        ("-s last valdiate", "trace validate"), ("queue flsuh", "trace queue flush"),
        ("markers lsit", "trace markers list"),
    ])
    func `a mistyped command names the right one`(line: String, meant: String) throws {
        let outcome = try scratch.trace(line.split(separator: " ").map(String.init))
        let errors = outcome.errors.split(separator: "\n")
        #expect(errors[0].hasPrefix("error: "), "\(outcome)")
        #expect(errors[1] == "  hint: did you mean '\(meant)'?", "\(outcome)")
        #expect(outcome.status == 64)
    }

    @Test(arguments: [
        ("init", "'trace session init' or 'trace journal init'"), ("flush", "'trace queue flush'"),
        ("rename", "'trace tag rename' or 'trace token rename'"),
    ])
    func `a verb without its group names it`(verb: String, meant: String) throws {
        #expect(try scratch.trace(verb).errors.contains("\n  hint: did you mean \(meant)?\n"))
    }

    // MARK: - On a terminal

    /// What a command prints on a terminal of 80 columns and 24 rows.
    /// - Parameter kept: The file into which goes what is shown, as it comes.
    private func terminal(
        _ command: String, environment: String = "", kept: String = "/dev/null"
    ) throws -> String {
        let script = "stty cols 80 rows 24; \(environment) \(Binaries.url("trace").path) \(command)"
        return try scratch.run("/usr/bin/script", ["-qefc", script, kept]).output.replacing(
            "\r\n", with: "\n")
    }

    @Test func `colours are for terminals, unless somebody says otherwise`() throws {
        try scratch.copySample()
        let digest = "digest show 2026-02-11-loop-practice"
        let escape = "\u{1B}["
        #expect(try terminal(digest, environment: "TERM=xterm").contains(escape))
        for plain in ["NO_COLOR=1 TERM=xterm", "TERM=dumb"] {
            #expect(try !terminal(digest, environment: plain).contains(escape))
        }
        #expect(try terminal(digest, environment: "NO_COLOR= TERM=xterm").contains(escape))
        #expect(try !terminal("\(digest) --color never", environment: "TERM=xterm").contains(escape))
        let arguments = digest.split(separator: " ").map(String.init)
        #expect(try !scratch.trace(arguments).output.contains(escape))
        for (value, isStyled) in [("1", true), ("0", false), ("", false)] {
            let shown = try terminal(digest, environment: "CLICOLOR_FORCE=\(value) TERM=dumb")
            #expect(shown.contains(escape) == isStyled, "\(value)")
        }
        #expect(try scratch.trace(["--color", "always"] + arguments).output.contains(escape))
        #expect(
            try scratch.trace(arguments + ["--color=always"], environment: ["NO_COLOR": "1"]).output.contains(
                escape))
    }

    @Test func `long answers go to the pager, short ones and pipes do not`() throws {
        try scratch.session("a", markers: (1...40).map { marker($0 + 100, at: $0) }.joined())
        try scratch.session("b", id: 2, markers: marker(200, at: 5))
        let pager = "TRACE_PAGER='sed s/^/page:/' PAGER=no"
        #expect(
            try terminal("markers list sessions/a", environment: pager).matches(of: #/page:/#).count == 41)
        #expect(try !terminal("markers list sessions/b", environment: pager).contains("page:"))
        #expect(try !terminal("markers list sessions/a --no-pager", environment: pager).contains("page:"))
        #expect(try !terminal("markers list sessions/a --json", environment: pager).contains("page:"))
        #expect(
            try terminal("markers list sessions/a", environment: "PAGER='sed s/^/other:/'").contains("other:")
        )
        #expect(
            try terminal("markers list sessions/a", environment: "PAGER=no-such-program").contains(
                number(101).suffix(6)))
        #expect(
            try terminal("markers list sessions/a", environment: "PAGER='printenv LESS; cat'").hasPrefix(
                "FRX\n"))
        let piped = try scratch.trace(
            "markers", "list", "sessions/a", environment: ["TRACE_PAGER": "sed s/^/page:/"])
        #expect(!piped.output.contains("page:"))
    }

    @Test func `a session is shown with a strip on a terminal, and without one in a pipe`() throws {
        try scratch.closedSession("a", markers: marker(10, at: 60_000, tags: ["highlight"]))
        let lines = try terminal("session show sessions/a").split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.suffix(5).dropLast(2).last?.hasPrefix("0:00 ") == true, "\(lines)")
        #expect(lines.suffix(2).first == "height: markers · H highlight", "\(lines)")
        #expect(lines.contains { $0.trimmingCharacters(in: .whitespaces) == "H" })
        #expect(try !scratch.trace("session", "show", "sessions/a").output.contains("0:00 "))
    }

    @Test func `words of a person's are rendered, and said to be older than their session`() throws {
        try scratch.session("a", markers: marker(10, at: 90_000))
        #expect(try scratch.trace("digest", "generate", "a").status == 0)
        let file = "sessions/a/digest.md"
        try scratch.write("My **words**.\n\n" + scratch.text(file), to: file)
        let command = "digest show a --no-pager"
        let fresh = try terminal(command, environment: "NO_COLOR=1")
        #expect(fresh.hasPrefix("My words.\n\nSet\n\n2026-02-04 "), "\(fresh)")
        for sign in ["<!--", "```", "**", "older"] { #expect(!fresh.contains(sign), "\(sign)") }
        #expect(try scratch.trace("digest", "show", "a").output == scratch.text(file))

        #expect(try scratch.trace("mark", "a", "2:00", "--label", "Later").status == 0)
        // Both were written within a second.
        let sed =
            #"sed -i -E 's/("digest_updated_at": ?")[^"]+/\12026-02-04T20:00:00.000Z/' sessions/a/session.json"#
        #expect(try scratch.shell(sed) == Outcome())
        let old = try terminal(command, environment: "NO_COLOR=1")
        #expect(
            old.hasSuffix(
                "\nThis text is older than the session; 'trace digest generate <scratch>/sessions/a' brings the generated part up to date.\n"
            ), "\(old)")
        #expect(try scratch.trace("digest", "generate", "a").status == 0)
        #expect(try !terminal(command, environment: "NO_COLOR=1").contains("older"))
    }

    @Test func `work that takes long shows a bar on a terminal`() throws {
        try scratch.session("a")
        try scratch.makeDirectory("bin")
        try scratch.writeProgram(
            """
            #!/bin/sh
            size() { stat -c %s \(scratch.path)/seen; }
            i=0; begun=$(size); until [ $(size) -gt $((begun + 300)) ] || [ $i -gt 8000 ]; do
            echo out_time_us=$((i % 9 + 1))00000; i=$((i + 1)); /bin/sleep 0.02; done
            for last; do :; done; echo sound > "$last"
            """, to: "bin/ffmpeg")
        try scratch.writeProgram(
            "#!/bin/sh\necho '{\"streams\":[{\"codec_type\":\"audio\",\"codec_name\":\"aac\"}],\"format\":{\"duration\":\"1.0\"}}'",
            to: "bin/ffprobe")
        try scratch.write("x", to: "take.mkv")
        let shown = try terminal(
            "media add-review-audio sessions/a --source take.mkv",
            environment: "PATH=\(scratch.path)/bin:$PATH", kept: "\(scratch.path)/seen")
        #expect(shown.contains(#/\rextracting the audio \[#+\.+\] \d+ %/#), "\(shown)")
        #expect(shown.hasSuffix("\r\u{1B}[Kmedia: <ulid> (media/<ulid>.m4a)\n"), "\(shown)")
    }

    // MARK: - Completion

    @Test(arguments: ["bash", "zsh", "fish"]) func `the scripts ask for what there is`(shell: String) throws {
        let script = try scratch.trace("--generate-completion-script", shell)
        #expect(script.status == 0)
        #expect(script.output.contains("---completion"))
        for verb in ["doctor", "watch", "transcribe", "add-review-audio", "rename"] {
            #expect(script.output.contains(verb), "\(verb)")
        }
        if shell == "bash" {
            // Longer than an argument may be.
            try scratch.write(script.output, to: "completion.bash")
            #expect(try scratch.shell("bash -n completion.bash") == Outcome())
        }
    }

    /// What is known without a look at the files stands in the scripts themselves.
    @Test(arguments: ["bash", "zsh", "fish"])
    func `formats, categories and times are offered`(shell: String) throws {
        let script = try scratch.trace("--generate-completion-script", shell).output
        for word in [
            "audacity", "youtube", "jsonl", "texture-sample", "yesterday", "monday", "queue-entry", "closed",
        ] {
            #expect(script.contains(word), "\(word)")
        }
    }

    @Test func `sessions, tags and rules are those of this moment`() throws {
        try scratch.session("a", title: "Monday", markers: marker(10, at: 5, tags: ["solo", "Odd tag"]))
        try scratch.session("b", id: 2, title: "Late set")
        func words(_ arguments: String...) throws -> [String] {
            try scratch.trace(["---completion"] + arguments).output.split(separator: "\n").map(String.init)
        }
        let sessions = try words("session", "show", "--", "positional@0", "0", "0")
        // Those that began at the same time come in any order.
        #expect(sessions.first == "last" && Set(sessions[1...2]) == ["a", "b"] && sessions[3] == "Monday")
        #expect(sessions.count == 6 && Set(sessions[4...5]) == [number(1), number(2)])
        let tags = try words("markers", "list", "--", "--tag", "0", "0")
        #expect(tags == ["fix-review", "highlight", "solo", "structure", "texture-sample"])
        #expect(try words("marker", "edit", "--", "positional@0", "0", "0", "a") == ["last", number(10)])
        #expect(try words("explain", "--", "positional@0", "0", "0").contains("marker-voice-note-missing"))
    }
}
