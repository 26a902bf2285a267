import Foundation
import Journals
import RecordFormat
import TestSupport
import Testing
import TraceStore

/// What holds for every command.
struct ParsingTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// The verbs of the kinds of journal that have some, in the order of the kinds.
    private static let kinds = Journals.all.formats.compactMap(\.verbs)
    private static let namesOfKinds = kinds.map { $0.name }

    // MARK: - Help

    @Test func `no arguments, or a question for help, are answered on standard output`() throws {
        let help = try scratch.trace()
        #expect(help.output.hasPrefix("OVERVIEW: Mark, search and check practice and live sessions"))
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

    @Test func `the commands stand in groups`() throws {
        let help = try scratch.trace("--help").output
        let groups = help.matches(of: #/(?m)^([A-Z ]+) SUBCOMMANDS:$/#).map { String($0.output.1) }
        #expect(
            groups == [
                "SESSION", "MARKING",
            ] + Self.kinds.map { $0.title.uppercased() } + [
                "FINDING", "RECORDING AND EXCHANGE", "CHECKING", "QUEUE AND ACTION", "ACCESS", "HOUSEKEEPING",
            ])
        #expect(help.contains("\nEXAMPLES:\n  trace session init --title Monday\n"))
        #expect(try scratch.trace("help", "queue").output.contains("\nEXAMPLES:\n  trace queue list\n"))
        #expect(try !scratch.trace("--version").output.contains("EXAMPLES"))
    }

    /// The words of each command that has none below it.
    static func commands(in scratch: Scratch) throws -> [[String]] {
        struct Tree: Decodable {
            struct Command: Decodable {
                let commandName: String
                let subcommands: [Command]?

                var ways: [[String]] {
                    guard let subcommands, !subcommands.isEmpty else { return [[commandName]] }
                    return subcommands.flatMap(\.ways).map { [commandName] + $0 }
                }
            }

            let command: Command
        }
        let dump = try scratch.trace("--experimental-dump-help").output
        let ways = try JSONDecoder().decode(Tree.self, from: Data(dump.utf8)).command.ways
        return ways.map { Array($0.dropFirst()) }.filter { !$0.contains("help") }
    }

    /// It comes out of declarations, by the parser's reflection: a parser that stops reflecting would show empty commands.
    @Test(arguments: namesOfKinds)
    func `the help of the verbs of a kind is as it was kept`(kind: String) throws {
        let golden = SourceFile.root.appending(path: "Tests/Fixtures/help/\(kind).txt")
        let help = try Self.commands(in: scratch).filter { $0.contains(kind) }.map { command in
            "### \(command.joined(separator: " "))\n" + (try scratch.trace(command + ["--help"]).output)
        }
        let text = help.joined(separator: "\n")
        if ProcessInfo.processInfo.environment["TRACE_UPDATE_GOLDEN"] != nil {
            try text.write(to: golden, atomically: true, encoding: .utf8)
        }
        let isSame = try text == String(contentsOf: golden, encoding: .utf8)
        #expect(isSame, "run the tests with TRACE_UPDATE_GOLDEN=1, and see what has changed")
    }

    @Test func `the version`() throws {
        let outcome = try scratch.trace("--version")
        #expect(outcome.output.wholeMatch(of: #/\d+\.\d+\.\d+\n/#) != nil)
        #expect(outcome.status == 0)
        #expect(try scratch.run(Binaries.url("traced").path, ["--version"]) == outcome)
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
                    there is no command 'trace frobnicate'
                      hint: commands of 'trace': session, sessions, journal, journals, mark, markers, marker, voice-notes, voice-note, unplaced, tag, undo, redo, \
                    restore, \(Self.kinds.map { "\($0.name), " }.joined())search, at, timeline, digest, watch, position, media, transcribe, export, import, validate, validate-fixtures, repair, explain, schema, queue, \
                    action, token, pair, status, doctor, index, config
                    """))
        #expect(
            try scratch.trace("session", "frobnicate")
                == .failure(
                    64,
                    """
                    there is no command 'trace session frobnicate'
                      hint: commands of 'trace session': init, pause, resume, close, reopen, show, edit, delete, restore
                    """))
    }

    @Test(arguments: [
        "session", "markers", "voice-notes", "action", "queue", "digest", "queue add", "tag", "index",
        "practice",
    ])
    func `a group alone prints its help`(group: String) throws {
        let words = group.split(separator: " ").map(String.init)
        let outcome = try scratch.trace(words)
        #expect(outcome.output.contains("SUBCOMMANDS:") && outcome.output.contains("EXAMPLES:"))
        #expect(try outcome == scratch.trace(words + ["--help"]))
    }

    @Test(arguments: ["0", "-1", "12"])
    func `help explains its options in however few columns`(columns: String) throws {
        let outcome = try scratch.trace("mark", "--help", environment: ["COLUMNS": columns])
        #expect(outcome.output.contains("Print only JSON on standard output."), "\(outcome)")
    }

    @Test(arguments: [
        ("session list", "sessions"), ("session new", "session init"), ("session rename", "session edit"),
        ("marker list", "markers list"), ("find", "search"), ("stop", "session close"),
        ("markers add", "mark"), ("voice-notes add", "voice-note"), ("action reject", "action decline"),
    ])
    func `what other programs call otherwise is known`(typed: String, meant: String) throws {
        let outcome = try scratch.trace(typed.split(separator: " ").map(String.init))
        #expect(
            outcome.errors.hasSuffix("\n  hint: did you mean 'trace \(meant)'?\n"), "\(outcome)")
        #expect(outcome.status == 64)
    }

    @Test(arguments: [
        ("mark --ofset 5", "'--ofset' is not an option of 'trace mark'; did you mean '--offset'?"),
        (
            "--json mark --ofset=5 --label --labl",
            "'--ofset' is not an option of 'trace mark'; did you mean '--offset'?"
        ),
        (
            "media add --flie x --offset 0",
            "'--flie' is not an option of 'trace media add'; did you mean '--file'?"
        ),
        ("digest write --xyzzyxyzzy", "'--xyzzyxyzzy' is not an option of 'trace digest write'"),
    ])
    func `a mistyped option is named, also where the right one is missing`(line: String, hint: String) throws
    {
        let outcome = try scratch.trace(line.split(separator: " ").map(String.init))
        let unknown = "Unknown option '\(hint.dropFirst().prefix { $0 != "'" })'"
        #expect(
            outcome.errors.contains("\n  hint: \(hint)") || outcome.errors.hasPrefix("error: \(unknown)"),
            "\(outcome)")
        #expect(outcome.status == 64 && outcome.output == "")
    }

    @Test(arguments: [
        ("help nope", "trace nope", "commands of 'trace': session, "),
        ("--json help session list", "trace session list", "did you mean 'trace sessions'?\n"),
        ("help session nope", "trace session nope", "commands of 'trace session': init, "),
        ("help mark nope", "trace mark nope", "'trace mark' has no subcommands"),
        ("help mrak", "trace mrak", "did you mean 'trace mark'?\n"),
    ])
    func `help for what there is not is an error`(line: String, typed: String, hint: String) throws {
        let outcome = try scratch.trace(line.split(separator: " ").map(String.init))
        #expect(
            outcome.errors.hasPrefix("error: there is no command '\(typed)'\n  hint: \(hint)"), "\(outcome)")
        #expect(outcome.status == 64 && outcome.output == "")
    }

    @Test func `a mistyped option names the right one`() throws {
        let outcome = try scratch.trace("markers", "list", "--tga", "a")
        #expect(outcome.errors.hasPrefix("error: Unknown option '--tga'\n  hint: did you mean '--tag'?\n"))
        #expect(outcome.status == 64)
    }

    @Test(arguments: [
        ("validate --all last", "give sessions, or use --all, not both"),
        ("validate --all -s last", "give sessions, or use --all, not both"),
        ("validate last --json --format sarif", "use --format or --json, not both"),
        ("export last --format csv --force", "--force replaces a file; give it with --output or --embed"),
        (
            "export last --format csv --fps 25",
            "--fps has no effect on csv\n  hint: omit it; it is for edl and otio"
        ),
        (
            "import labels.txt --fps 25 -n",
            "--fps has no effect on audacity\n  hint: omit it; it is for edl"
        ),
        ("digest show --since monday --rendered", "--rendered can't be combined with --since and --until"),
        ("transcribe last --voice-notes --offset 5", "--offset and --duration need --text or --file"),
        ("transcribe last --duration 5", "--offset and --duration need --text or --file"),
        ("tag rename a b --all -s last", "--all can't be combined with a session"),
        ("-s last sessions", "--session has no effect on this command"),
        ("session init new --session=last", "--session has no effect on this command"),
        ("status -s last", "--session has no effect on this command"),
    ])
    func `an option without effect is an error`(line: String, message: String) throws {
        try scratch.session("a", markers: marker(10, at: 5, tags: ["a"]))
        try scratch.write("1.5\t4.5\tx\n", to: "labels.txt")
        let before = try scratch.tree("sessions")
        let outcome = try scratch.trace(line.split(separator: " ").map(String.init))
        #expect(outcome.errors.hasPrefix("error: \(message)"), "\(outcome)")
        #expect(outcome.status == 64 && outcome.output == "")
        #expect(try scratch.tree("sessions") == before)
    }

    @Test func `a session in the environment is for the commands that take one`() throws {
        try scratch.session("a")
        #expect(try scratch.trace("sessions", environment: ["TRACE_SESSION": "a"]).status == 0)
    }

    @Test func `a configuration that can't be used is an error of its own`() throws {
        #expect(
            try scratch.trace("sessions", "--config", "no.yaml")
                == .failure(
                    78,
                    """
                    --config: there is no configuration file '<scratch>/no.yaml' [config-file-unreadable]
                      hint: correct the path, or leave it out to use the default files
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
        _ = try scratch.trace(
            "--state-directory", "elsewhere", "session", "init", "more/b", "--title", "More")
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
                == Outcome("1\n", errors: "error: not every session conforms to the format\n"))
        let listed = #"{ "$TRACE" markers list last; echo $? >status; } | :; cat status"#
        #expect(try scratch.shell(listed) == Outcome("0\n"))
    }

    @Test func `an answer that can't be written is an error`() throws {
        #expect(
            try scratch.shell(#""$TRACE" schema >/dev/full"#)
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
                      hint: don't repeat the command, it has completed: marker: <ulid>

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
