import Foundation
import Testing

/// How the session of a command is named; every command asks in the same way.
struct NamingTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.closedSession("late-set", id: 1, title: "Late set")
        try scratch.session("loop", id: 21, start: "2026-02-11T18:00:00.000Z", title: "Loop")
    }

    private func id(_ outcome: Outcome) -> String { String(outcome.output.prefix { $0 != "\n" }) }

    @Test(arguments: [
        ("sessions/late-set", 1), ("./sessions/late-set/", 1), ("last", 21), (number(1), 1),
        (number(21).lowercased(), 21), (String(number(21).dropLast()), 21), ("late SET", 1), ("loop", 21),
        ("late-set", 1),
    ])
    func `a session answers to its directory, id, beginning, title and name`(name: String, wanted: Int) throws
    {
        #expect(id(try scratch.trace("session", "show", name)) == "id: \(number(wanted))")
        #expect(id(try scratch.trace("session", "show", "--session", name)) == "id: \(number(wanted))")
        #expect(id(try scratch.trace("-s", name, "session", "show")) == "id: \(number(wanted))")
        let variable = ["TRACE_SESSION": name]
        #expect(id(try scratch.trace("session", "show", environment: variable)) == "id: \(number(wanted))")
    }

    @Test func `the argument comes before the option, and that before the variable`() throws {
        let variable = ["TRACE_SESSION": "nobody"]
        #expect(
            id(try scratch.trace("session", "show", "--session", "late-set", environment: variable))
                == "id: \(number(1))")
        #expect(
            id(try scratch.trace("session", "show", "loop", "-s", "late-set", environment: variable))
                == "id: \(number(21))")
    }

    @Test func `the option counts behind the verb and before it`() throws {
        #expect(
            id(try scratch.trace("-s", "late-set", "session", "show", "-s", "loop")) == "id: \(number(21))")
    }

    @Test func `a folder of the same name in the working directory hides no session`() throws {
        for name in ["loop", "Late set", String(number(21).prefix(25))] {
            try scratch.makeDirectory("here/\(name)")
        }
        for (name, wanted) in [("loop", 21), ("Late set", 1), (String(number(21).prefix(25)), 21)] {
            #expect(id(try scratch.trace("session", "show", name, in: "here")) == "id: \(number(wanted))")
        }
        #expect(try scratch.trace("mark", "loop", "--offset", "5", "-q", in: "here").status == 0)
        #expect(try scratch.text("sessions/loop/markers.jsonl").contains("\"offset_ms\":5"))
        #expect(try scratch.names(in: "here/loop") == [])
        // A session here is meant before one of that name elsewhere.
        try scratch.session("Late set", id: 3)
        #expect(
            try scratch.shell(
                "mv 'sessions/Late set' here/twin && rmdir 'here/Late set' && mv here/twin 'here/Late set'")
                == Outcome())
        #expect(id(try scratch.trace("session", "show", "Late set", in: "here")) == "id: \(number(3))")
    }

    @Test func `a folder in the working directory that nothing else is called is no session`() throws {
        try scratch.makeDirectory("plain")
        #expect(
            try scratch.trace("session", "show", "plain")
                == .failure(
                    66,
                    """
                    plain: is not a session: it has no session.json [no-such-session]
                      hint: 'trace sessions' lists the sessions; 'trace session init' creates one
                    """))
    }

    @Test func `a header whose name is in another case is no session, and is to be renamed`() throws {
        try scratch.makeDirectory("shout")
        try scratch.write("{}", to: "shout/SESSION.JSON")
        #expect(
            try scratch.trace("session", "show", "shout")
                == .failure(
                    66,
                    """
                    shout: is not a session: case counts, and its SESSION.JSON is to be named session.json [no-such-session]
                      hint: rename SESSION.JSON to session.json
                    """))
    }

    @Test func `without a name it is the session around the working directory`() throws {
        #expect(id(try scratch.trace("session", "show", in: "sessions/late-set/media")) == "id: \(number(1))")
        #expect(id(try scratch.trace("session", "show", in: "sessions/late-set")) == "id: \(number(1))")
    }

    @Test func `and else the one that is active`() throws {
        #expect(id(try scratch.trace("session", "show")) == "id: \(number(21))")
        #expect(
            id(try scratch.trace("session", "show", environment: ["TRACE_SESSION": ""]))
                == "id: \(number(21))")
    }

    @Test func `of several active ones the candidates are listed`() throws {
        try scratch.session("more", id: 3)
        #expect(
            try scratch.trace("session", "close")
                == .failure(
                    64,
                    """
                    no session was given, and 2 are active [ambiguous-session]:
                      \(number(21))  <scratch>/sessions/loop  Loop
                      \(number(3))  <scratch>/sessions/more  Set
                      hint: choose one of them with --session
                    """))
    }

    @Test
    func
        `a mark that several active sessions could mean is told in commands that are ready where it may not be kept`()
        throws
    {
        scratch.environment["TRACE_STALE_AFTER"] = "3650d"
        try scratch.session("more", id: 3, start: "2999-01-01T00:00:00.000Z", title: nil)
        let typed = ["mark", "--label", "It's now", "--offset", "now", "--tag=highlight", "--no-queue"]
        let failed = try scratch.trace(typed)
        #expect(failed.status == 64 && failed.output == "")
        let match = try #require(
            failed.errors.wholeMatch(
                of:
                    #/
                error:\ no\ session\ was\ given,\ and\ 2\ are\ active\ \[ambiguous-session\]\n
                \ \ Loop\ \(<scratch>\/sessions\/loop\)\n
                \ \ \ \ (trace\ mark\ -s\ loop\ --offset\ [\d:.]+\ --label\ 'It'\\''s\ now'\ --tag=highlight\ --no-queue)\n
                \ \ <scratch>\/sessions\/more\n
                \ \ \ \ trace\ mark\ -s\ more\ --offset\ 0:00\ --label\ 'It'\\''s\ now'\ --tag=highlight\ --no-queue\n
                \ \ hint:\ run\ the\ line\ of\ the\ intended\ session;\ its\ offset\ is\ the\ time\ of\ this\ command\n
                /#), "\(failed)")
        #expect(try scratch.shell("trace() { \"$TRACE\" \"$@\"; }; \(match.1)").status == 0)
        let line = try scratch.text("sessions/loop/markers.jsonl", filled: false)
        let offset = try #require(line.firstMatch(of: #/"offset_ms":(\d+)/#)?.1)
        let passed = Date().timeIntervalSince1970 * 1000 - 1_770_832_800_000
        #expect(try abs(passed - #require(Double(offset))) < 600_000 && line.contains(#""label":"It's now""#))
    }

    @Test(arguments: [
        ("--json mark --offset 2:00", "trace --json mark -s more --offset 2:00"),
        ("mark --offset=end -q", "trace mark -s more --offset 0:00 -q"),
        (
            "voice-note --offset=now --duration 4s --media-file x.m4a --no-queue",
            "trace voice-note -s more --offset 0:00 --duration 4s --media-file x.m4a --no-queue"
        ),
        (
            "voice-note add --duration 4s --offset +5s --media-file x.m4a",
            "trace voice-note add -s more --duration 4s --offset +5s --media-file x.m4a"
        ),
    ])
    func `the ready command is what was typed, with the session named`(typed: String, ready: String) throws {
        scratch.environment["TRACE_STALE_AFTER"] = "3650d"
        try scratch.session("more", id: 3, start: "2999-01-01T00:00:00.000Z")
        let failed = try scratch.trace(typed.split(separator: " ").map(String.init))
        #expect(failed.errors.contains("\n  Set (<scratch>/sessions/more)\n    \(ready)\n"), "\(failed)")
        #expect(failed.status == 64)
    }

    @Test func `a beginning that several ids share lists them`() throws {
        #expect(
            try scratch.trace("session", "show", "01j")
                == .failure(
                    64,
                    """
                    '01j' is a prefix of several ids [ambiguous-session]:
                      \(number(1))  <scratch>/sessions/late-set  Late set
                      \(number(21))  <scratch>/sessions/loop  Loop
                      hint: choose one of them with --session
                    """))
    }

    @Test(arguments: ["nobody", "01K", ""]) func `who is not there is an error that says where was looked`(
        name: String
    ) throws {
        let reason =
            name.isEmpty
            ? "the session's name is empty" : "no session is named '\(name)' in <scratch>/sessions"
        let failure = Outcome.failure(
            66,
            """
            \(reason) [no-such-session]
              hint: give a directory, an id, a title or 'last'; 'trace sessions' lists them
            """)
        for command in [
            ["session", "show"], ["session", "close"], ["markers", "list"], ["validate"], ["digest", "show"],
        ] {
            #expect(try scratch.trace(command + [name]) == failure)
        }
        // Any other word is the label of a mark.
        guard name.isEmpty else { return }
        #expect(try scratch.trace("mark", name, "--offset", "5") == failure)
    }

    @Test func `a way up that begins at a link leads to the session where the link leads`() throws {
        try scratch.makeDirectory("elsewhere/inner")
        #expect(
            try scratch.shell("mv sessions/late-set elsewhere/loop; ln -s ../elsewhere/inner sessions/link")
                == Outcome())
        #expect(id(try scratch.trace("session", "show", "sessions/link/../loop")) == "id: \(number(1))")
    }

    @Test func `a directory need not be UTF-8`() throws {
        let name = Array("sessions/caf".utf8) + [0xE9]
        let made = try scratch.trace(bytes: Array("session".utf8), Array("init".utf8), name)
        #expect(made.output == "created: <scratch>/sessions/caf\\xE9 (id <ulid>)\n" && made.status == 0)
        let marked = try scratch.trace(
            bytes: Array("mark".utf8), name, Array("--offset=5".utf8), Array("-q".utf8))
        #expect(marked == Outcome("marker: <ulid>\n"))
        #expect(try scratch.trace(bytes: Array("validate".utf8), name) == Outcome("ok: sessions/caf\\xE9\n"))
        let option = Array("--session=".utf8) + name
        let listed = try scratch.trace(bytes: Array("markers".utf8), Array("list".utf8), option)
        #expect(listed == Outcome("<ulid>\t5\n"))
        #expect(
            try scratch.shell(#"TRACE_SESSION="$(printf 'sessions/caf\351')" "$TRACE" markers list"#)
                == Outcome("<ulid>\t5\n"))
        #expect(
            try scratch.shell(#""$TRACE" session close "$(printf 'sessions/caf\351')" | sed 's/ (.*//'"#)
                == Outcome("closed: sessions/caf\\xE9\n"))
    }

    @Test func `neither need a root be`() throws {
        let script =
            #"d="$(printf 'caf\351')"; mkdir "$d"; "$TRACE" --root "$d" session init "$d/a" -q >/dev/null"#
        #expect(try scratch.shell(script) == Outcome())
        let listed = try scratch.shell(#""$TRACE" validate --all --root "$(printf 'caf\351')""#)
        #expect(listed == Outcome("ok: <scratch>/caf\\xE9/a\n"))
    }

    @Test func `a character that is valid but never used keeps its bytes`() throws {
        let made = try scratch.trace("session", "init", "sessions/\u{10FFE9}")
        #expect(made.status == 0)
        #expect(scratch.exists("sessions/\u{10FFE9}/session.json"))
    }

    @Test(arguments: [
        "queue add marker --session 01KGNQZP000000000000000001 --offset=5 --label",
        "queue add marker --session 01KGNQZP000000000000000001 --offset=5 --device",
        "queue import export.json --device",
    ])
    func `a text of an entry that is not UTF-8 is refused, and nothing is queued`(_ words: String) throws {
        let outcome = try scratch.shell("\"$TRACE\" \(words) \"$(printf 'a\\377')\"")
        #expect(outcome.status == 64 && outcome.errors.contains("the text is not UTF-8"), "\(outcome)")
        #expect(!scratch.exists("state/queue"))
    }

    @Test func `a label that is not UTF-8 is refused`() throws {
        let outcome = try scratch.trace(
            bytes: Array("mark".utf8), Array("--offset=5".utf8), Array("--label".utf8), [0x61, 0xFF])
        #expect(
            outcome
                == .failure(
                    64,
                    """
                    The value 'a\\xFF' is invalid for '--label <label>': the text is not UTF-8
                    Help:  --label <label>  What it is called.
                    Usage: trace mark [<session>] [<offset>] [<label>] [<options>]
                           trace mark [<session>] --offset <offset> [<options>]
                      See 'trace mark --help' for more information.
                    """))
        #expect(try scratch.text("sessions/loop/markers.jsonl") == "")
    }
}
