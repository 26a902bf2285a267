import Testing

struct QueueTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private let absent = "01KHET390YJXCMFWAKKNBFCD1M"

    // MARK: - Adding

    @Test func `a marker is queued for a session that need not be here`() throws {
        #expect(
            try scratch.trace(
                "queue", "add", "marker", "-s", absent, "--offset", "1:27.2", "--label", "- First", "--tag",
                "structure",
                "--tag", "", "--device", "phone") == Outcome("queued: <ulid>\n"))
        let name = try #require(try scratch.names(in: "state/queue").first)
        let entry = """
            {"id":"<ulid>","kind":"marker","session_id":"\(absent)","created_at":"<now>","device":"phone","payload":\
            {"id":"<ulid>","offset_ms":87200,"created_at":"<now>","source":"user","label":"- First","tags":["structure"]}}

            """
        #expect(try scratch.text("state/queue/\(name)") == entry)
        #expect(
            try scratch.trace("queue", "list")
                == Outcome("<ulid>\tmarker\t\(absent)\t<now>\tphone\t\n"))
        let json = try scratch.trace(
            "queue", "add", "marker", "-s", absent.lowercased(), "--offset", "5", "--json")
        #expect(json.output.hasPrefix("{\"id\":\"<ulid>\",\"kind\":\"marker\",\"session_id\":\"\(absent)\","))
    }

    @Test func `a voice note is queued with its audio`() throws {
        try scratch.session("a")
        try scratch.write("sound", to: "take.m4a")
        #expect(
            try scratch.trace(
                "queue", "add", "voice-note", "--offset", "5", "--duration", "7", "--media-file", "take.m4a")
                == Outcome("queued: <ulid>\n"))
        let names = try scratch.names(in: "state/queue")
        #expect(names.map { $0.suffix(5) } == [".json", "5.m4a"] || names.count == 2)
        #expect(
            try scratch.trace("queue", "flush")
                == Outcome("applied\t<ulid>\tvoice note in a\nflushed: 1 applied\n"))
        #expect(try scratch.names(in: "state/queue") == [])
        #expect(try scratch.trace("validate", "sessions/a") == Outcome("ok: sessions/a\n"))
    }

    @Test(arguments: ["now", "end", "+5s"]) func `a place that needs the session is refused`(offset: String)
        throws
    {
        #expect(
            try scratch.trace("queue", "add", "marker", "-s", absent, "--offset", offset)
                == .failure(
                    64,
                    """
                    '\(offset)' needs the session, which need not exist yet
                      hint: write an offset from the start
                    """))
    }

    @Test func `what the session would not take is not queued`() throws {
        #expect(
            try scratch.trace("queue", "add", "marker", "-s", absent, "--offset", "5", "--tag", "Loud!")
                == .failure(
                    65,
                    """
                    payload: the key 'tags' contains 'Loud!', which is not a valid tag [tag-malformed] [invalid-data]
                      hint: use lower-case letters, digits, - and _, beginning with a letter or digit, such as 'fix-review'
                    """))
        #expect(
            try scratch.trace(
                "queue", "add", "voice-note", "-s", absent, "--offset", "5", "--duration", "7",
                "--media-file", "no.m4a")
                == .failure(
                    66,
                    """
                    <scratch>/no.m4a: does not exist [not-found]
                      hint: check the path; if it is on a removable or network disk, mount the disk
                    """))
        #expect(!scratch.exists("state/queue"))
    }

    // MARK: - Listing

    @Test func `what waits is listed in the order of its ids`() throws {
        try scratch.copyQueue()
        try scratch.write("{\"id\":", to: "state/queue/\(number(5)).json")
        try scratch.write("", to: "state/queue/.incoming.tmp")
        #expect(
            try scratch.trace("queue", "list")
                == Outcome(
                    """
                    \(number(5))\tunreadable\t\t\t\tbyte 6: expected a value, but the text ends
                    01KGN6Z5BMYWHYSNBAH2ZMGQWN\tmarker\t01KGN6HCMGFP2XYCHA2GHD03GQ\t2026-02-04T20:54:41.780Z\tphone\t
                    01KGQJYHEGBKFPN19Y574S8N8N\tmarker\t01KGN6HCMGFP2XYCHA2GHD03GQ\t2026-02-05T19:02:33.168Z\tlaptop\t
                    01KGQK2QZ9A2WNZ4ST5E63Q0TK\taction_request\t01KGN6HCMGFP2XYCHA2GHD03GQ\t2026-02-05T19:04:50.921Z\tphone\t
                    01KH6Z4Q0GMQ3Y360VA07Q20M9\tmarker\t01KH6Y2ENP8CHDTMR3J01NAY2F\t2026-02-11T18:24:14.864Z\tfootswitch\t
                    01KH6Z79RYNRTV7HECT4EZEFYS\tvoice_note\t01KH6Y2ENP8CHDTMR3J01NAY2F\t2026-02-11T18:25:39.614Z\tphone\t
                    01KHET5Y5YEJAS7BVSH2QSKQR1\tmarker\t01KHET390YJXCMFWAKKNBFCD1M\t2026-02-14T19:31:27.550Z\tphone\t

                    """))
        let json = try scratch.trace("queue", "list", "--json").output
        #expect(
            json.hasPrefix(
                """
                [{"id":"\(number(5))","spool":"<scratch>/state/queue","problem":"byte 6: expected a value, but the text ends"},\
                {"id":"01KGN6Z5BMYWHYSNBAH2ZMGQWN","spool":"<scratch>/state/queue","kind":"marker",\
                "session_id":"01KGN6HCMGFP2XYCHA2GHD03GQ","created_at":"2026-02-04T20:54:41.780Z","device":"phone"},
                """))
    }

    @Test func `nothing is an answer too`() throws {
        #expect(try scratch.trace("queue", "list") == Outcome(errors: "nothing waits\n"))
        #expect(try scratch.trace("queue", "list", "--json") == Outcome("[]\n"))
        #expect(try scratch.trace("queue", "flush") == Outcome("flushed: nothing waited\n"))
        #expect(try scratch.trace("queue", "flush", "--json") == Outcome("[]\n"))
    }

    @Test func `a spool that can't be read is told, and the others are listed and flushed all the same`()
        throws
    {
        try scratch.session("a")
        _ = try scratch.trace("queue", "add", "marker", "--offset", "5")
        #expect(try scratch.shell("ln -s phone phone") == Outcome())
        let variable = ["TRACE_SPOOLS": "\(scratch.path)/phone"]
        let listed = try scratch.trace("queue", "list", environment: variable)
        #expect(listed.output == "<ulid>\tmarker\t\(number(1))\t<now>\t\t\n")
        let reason =
            "<scratch>/phone: cannot open the directory: Too many levels of symbolic links [leaves-session]"
        #expect(listed.errors.hasPrefix("error: \(reason)\n"))
        #expect(listed.status == 65)
        let flushed = try scratch.trace("queue", "flush", environment: variable)
        #expect(flushed.output == "applied\t<ulid>\tmarker in a\nflushed: 1 applied\n")
        #expect(flushed.errors.contains(reason))
        #expect(
            flushed.errors.hasSuffix(
                "error: not everything could be written; the rest stays in the queue\n"))
        #expect(flushed.status == 75)
    }

    // MARK: - Flushing

    @Test func `each entry goes to its session once, and what must wait stays`() throws {
        try scratch.copySample()
        try scratch.copyQueue()
        #expect(
            try scratch.trace("queue", "flush")
                == Outcome(
                    """
                    applied\t01KGN6Z5BMYWHYSNBAH2ZMGQWN\tmarker in 2026-02-04-late-set
                    applied\t01KGQJYHEGBKFPN19Y574S8N8N\tmarker in 2026-02-04-late-set
                    applied\t01KGQK2QZ9A2WNZ4ST5E63Q0TK\taction run in 2026-02-04-late-set
                    applied\t01KH6Z4Q0GMQ3Y360VA07Q20M9\tmarker in 2026-02-11-loop-practice
                    applied\t01KH6Z79RYNRTV7HECT4EZEFYS\tvoice note in 2026-02-11-loop-practice
                    waiting\t01KHET5Y5YEJAS7BVSH2QSKQR1\tmarker: its session 01KHET390YJXCMFWAKKNBFCD1M was not found
                    flushed: 5 applied, 1 waiting

                    """))
        #expect(try scratch.names(in: "state/queue") == ["01KHET5Y5YEJAS7BVSH2QSKQR1.json"])
        #expect(
            try scratch.trace("validate", "sessions/2026-02-04-late-set", "sessions/2026-02-11-loop-practice")
                == Outcome(
                    """
                    ok: sessions/2026-02-04-late-set
                    ok: sessions/2026-02-11-loop-practice
                    0 errors and 0 warnings in 2 sessions

                    """))
        let before = try scratch.tree("sessions")
        try scratch.remove("state/queue")
        try scratch.copyQueue()
        let again = try scratch.trace("queue", "flush", "--json")
        #expect(again.output.matches(of: #/"already-applied"/#).count == 5)
        #expect(try scratch.tree("sessions") == before)
    }

    @Test func `as JSON each entry has its result, and the reason where there is one`() throws {
        try scratch.copySample()
        try scratch.copyQueue()
        let output = try scratch.trace("queue", "flush", "--json").output
        #expect(
            output.hasPrefix(
                """
                [{"id":"01KGN6Z5BMYWHYSNBAH2ZMGQWN","result":"applied","kind":"marker",\
                "session_path":"<scratch>/sessions/2026-02-04-late-set","session_id":"01KGN6HCMGFP2XYCHA2GHD03GQ","spool":"<scratch>/state/queue"},
                """))
        #expect(
            output.hasSuffix(
                """
                {"id":"01KHET5Y5YEJAS7BVSH2QSKQR1","result":"waiting",\
                "reason":"its session 01KHET390YJXCMFWAKKNBFCD1M was not found","kind":"marker",\
                "session_id":"01KHET390YJXCMFWAKKNBFCD1M","spool":"<scratch>/state/queue"}]

                """))
    }

    @Test func `what is no entry, or another of the same id, is refused and kept with the reason`() throws {
        try scratch.session("a", markers: marker(10, at: 5))
        try scratch.makeDirectory("state/queue")
        try scratch.write("[]", to: "state/queue/\(number(9)).json")
        let other = """
            {"id":"\(number(10))","kind":"marker","session_id":"\(number(1))","created_at":"2026-02-04T20:01:00.000Z",\
            "payload":\(marker(10, at: 6).dropLast())}
            """
        try scratch.write(other, to: "state/queue/\(number(10)).json")
        let outcome = try scratch.trace("queue", "flush")
        #expect(
            outcome
                == Outcome(
                    """
                    waiting\t\(number(9))\tentry: the entry is incomplete: byte 0: expected an object
                    conflict\t\(number(10))\tmarker in a: another marker in the session has this id
                    flushed: 1 waiting, 1 conflict

                    """,
                    errors: """
                        error: 1 entry refused
                          hint: 'trace queue show ID' shows why; then 'trace queue retry ID' or 'trace queue drop ID'

                        """, status: 1))
        #expect(try scratch.names(in: "state/failed") == ["\(number(10)).json", "\(number(10)).reason"])
        #expect(try scratch.text("sessions/a/markers.jsonl") == marker(10, at: 5))
    }

    @Test func `an entry that can't be written stays, to be tried again`() throws {
        try scratch.session("a")
        _ = try scratch.trace("queue", "add", "marker", "--offset", "5")
        try scratch.remove("sessions/a/markers.jsonl")
        try scratch.makeDirectory("sessions/a/markers.jsonl")
        let outcome = try scratch.trace("queue", "flush")
        #expect(outcome.output.hasPrefix("failed\t<ulid>\tmarker in a: <scratch>/sessions/a/markers.jsonl: "))
        #expect(outcome.output.hasSuffix("\nflushed: 1 failed\n"))
        #expect(outcome.errors == "error: not everything could be written; the rest stays in the queue\n")
        #expect(outcome.status == 75)
        #expect(try scratch.names(in: "state/queue").count == 1)
    }
}
