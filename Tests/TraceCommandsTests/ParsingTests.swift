import Testing

/// What holds for every command.
struct ParsingTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    // MARK: - Help

    @Test func `no arguments, or a question for help, are answered on standard output`() throws {
        let help = try scratch.trace()
        #expect(help.output.hasPrefix("OVERVIEW: Keep practice and live sessions"))
        #expect(help.errors == "")
        #expect(help.status == 0)
        for arguments in [["--help"], ["-h"], ["help"], ["--json", "--help"]] {
            #expect(try scratch.trace(arguments) == help)
        }
    }

    @Test func `the help says every exit status that a command can end with`() throws {
        let help = try scratch.trace("--help").output.split(whereSeparator: \.isWhitespace).joined(
            separator: " ")
        #expect(
            help.contains(
                """
                Exit statuses: 0 done; 1 negative result; 64 usage; 65 bad data; 66 no such session or record; \
                69 a program is missing; 73 can't create; 74 input or output; 75 try again; 77 permission; \
                78 configuration; 130 stopped.
                """))
    }

    @Test(arguments: ["mark", "markers list", "session init", "voice-note", "queue add marker", "validate"])
    func `help anywhere on the line does nothing but help`(command: String) throws {
        try scratch.session("a")
        let before = try scratch.tree("sessions")
        let words = command.split(separator: " ").map(String.init)
        let help = try scratch.trace(words + ["sessions/a", "--help"])
        #expect(help.output.hasPrefix("OVERVIEW: "))
        #expect(help.output.contains("USAGE: trace \(command) "))
        #expect(help.status == 0)
        #expect(try scratch.tree("sessions") == before)
    }

    @Test func `the version`() throws {
        let outcome = try scratch.trace("--version")
        #expect(outcome.output.wholeMatch(of: #/\d+\.\d+\.\d+\n/#) != nil)
        #expect(outcome.status == 0)
    }

    @Test(arguments: ["bash", "zsh", "fish"]) func `completions come out of the parser`(shell: String) throws
    {
        let outcome = try scratch.trace("--generate-completion-script", shell)
        #expect(outcome.output.contains("voice-note"))
        #expect(outcome.status == 0)
    }

    // MARK: - Errors

    @Test func `an unknown command is an error`() throws {
        #expect(
            try scratch.trace("frobnicate")
                == .failure(
                    64,
                    """
                    Unexpected argument 'frobnicate'
                    Usage: trace [--json] [--quiet] [--verbose] [--session <session>] [--config <file>] [--root <directory> ...] [--state-directory <directory>] [--color <color>] [--no-pager] <subcommand>
                      See 'trace --help' for more information.
                    """))
        #expect(
            try scratch.trace("session", "frobnicate")
                == .failure(
                    64,
                    """
                    Unexpected argument 'frobnicate'
                    Usage: trace session <subcommand>
                      See 'trace session --help' for more information.
                    """))
    }

    @Test(arguments: [
        ("session", "init|pause|resume|close|show"), ("markers", "list"),
        ("queue", "list|show|add|flush|retry|drop|import"), ("digest", "show"),
        ("queue add", "marker|voice-note"),
    ])
    func `a group alone is an error that names its commands`(group: String, verbs: String) throws {
        let outcome = try scratch.trace(group.split(separator: " ").map(String.init))
        #expect(outcome.output == "")
        #expect(
            outcome.errors.hasPrefix(
                "error: 'trace \(group)' does nothing by itself\n  hint: write 'trace \(group) \(verbs)"))
        #expect(outcome.status == 64)
    }

    @Test func `a mistyped option names the right one`() throws {
        let outcome = try scratch.trace("markers", "list", "--tga", "a")
        #expect(outcome.errors.hasPrefix("error: Unknown option '--tga'. Did you mean '--tag'?\n"))
        #expect(outcome.status == 64)
    }

    @Test func `a configuration that can't be used is an error of its own`() throws {
        #expect(
            try scratch.trace("sessions", "--config", "no.yaml")
                == .failure(
                    78,
                    """
                    --config: there is no configuration file '<scratch>/no.yaml' [config-file-unreadable]
                      hint: correct the path, or leave it out to use the usual files
                    """))
        try scratch.write("rots: [/x]\n", to: "config.yaml")
        let outcome = try scratch.trace("--config", "config.yaml", "sessions")
        #expect(outcome.errors.contains("roots"))
        #expect(outcome.errors.hasPrefix("error: <scratch>/config.yaml"))
        #expect(outcome.status == 78)
    }

    // MARK: - Options of every command

    @Test func `options of every command stand before the verb or behind it`() throws {
        try scratch.session("a")
        let json = Outcome("[]\n")
        for arguments in [
            ["--json", "markers", "list"], ["markers", "--json", "list"], ["markers", "list", "--json"],
            ["--quiet", "markers", "list", "--json"], ["--json", "markers", "list", "--quiet"],
        ] {
            #expect(try scratch.trace(arguments) == json)
        }
        for arguments in [["-v", "markers", "list"], ["markers", "list", "-v"]] {
            #expect(try scratch.trace(arguments).errors.hasPrefix("answered from the index"))
        }
    }

    @Test func `roots and the state directory can be given on the line`() throws {
        try scratch.makeDirectory("more")
        _ = try scratch.trace("session", "init", "more/b", "--title", "More")
        for arguments in [
            ["--root", "more", "session", "show", "last"], ["session", "show", "last", "--root", "more"],
        ] {
            #expect(try scratch.trace(arguments).output.contains("\ntitle: More\n"))
        }
        _ = try scratch.trace("--state-directory", "elsewhere", "sessions")
        #expect(scratch.exists("elsewhere/index.sqlite"))
        #expect(!scratch.exists("state"))
    }

    // MARK: - Standard output

    @Test func `nobody reading is no error`() throws {
        try scratch.copySample()
        let script = #"{ "$TRACE" validate --all; echo $? >status; } | :; cat status"#
        #expect(
            try scratch.shell(script)
                == Outcome("1\n", errors: "error: not every session is as the format says\n"))
        let listed = #"{ "$TRACE" markers list last; echo $? >status; } | :; cat status"#
        #expect(try scratch.shell(listed) == Outcome("0\n"))
    }

    @Test func `an answer that can't be written is an error`() throws {
        #expect(
            try scratch.shell(#""$TRACE" sessions >/dev/full"#)
                == .failure(74, "cannot write to standard output: No space left on device"))
    }

    @Test func `a closed standard output is no file of ours`() throws {
        try scratch.session("a")
        let outcome = try scratch.shell(#""$TRACE" -q mark --offset 5 >&- 2>errors <&-; echo $?; cat errors"#)
        #expect(
            outcome
                == Outcome(
                    """
                    74
                    error: cannot write to standard output: Bad file descriptor
                      hint: don't repeat the command, it has done its work: marker: <ulid>

                    """))
        #expect(try scratch.trace("validate", "sessions/a") == Outcome("ok: sessions/a\n"))
        #expect(try scratch.text("sessions/a/markers.jsonl").split(separator: "\n").count == 1)
    }

    @Test func `a full disk or a size limit leaves the files as they were`() throws {
        try scratch.session("a")
        let before = try scratch.tree("sessions")
        let outcome = try scratch.shell(#"(ulimit -f 0; exec "$TRACE" -q mark --offset 5 2>&1) | cat"#)
        #expect(outcome.output.hasPrefix("error: "))
        #expect(try scratch.tree("sessions") == before)
    }
}
