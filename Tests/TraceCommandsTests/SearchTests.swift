import Testing

struct SearchTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private let nothing = Outcome(errors: "nothing found\n", status: 1)

    @Test func `hits of all sessions come one a line`() throws {
        try scratch.session("a", title: "Late set", markers: marker(10, at: 61_500, #""label":"Café riff","#))
        try scratch.session("b", id: 2, title: nil, markers: marker(11, at: 5, #""note":"a riff\tagain","#))
        #expect(
            try scratch.trace("search", "RIFF")
                == Outcome(
                    "Late set\t1:01\t61500\tmarker\tCafé riff\t<scratch>/sessions/a\t\(number(10))\nb\t0:00\t5\tmarker\ta riff again\t<scratch>/sessions/b\t\(number(11))\n"
                ))
        #expect(
            try scratch.trace("search", "cafe")
                == Outcome("Late set\t1:01\t61500\tmarker\tCafé riff\t<scratch>/sessions/a\t\(number(10))\n"))
        #expect(
            try scratch.trace("search", "late")
                == Outcome("Late set\t\t\tsession\tLate set\t<scratch>/sessions/a\t\n"))
        #expect(
            try scratch.trace("search", "riff", "--limit", "1")
                == Outcome(
                    "Late set\t1:01\t61500\tmarker\tCafé riff\t<scratch>/sessions/a\t\(number(10))\n",
                    errors: "there are more; raise --limit to see them\n"))
        #expect(try scratch.trace("search", "riff", "--session", "sessions/b").output.hasPrefix("b\t"))
        #expect(try scratch.trace("search", "riff", "--since", "2026-02-04T20:01Z").output.hasPrefix("Late"))
        #expect(try scratch.trace("search", "riff", "--until", "2026-02-04T20:00Z").output.hasPrefix("b\t"))
        #expect(try scratch.trace("search", "riff", "--kind", "voice_note") == nothing)
        #expect(try scratch.trace("search", "riff", "--tag", "highlight") == nothing)
    }

    @Test func `nothing found is a negative result`() throws {
        try scratch.copySample()
        #expect(try scratch.trace("search", "nowhere") == nothing)
        #expect(try scratch.trace("search", "nowhere", "--json", "-q") == Outcome("[]\n", status: 1))
        for words in [["(", "OR", ")"], ["qq\"*^:{"], ["text:", "NEAR("]] {
            let outcome = try scratch.trace(["search", "-q", "--"] + words)
            #expect(outcome.errors == "" && outcome.status == 1, "\(words) \(outcome)")
        }
    }

    @Test(arguments: [["!!!"], ["\"", "*"], ["---", "--"], ["''"], [""], ["🥁"]])
    func `what no word is in is not searched, and that is said`(words: [String]) throws {
        try scratch.session("a", markers: marker(10, at: 5, #""label":"!!! (Chk)","#))
        let typed = words.joined(separator: " ")
        let refused = Outcome.failure(
            64,
            """
            there is no word in '\(typed)'
              hint: search for letters or digits; other characters are not searched
            """)
        #expect(try scratch.trace(["search", "--"] + words) == refused)
        #expect(try scratch.trace(["search", "--json", "--"] + words) == refused)
        #expect(
            try scratch.trace("search", "!!! (chk)").output
                == "Set\t0:00\t5\tmarker\t!!! (Chk)\t<scratch>/sessions/a\t\(number(10))\n")
    }

    @Test func `nothing is not found because the search text is damaged`() throws {
        let labels = (10..<200).map { marker($0, at: $0, #""label":"riff number \#($0) word\#($0)","#) }
        try scratch.session("a", markers: labels.joined())
        let hit = try scratch.trace("search", "word77")
        #expect(
            hit.output
                == "Set\t0:00\t77\tmarker\triff number 77 word77\t<scratch>/sessions/a\t\(number(77))\n")
        _ = try scratch.shell(
            "sqlite3 state/index.sqlite 'UPDATE search_data SET block = zeroblob(length(block)) WHERE id > 10'"
        )
        let mended = try scratch.trace("search", "word77")
        #expect(
            mended
                == Outcome(hit.output, errors: "the search text of the index was damaged; it was rebuilt\n"))
        #expect(try scratch.trace("search", "word77") == hit)
    }

    @Test func `a command that finds the index damaged says once that it was made again`() throws {
        let labels = (10..<200).map { marker($0, at: $0, #""label":"riff number \#($0) word\#($0)","#) }
        try scratch.session("a", markers: labels.joined())
        let hit = try scratch.trace("search", "word77")
        let damaged = try scratch.shell(
            #"""
            size=$(sqlite3 state/index.sqlite 'PRAGMA page_size')
            page=$(sqlite3 state/index.sqlite "PRAGMA wal_checkpoint(TRUNCATE); SELECT rootpage FROM sqlite_schema WHERE name = 'record'" | tail -n 1)
            head -c "$size" /dev/zero | tr '\0' x | dd of=state/index.sqlite bs="$size" seek=$((page - 1)) conv=notrunc status=none
            """#)
        #expect(damaged.status == 0, "\(damaged)")
        let told = try scratch.trace("search", "word77")
        #expect(told.output == hit.output && told.status == 0, "\(told)")
        #expect(told.errors.ranges(of: "the index was rebuilt because it was damaged").count == 1, "\(told)")
        #expect(try scratch.trace("search", "word77") == hit)
    }

    @Test func `as JSON each hit has its line as it stands in the file`() throws {
        let odd =
            #"{ "id":"\#(number(10))", "offset_ms":1.0e3,"x":[1, 2],"label":"riff","created_at":"2026-02-04T20:01:00Z","source":"user"}"#
        try scratch.session("a", markers: odd + "\n")
        #expect(
            try scratch.trace("search", "riff", "--json")
                == Outcome(
                    """
                    [{"session_path":"<scratch>/sessions/a","session_id":"\(number(1))","title":"Set","online":true,\
                    "kind":"marker","offset_ms":1000,"wall_time":"2026-02-04T20:00:01.000Z","snippet":"riff",\
                    "record":\(odd)}]

                    """))
    }

    @Test func `an answer is never stale, and it is said where it comes from`() throws {
        try scratch.session("a", markers: marker(10, at: 5, #""label":"before","#))
        let first = try scratch.trace("search", "before", "-v")
        #expect(first.errors == "answered from the index; 1 session were out of date and have been updated\n")
        try scratch.write(marker(10, at: 5, #""label":"behind","#), to: "sessions/a/markers.jsonl")
        try scratch.letRest("sessions/a")
        #expect(try scratch.trace("search", "before") == nothing)
        #expect(
            try scratch.trace("search", "behind")
                == Outcome("Set\t0:00\t5\tmarker\tbehind\t<scratch>/sessions/a\t\(number(10))\n"))
        try scratch.remove("sessions/a")
        #expect(try scratch.trace("search", "behind") == nothing)
    }

    @Test func `where the index can't be used, or the session lies elsewhere, the files answer`() throws {
        try scratch.session("a", markers: marker(10, at: 5, #""label":"riff","#))
        let right = Outcome("Set\t0:00\t5\tmarker\triff\t<scratch>/sessions/a\t\(number(10))\n")
        #expect(try scratch.shell("cp -a sessions/a away") == Outcome())
        #expect(
            try scratch.trace("search", "riff", "--session", "away").output
                == right.output.replacing("/sessions/a\t", with: "/away\t"))
        try scratch.write("", to: "state")
        #expect(try scratch.trace("search", "riff") == right)
        let verbose = try scratch.trace("search", "riff", "-v")
        #expect(verbose.errors.hasPrefix("answered from the files: <scratch>/state: "))
        #expect(try scratch.names(in: "").contains { $0.hasPrefix("trace-") } == false)
    }

    @Test func `of a root that is gone, what was known is found and said to be so`() throws {
        try scratch.session("a", markers: marker(10, at: 5, #""label":"riff","#))
        #expect(try scratch.trace("search", "riff").status == 0)
        #expect(try scratch.shell("mv sessions away") == Outcome())
        #expect(
            try scratch.trace("search", "riff").output
                == "Set (offline)\t0:00\t5\tmarker\triff\t<scratch>/sessions/a\t\(number(10))\n")
        #expect(try scratch.trace("search", "riff", "--json").output.contains(#""snippet":"riff"}]"#))
    }

    @Test func `a text can't make columns or lines of its own`() throws {
        try scratch.session(
            "a", title: "S\\tT", markers: marker(10, at: 5, #""label":"a\t\u001b[1mriff\nb","#))
        #expect(
            try scratch.trace("search", "1mriff")
                == Outcome("S T\t0:00\t5\tmarker\ta  [1mriff b\t<scratch>/sessions/a\t\(number(10))\n"))
    }

    @Test(arguments: [
        (
            ["--since", "soon"],
            "'soon' is not a time\n  hint: write a time of today (20:15), a date (2026-02-04), a date and time (2026-02-04T20:15, or 2026-02-04T20:15:00Z in UTC), a day: today, yesterday, monday … sunday, 3d or 1w ago, or a week: this week, last week"
        ),
        (
            ["--since", "2026-02-05", "--until", "2026-02-04"],
            "--since 2026-02-05 00:00:00 UTC is after --until 2026-02-04 23:59:59.999 UTC"
        ),
    ])
    func `a moment that is none is an error`(arguments: [String], message: String) throws {
        #expect(
            try scratch.trace(["search", "x"] + arguments, environment: ["TZ": "UTC"])
                == .failure(64, message))
    }
}

struct AtTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.copySample()
    }

    private static let path = "<scratch>/sessions/2026-02-04-late-set"
    private static let audio = "media/01KGN78MX99GRPVT40K82R6N1F-review.m4a"
    private let answer = """
        session\t4:49\t289520\tLate set, Café Übersee\t\t\t01KGN6HCMGFP2XYCHA2GHD03GQ\t\(path)
        media\t4:48\t288020\t\(audio)\t\t\(audio)\t01KGN78MX99GRPVT40K82R6N1F\t\(path)
        marker\t4:28\t268700\tBass a hair late\tfix-review\t\t01KGPG75TV7382297876WWQYR0\t\(path)
        marker\t5:01\t301200\t\ttexture-sample\t\t01KGN6TJS006ZFDHR6AM0JWKHZ\t\(path)

        """

    @Test(arguments: [
        ("2026-02-04T20:52Z", "UTC"), ("2026-02-04T20:52:00.000Z", "UTC"),
        ("2026-02-04T21:52:00+01:00", "UTC"),
        ("2026-02-04T20:52", "UTC"), ("2026-02-04 21:52", "Europe/Berlin"),
    ])
    func `what was happening is told, in whatever way the moment is written`(moment: String, zone: String)
        throws
    {
        #expect(
            try scratch.trace(["at", moment], environment: ["TZ": zone])
                == Outcome(
                    answer, errors: "at 2026-02-04 \(zone == "UTC" ? "20:52:00 UTC" : "21:52:00 CET")\n"))
    }

    @Test func `how far around it is looked can be said`() throws {
        let outcome = try scratch.trace("at", "2026-02-04T20:52Z", "--within", "0s", "-q")
        #expect(outcome.output.split(separator: "\n").count == 2)
        // What began before and still lasts: a marker of 36 seconds, from 6:12 on.
        let lasting = try scratch.trace("at", "2026-02-04T20:53:45Z", "--within", "1s", "-q")
        #expect(lasting.output.contains("marker\t6:12\t372000\tTape hiss with a beat\ttexture-sample\t\t"))
    }

    @Test func `a moment when nothing ran is a negative result`() throws {
        #expect(
            try scratch.trace("at", "2025-01-01T00:00Z")
                == Outcome(errors: "at 2025-01-01 00:00:00 UTC\nno session ran then\n", status: 1))
        #expect(try scratch.trace("at", "2025-01-01T00:00Z", "--json", "-q") == Outcome("[]\n", status: 1))
        #expect(try scratch.trace("at", "noon").status == 64)
    }
}

struct IndexCommandTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func `the state of the index is shown, and not changed`() throws {
        try scratch.session("a", markers: marker(10, at: 5, #""label":"riff","#))
        #expect(
            try scratch.trace("index", "status")
                == Outcome(
                    """
                    index:    <scratch>/state/index.sqlite: none yet; traced creates it, or the next 'trace sessions'
                    lag:      1 session to be read
                    root:     <scratch>/sessions: online, 0 sessions

                    """))
        #expect(
            try scratch.trace("index", "status", "--json").output.hasPrefix(
                #"{"path":"<scratch>/state/index.sqlite","exists":false,"size":0,"schema":190117,"sessions":0,"#
            ))
        #expect(!scratch.exists("state"))
        _ = try scratch.trace("sessions")
        try scratch.session("b", id: 2)
        for _ in 0..<2 {
            let lines = try scratch.trace("index", "status").output.split(separator: "\n").map(String.init)
            #expect(
                lines.filter { !$0.hasPrefix("size:") } == [
                    "index:    <scratch>/state/index.sqlite", "schema:   190117", "sessions: 1",
                    "records:  2",
                    "findings: 0", "search:   0 of 1 lines filled in; the next search fills in the rest",
                    "lag:      behind the files of 1 session; the next query reads them",
                    "root:     <scratch>/sessions: online, 1 session",
                ])
        }
        _ = try scratch.trace("search", "riff")
        let output = try scratch.trace("index", "status").output
        #expect(output.contains("search:   1 of 1 lines filled in\nlag:      up to date\n"))
    }

    @Test func `a search text that is not that of the rows is found out, and a rebuild mends it`() throws {
        try scratch.session("a", markers: marker(10, at: 5, #""label":"riff","#))
        #expect(
            try scratch.trace("index", "verify") == Outcome("ok: 1 sessions match their files\n")
        )
        // The table itself can't be written to without the tokenizer, but those beneath it can.
        let spoil = "INSERT INTO search_docsize (id, sz) VALUES (77, NULL)"
        #expect(try scratch.shell("sqlite3 state/index.sqlite \"\(spoil)\"") == Outcome())
        #expect(
            try scratch.trace("index", "verify")
                == .failure(
                    1,
                    "the search text does not match the rows\n  hint: 'trace index rebuild' makes a new one from the session files"
                )
        )
        #expect(try scratch.trace("index", "rebuild") == Outcome("rebuilt: 1 sessions, 2 records\n"))
        #expect(try scratch.trace("index", "verify").status == 0)
        #expect(try scratch.names(in: "state").filter { $0.hasPrefix("trace-") } == [])
    }
}
