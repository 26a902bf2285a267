import Testing

struct SessionsTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func `the sample is a table, the latest first`() throws {
        try scratch.copySample()
        #expect(
            try scratch.trace("sessions")
                == Outcome(
                    """
                    01KH6Y2ENP8CHDTMR3J01NAY2F\t<scratch>/sessions/2026-02-11-loop-practice\tLoop practice\tactive\t\
                    2026-02-11T18:05:32.214Z\t\t\t4\t1\t0\t0\ttrue
                    01KGN6HCMGFP2XYCHA2GHD03GQ\t<scratch>/sessions/2026-02-04-late-set\tLate set, Café Übersee\tclosed\t\
                    2026-02-04T20:47:10.480Z\t2026-02-04T20:59:24.480Z\t734000\t18\t5\t0\t0\ttrue
                    01KG336XKC8RDC1SJ36JPCFNYP\t<scratch>/sessions/2026-01-28-rehearsal-broken\t\tclosed\t\
                    2026-01-28T20:02:41.900Z\t\t\t10\t3\t15\t3\ttrue

                    """))
    }

    @Test func `as JSON it is an array, and of what is not known nothing is said`() throws {
        try scratch.closedSession("a")
        try scratch.session(
            "b", id: 2, start: "2026-02-05T20:00:00.000Z", title: nil, markers: marker(10, at: 5))
        #expect(
            try scratch.trace("sessions", "--json")
                == Outcome(
                    """
                    [{"session_path":"<scratch>/sessions/b","session_id":"\(number(2))","status":"active",\
                    "start_time":"2026-02-05T20:00:00.000Z","online":true,\
                    "forgotten_since":"2026-02-05T20:00:00.005Z","marker_count":1,"voice_note_count":0,\
                    "errors":0,"warnings":0},\
                    {"session_path":"<scratch>/sessions/a","session_id":"\(number(1))","title":"Set","status":"closed",\
                    "start_time":"2026-02-04T20:00:00.000Z","online":true,"end_time":"2026-02-04T20:02:00.000Z",\
                    "duration_ms":120000,"marker_count":0,"voice_note_count":0,"errors":0,"warnings":0}]

                    """))
    }

    @Test func `nothing is an answer too`() throws {
        #expect(try scratch.trace("sessions") == Outcome(errors: "no sessions\n"))
        #expect(try scratch.trace("sessions", "--json") == Outcome("[]\n"))
    }

    @Test func `the answer is of the files, whatever the index knew`() throws {
        try scratch.session("a")
        try scratch.session("b", id: 2, start: "2026-02-03T20:00:00.000Z", title: "Other")
        #expect(try scratch.trace("sessions").output.split(separator: "\n").count == 2)
        try scratch.remove("sessions/b")
        try scratch.write(marker(10, at: 5), to: "sessions/a/markers.jsonl")
        #expect(
            try scratch.trace("sessions")
                == Outcome(
                    """
                    \(number(1))\t<scratch>/sessions/a\tSet\tactive\t2026-02-04T20:00:00.000Z\t\t\t1\t0\t0\t0\ttrue

                    """))
    }

    @Test func `an index that is no database is made anew`() throws {
        try scratch.session("a")
        let before = try scratch.trace("sessions")
        try scratch.write("no database", to: "state/index.sqlite")
        for suffix in ["-wal", "-shm"] where scratch.exists("state/index.sqlite\(suffix)") {
            try scratch.remove("state/index.sqlite\(suffix)")
        }
        #expect(try scratch.trace("sessions").output == before.output)
    }

    @Test func `only the sessions of the roots that are asked for are listed`() throws {
        try scratch.session("a")
        try scratch.makeDirectory("other")
        _ = try scratch.trace("session", "init", "other/b", "--title", "Other")
        _ = try scratch.trace("--root", "other", "sessions")
        let outcome = try scratch.trace("sessions", "--json")
        #expect(outcome.output.hasPrefix(#"[{"session_path":"<scratch>/sessions/a""#))
        #expect(!outcome.output.contains("Other"))
        let both = try scratch.trace("sessions", "--root", "other", "--root", "sessions")
        #expect(both.output.split(separator: "\n").count == 2)
    }

    @Test func `a root that is gone is told, and what it held is still known`() throws {
        try scratch.session("a")
        _ = try scratch.trace("sessions")
        #expect(try scratch.shell("mv sessions away") == Outcome())
        #expect(
            try scratch.trace("sessions")
                == Outcome(
                    """
                    \(number(1))\t<scratch>/sessions/a\tSet\tactive\t2026-02-04T20:00:00.000Z\t\t\t0\t0\t0\t0\tfalse

                    """,
                    errors: """
                        warning: <scratch>/sessions: this root does not exist [not-found]
                          hint: 'trace config show roots' says where it is set; if it is on a removable or network disk, mount the disk

                        """))
        #expect(try scratch.trace("sessions", "--json").output.contains("\"online\":false"))
        #expect(try scratch.trace("sessions", "--quiet").errors == "")
    }

    @Test func `a root that is another directory now is believed once something lies in it`() throws {
        try scratch.session("a")
        try scratch.session("b", id: 2)
        _ = try scratch.trace("sessions")
        #expect(try scratch.shell("mv sessions away && mkdir sessions") == Outcome())
        let bare = try scratch.trace("sessions")
        #expect(bare.output.split(separator: "\n").count { $0.hasSuffix("\tfalse") } == 2)
        #expect(
            bare.errors == """
                warning: <scratch>/sessions: empty, as if its disk were not mounted; its sessions are shown as they \
                were last known

                """)
        #expect(try scratch.shell("cp -a away/b sessions/b") == Outcome())
        let answer = try scratch.trace("sessions")
        #expect(answer.errors == "" && !answer.output.contains("false"))
        #expect(answer.output.split(separator: "\n").count == 1)
    }

    @Test func `where the index can't be used, the files answer`() throws {
        try scratch.session("a")
        let right = try scratch.trace("sessions")
        try scratch.remove("state")
        try scratch.write("", to: "state")
        #expect(try scratch.trace("sessions") == right)
    }

    @Test func `a session.json that leads nowhere makes no session`() throws {
        try scratch.makeDirectory("sessions/a")
        #expect(try scratch.shell("ln -s nowhere sessions/a/session.json") == Outcome())
        #expect(try scratch.trace("sessions") == Outcome(errors: "no sessions\n"))
        #expect(try scratch.trace("index", "status").output.contains("lag:      up to date\n"))
    }

    @Test func `a title can't break the table`() throws {
        try scratch.session("a", title: "Set\\n\\u001b[31m\\u202eX")
        #expect(
            try scratch.trace("sessions").output.split(separator: "\n").last
                == "\(number(1))\t<scratch>/sessions/a\tSet  [31mX\tactive\t2026-02-04T20:00:00.000Z\t\t\t0\t0\t0\t0\ttrue"
        )
    }
}
