import Testing

struct MarkersListTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func `a file that can't be read is a failure, and one that is missing is told`() throws {
        try scratch.session("a")
        #expect(
            try scratch.shell("rm sessions/a/markers.jsonl && mkdir sessions/a/markers.jsonl") == Outcome())
        for arguments in [[], ["--json"], ["--format", "csv"]] {
            let outcome = try scratch.trace(["markers", "list"] + arguments)
            #expect(outcome.output == "")
            #expect(
                outcome.errors.hasPrefix("error: <scratch>/sessions/a/markers.jsonl: "), "\(outcome.errors)")
            #expect(outcome.status == 74)
        }
        #expect(try scratch.shell("rmdir sessions/a/markers.jsonl") == Outcome())
        #expect(
            try scratch.trace("markers", "list")
                == Outcome("no markers\n", errors: "warning: markers.jsonl: the file does not exist\n"))
    }

    @Test func `an edit in the middle of a long file that comes with an append is in the answer at once`()
        throws
    {
        let note = "\"note\":\"\(String(repeating: "la ", count: 30))\","
        var lines = (0..<6000).map { marker(100_000 + $0, at: 100_000 + $0, note) }
        try scratch.session("a", markers: lines.joined())
        _ = try scratch.trace("sessions")
        lines[3000] = marker(103_000, at: 999_999, note)
        try scratch.write(lines.joined() + marker(10, at: 5), to: "sessions/a/markers.jsonl")
        let moved = try scratch.trace("markers", "list", "sessions/a", "--offset-min", "999999")
        #expect(moved.output.hasPrefix("\(number(103_000))\t999999"), "\(moved)")
    }

    private let stage = """
        01KH6Y75BJ82TGS4V8V7546MVW\t154300\tstructure
        01KH6YFAHC3750NMF8NEWY3N6G\t421750\tThree against four sits at last\thighlight
        01KH6YQWSYQPYX6N6AHTNTYRQZ\t702600\tLeft hand stumbles\tfix-review\t01KH6YR93PA9GSCWKPC4MCDKME
        01KH6Z00C6FMZR210WY4V0XK6H\t968400\ttexture-sample

        """

    @Test
    func
        `markers come in the order of their offsets, the last line of an id counts, what is absent is left out`()
        throws
    {
        try scratch.copySample()
        #expect(try scratch.trace("markers", "list", "loop practice") == Outcome(stage))
        #expect(try scratch.trace("markers", "list", "last", "--root", "nowhere").status == 66)
    }

    @Test(arguments: [
        (["--tag", "HIGHLIGHT"], [10]), (["--tag", "no"], []), (["--offset-min", "2000"], [12, 11]),
        (["--offset-max=2s"], [10, 12]), (["--offset-min", "2s", "--offset-max", "2s"], [12]),
        (["--offset-max", "-1s"], [10]), (["--offset-min", "0", "--tag", "highlight"], [10]),
    ])
    func `filters narrow the list`(arguments: [String], wanted: [Int]) throws {
        let lines = [
            marker(11, at: 3000), marker(12, at: 1, tags: ["highlight"]),
            marker(10, at: 1000, tags: ["highlight", "a"]),
            marker(12, at: 2000),
        ]
        try scratch.session("a", markers: lines.joined())
        let outcome = try scratch.trace(["markers", "list", "sessions/a"] + arguments)
        let ids = outcome.output.split(separator: "\n").map { String($0.prefix(26)) }
        #expect(ids == (wanted.isEmpty ? ["no markers"] : wanted.map { number($0) }))
        #expect(outcome.errors == "")
        #expect(outcome.status == 0)
    }

    @Test func `a tag that no marker can have is doubted`() throws {
        try scratch.session("a", markers: marker(10, at: 1000))
        #expect(
            try scratch.trace("markers", "list", "--tag", "Two Words")
                == Outcome(
                    "no markers\n", errors: "warning: 'Two Words' is not a valid tag, so no marker has it\n"))
    }

    @Test func `the index and the file give the same answer, and which it was can be asked`() throws {
        try scratch.copySample()
        let name = "2026-01-28-rehearsal-broken"
        #expect(try scratch.shell("cp -a sessions/\(name) away") == Outcome())
        for arguments in [
            ["--json"], ["--tag", "FIX review"], ["--tag=structure"], ["--offset-min=1"],
            ["--offset-max=1:00"],
        ] {
            let indexed = try scratch.trace(["markers", "list", "sessions/\(name)", "-v"] + arguments)
            let read = try scratch.trace(["markers", "list", "away", "-v"] + arguments)
            #expect(indexed.output == read.output)
            #expect(indexed.status == 0)
            #expect(indexed.errors.hasPrefix("answered from the index"))
            #expect(read.errors == "answered from the files: the session is not below any configured root\n")
        }
        #expect(
            try scratch.trace("markers", "list", "away", "--tag", "fix review")
                == Outcome("01KG338BQY6Q20DW1WC2Q6QMC4\t47250\tBuzz on the low D\tFix Review\n"))
    }

    @Test func `where the index can't be made the files answer`() throws {
        try scratch.copySample()
        try scratch.write("", to: "state")
        #expect(try scratch.trace("markers", "list", "loop practice") == Outcome(stage))
        let verbose = try scratch.trace("markers", "list", "loop practice", "-v")
        #expect(verbose.errors.hasPrefix("answered from the files: <scratch>/state: "))
    }

    @Test func `as JSON it is an array of the records as they stand in the file`() throws {
        let odd =
            "{ \"id\":\"\(number(10))\", \"offset_ms\":1.0e3,\"x\":[1, 2],\"created_at\":\"2026-02-04T20:01:00Z\",\"source\":\"user\"}"
        try scratch.session("a", markers: odd + "\r\n" + marker(11, at: 5))
        #expect(
            try scratch.trace("markers", "list", "--json")
                == Outcome("[\(marker(11, at: 5).dropLast()),\(odd)]\n"))
    }

    @Test func `nothing is an answer too`() throws {
        try scratch.session("a")
        #expect(try scratch.trace("markers", "list") == Outcome("no markers\n"))
        #expect(try scratch.trace("markers", "list", "--json") == Outcome("[]\n"))
    }

    @Test func `a label can't make columns or lines of its own`() throws {
        try scratch.session(
            "a",
            markers: marker(10, at: 5, "\"label\":\"a\\tb\\nc\\u001b[31m\\u0085\\u2028\",", tags: ["x\\ty"]))
        #expect(try scratch.trace("markers", "list") == Outcome("\(number(10))\t5\ta b c [31m  \tx y\n"))
    }

    @Test func `an offset without end is the wrong way round`() throws {
        try scratch.session("a")
        #expect(
            try scratch.trace("markers", "list", "--offset-min", "2:00", "--offset-max", "1:00")
                == .failure(
                    64, "--offset-min 2:00.000 is after --offset-max 1:00.000\n  hint: exchange the two"))
    }

    @Test func `markers of all sessions come in the order of their moments`() throws {
        try scratch.session(
            "b", id: 2, start: "2026-02-04T20:00:10.000Z", title: nil,
            markers: marker(20, at: 0, tags: ["highlight"]) + marker(21, at: 100_000, tags: ["structure"]))
        try scratch.session("a", markers: marker(10, at: 30_000, #""label":"x","#) + marker(11, at: 5_000))
        func list(_ arguments: String...) throws -> Outcome {
            try scratch.trace(["markers", "list", "--all"] + arguments, environment: ["TZ": "UTC"])
        }
        let lines = [
            "Set\t\(number(11))\t5000\n", "b\t\(number(20))\t0\thighlight\n",
            "Set\t\(number(10))\t30000\tx\n",
            "b\t\(number(21))\t100000\tstructure\n",
        ]
        #expect(try list() == Outcome(lines.joined()))
        #expect(try list("--category", "structure") == Outcome(lines[3]))
        #expect(try list("--tag", "HIGHLIGHT") == Outcome(lines[1]))
        #expect(try list("--category", "highlight", "--tag", "structure") == Outcome("no markers\n"))
        #expect(try list("--session", "sessions/a") == Outcome(lines[0] + lines[2]))
        #expect(try list("--offset-min", "1s", "--offset-max", "30s") == Outcome(lines[0] + lines[2]))
        #expect(
            try list("--since", "2026-02-04T20:00:10Z", "--until", "2026-02-04T20:00")
                == Outcome(lines[1] + lines[2]))
        #expect(try list("--until", "2026-02-03") == Outcome("no markers\n"))
        #expect(try list("--since", "2026-02-04", "--until", "2026-02-04") == Outcome(lines.joined()))
        #expect(
            try list("--offset-min", "now")
                == .failure(
                    64,
                    """
                    'now' is a different offset in each session
                      hint: write an offset from the start, such as 2:00, or omit --all
                    """))
        #expect(try list("--category", "loud").status == 64)
        #expect(
            try list("--json", "--category", "highlight")
                == Outcome(
                    """
                    [{"session_path":"<scratch>/sessions/b","session_id":"\(number(2))","online":true,"id":"\(number(20))",\
                    "offset_ms":0,"wall_time":"2026-02-04T20:00:10.000Z","tags":["highlight"],"record":\(marker(20, at: 0, tags: ["highlight"]).dropLast())}]

                    """))
    }

    @Test func `one session's markers are narrowed by category and moment too`() throws {
        try scratch.session("a", markers: marker(10, at: 30_000, tags: ["highlight"]) + marker(11, at: 5_000))
        for arguments in [["--category", "highlight"], ["--since", "2026-02-04T20:00:06Z"]] {
            #expect(
                try scratch.trace(["markers", "list", "sessions/a"] + arguments)
                    == Outcome("\(number(10))\t30000\thighlight\n"))
        }
    }
}
