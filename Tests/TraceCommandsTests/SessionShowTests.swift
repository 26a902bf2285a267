import Testing

struct SessionShowTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func `an active session is a line a fact`() throws {
        try scratch.session(
            "a", title: nil, markers: marker(10, at: 5) + marker(11, at: 5) + marker(10, at: 6))
        #expect(
            try scratch.trace("session", "show", "sessions/a")
                == Outcome(
                    """
                    id: \(number(1))
                    status: active
                    start_time: 2026-02-04T20:00:00.000Z
                    timeline_path: timeline.jsonl
                    markers_path: markers.jsonl
                    transcript_path: null
                    voice_notes_path: null
                    digest_path: null
                    media_count: 0
                    marker_count: 2
                    voice_note_count: 0
                    errors: 0
                    warnings: 0

                    """))
    }

    @Test func `a closed session has an end and a length`() throws {
        try scratch.copySample()
        #expect(
            try scratch.trace("session", "show", "Late set, Café Übersee")
                == Outcome(
                    """
                    id: 01KGN6HCMGFP2XYCHA2GHD03GQ
                    title: Late set, Café Übersee
                    status: closed
                    start_time: 2026-02-04T20:47:10.480Z
                    end_time: 2026-02-04T20:59:24.480Z
                    duration_ms: 734000
                    timeline_path: timeline.jsonl
                    markers_path: markers.jsonl
                    transcript_path: transcript.jsonl
                    voice_notes_path: voice_notes.jsonl
                    digest_path: digest.md
                    media_count: 1
                    marker_count: 18
                    voice_note_count: 5
                    errors: 0
                    warnings: 0

                    """))
    }

    @Test func `as JSON the values have their types, and the path comes first`() throws {
        try scratch.session("a")
        #expect(
            try scratch.trace("session", "show", "sessions/a", "--json")
                == Outcome(
                    """
                    {"session_path":"<scratch>/sessions/a","session_id":"\(number(1))","title":"Set","status":"active",\
                    "start_time":"2026-02-04T20:00:00.000Z","timeline_path":"timeline.jsonl",\
                    "markers_path":"markers.jsonl","transcript_path":null,"voice_notes_path":null,"digest_path":null,\
                    "media_count":0,"marker_count":0,"voice_note_count":0,"errors":0,"warnings":0}

                    """))
    }

    @Test func `a title can't make lines of its own`() throws {
        try scratch.session("a", title: "Set\\nstatus: closed\\u001b[31m")
        let output = try scratch.trace("session", "show", "sessions/a").output
        #expect(output.contains("\ntitle: Set status: closed [31m\n"))
    }

    @Test func `what session.json does not say is null`() throws {
        try scratch.makeDirectory("sessions/a")
        try scratch.write("{", to: "sessions/a/session.json")
        let outcome = try scratch.trace("session", "show", "sessions/a")
        #expect(
            outcome.output.hasPrefix(
                "id: null\nstatus: null\nstart_time: null\ntimeline_path: timeline.jsonl\n"))
        #expect(outcome.output.hasSuffix("\nerrors: 3\nwarnings: 0\n"))
        #expect(outcome.status == 0)
    }

    @Test func `a directory that is none, or no session, is an error`() throws {
        try scratch.makeDirectory("plain")
        let cure = "\n  hint: 'trace sessions' lists the sessions; 'trace session init' creates one"
        #expect(
            try scratch.trace("session", "show", "./no")
                == .failure(66, "./no: no such directory [no-such-session]\(cure)"))
        #expect(
            try scratch.trace("session", "show", "plain")
                == .failure(66, "plain: is not a session: it has no session.json [no-such-session]\(cure)"))
    }
}
