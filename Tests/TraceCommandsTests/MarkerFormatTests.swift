import Testing

/// `trace markers list --format`, and the filters of `trace sessions`.
struct MarkerFormatTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        let markers =
            marker(
                11, at: 120_000,
                "\"label\":\"Drop, \\\"A\\\"\\n2\",\"note\":\"a\\tb\\\\\",\"duration_ms\":700,",
                tags: ["highlight", "x"])
            + marker(10, at: 5)
        try scratch.session("a", markers: markers)
    }

    private static let end = "2026-02-04T20:01:00.000Z,user\n"

    @Test func `csv quotes what needs it`() throws {
        #expect(
            try scratch.trace("markers", "list", "--format", "csv")
                == Outcome(
                    """
                    id,offset_ms,time,duration_ms,label,note,tags,voice_note_id,created_at,source
                    \(number(10)),5,0:00.005,,,,,,\(Self.end)\
                    \(number(11)),120000,2:00.000,700,"Drop, ""A""
                    2",a\tb\\,highlight x,,\(Self.end)
                    """))
    }

    @Test func `tsv escapes what would end a field`() throws {
        #expect(
            try scratch.trace("markers", "list", "--format", "tsv", "--offset-min", "1000")
                == Outcome(
                    """
                    id\toffset_ms\ttime\tduration_ms\tlabel\tnote\ttags\tvoice_note_id\tcreated_at\tsource
                    \(number(11))\t120000\t2:00.000\t700\tDrop, "A"\\n2\ta\\tb\\\\\thighlight x\t\t2026-02-04T20:01:00.000Z\tuser

                    """))
    }

    @Test func `jsonl is the lines of the file`() throws {
        #expect(
            try scratch.trace("markers", "list", "--format", "jsonl", "--offset-max", "5")
                == Outcome(marker(10, at: 5)))
        #expect(try scratch.trace("markers", "list", "--format", "jsonl", "--tag", "no") == Outcome())
    }

    @Test func `of all sessions, the session comes first`() throws {
        #expect(
            try scratch.trace("markers", "list", "--all", "--format", "csv", "--offset-max", "5")
                == Outcome(
                    """
                    session_id,session_path,title,wall_time,id,offset_ms,time,duration_ms,label,note,tags,voice_note_id,created_at,source
                    \(number(1)),<scratch>/sessions/a,Set,2026-02-04T20:00:00.005Z,\(number(10)),5,0:00.005,,,,,,\(Self.end)
                    """))
        let lines = try scratch.trace("markers", "list", "--all", "--format", "jsonl").output.split(
            separator: "\n")
        #expect(lines.count == 2)
        for line in lines {
            #expect(try JSONContract(of: "trace markers list --all").breaches(in: String(line)) == [])
        }
    }

    @Test func `one way of printing at a time`() throws {
        let outcome = try scratch.trace("markers", "list", "--format", "csv", "--json")
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("error: use --format or --json, not both\n"))
        #expect(
            try scratch.trace("markers", "list", "--format", "xml").errors.contains(
                "'xml' is not one of 'csv', 'tsv', 'jsonl'"))
    }

    @Test(arguments: [
        ([], ["d", "c", "a", "b"]), (["--status", "active"], ["d", "a"]),
        (["--status", "closed"], ["c", "b"]),
        (["--since", "2026-02-05"], ["d", "c"]), (["--until", "2026-02-04"], ["a", "b"]),
        (["--since", "2026-02-05T20:00Z", "--until", "2026-02-05T20:00Z"], ["c"]),
        (["--tag", "highlight"], ["c", "a"]), (["--tag", "Highlight", "--tag", "x"], ["a"]),
        (["--problems"], ["d"]), (["--problems", "--status", "closed"], []),
    ])
    func `sessions are chosen by start, tag, status and problems`(filter: [String], expected: [String]) throws
    {
        try scratch.closedSession("b", id: 2)
        try scratch.closedSession("c", id: 3, markers: marker(30, at: 5, tags: ["highlight"]))
        try scratch.session("d", id: 4, start: "2026-02-06T20:00:00.000Z", markers: marker(40, at: -5))
        for (name, day) in [("b", "03"), ("c", "05")] {
            let file = "sessions/\(name)/session.json"
            try scratch.write(
                scratch.text(file, filled: false).replacing("2026-02-04", with: "2026-02-\(day)"), to: file)
            let timeline = "sessions/\(name)/timeline.jsonl"
            try scratch.write(
                scratch.text(timeline, filled: false).replacing("2026-02-04", with: "2026-02-\(day)"),
                to: timeline)
        }
        let outcome = try scratch.trace(["sessions", "--json"] + filter, environment: ["TZ": "UTC"])
        let names = outcome.output.matches(of: #/"session_path":"<scratch>/sessions/(\w)"/#).map {
            String($0.output.1)
        }
        #expect(names == expected, "\(outcome)")
        if expected.isEmpty {
            #expect(try scratch.trace(["sessions"] + filter) == Outcome(errors: "no sessions\n"))
        }
    }
}
