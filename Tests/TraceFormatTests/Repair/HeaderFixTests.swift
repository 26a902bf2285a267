import FormatHarness
import RecordFormat
import Testing
import TraceFormat

/// What is mended in `session.json`.
struct HeaderFixTests {
    static let id = "01KGN6Z5BM0000000000000001"

    /// A closed session whose optional fields were dropped, spelled oddly.
    static func header(_ more: String = "", id: String = id, status: String = "closed") -> String {
        """
        {
          "id": "\(id)",
          "x_mood": 1.50e1, "status":"\(status)",
          "start_time": "2026-02-04T20:00:00Z",
          "voice_notes_path": null,
          "transcript_path" : null,
          "digest_path": null\(more)
        }

        """
    }

    static func fix(_ text: String = header(), _ fill: (inout HeaderFix.Evidence) -> Void = { _ in })
        throws
        -> HeaderFix
    {
        var evidence = HeaderFix.Evidence()
        fill(&evidence)
        return try #require(HeaderFix(Array(text.utf8), knowing: evidence))
    }

    static func end(_ offsets: Int64...) -> (inout HeaderFix.Evidence) -> Void {
        { $0.ends = offsets.map { SessionOffset(milliseconds: $0) } }
    }

    @Test func `where nothing is known, nothing changes`() throws {
        let fix = try Self.fix()
        #expect(fix.bytes.text == Self.header())
        #expect(fix.fixes.isEmpty && fix.unresolved.isEmpty)
    }

    @Test func `paths of files that exist are set, and no other byte`() throws {
        let fix = try Self.fix { $0.files = ["voice_notes.jsonl", "transcript.jsonl", "digest.md"] }
        let expected = Self.header().replacing(
            "\"voice_notes_path\": null", with: "\"voice_notes_path\": \"voice_notes.jsonl\""
        )
        .replacing("\"transcript_path\" : null", with: "\"transcript_path\" : \"transcript.jsonl\"")
        .replacing("\"digest_path\": null", with: "\"digest_path\": \"digest.md\"")
        #expect(fix.bytes.text == expected)
        #expect(fix.fixes.map(\.kind) == [.path, .path, .path])
        #expect(
            fix.fixes.first?.description
                == "session.json: voice_notes_path set to voice_notes.jsonl, which exists [path]")
    }

    @Test func `a path that says something else is for a person`() throws {
        let text = Self.header().replacing("\"digest_path\": null", with: "\"digest_path\": \"Digest.md\"")
        #expect(try Self.fix(text) { $0.files = ["digest.md"] }.fixes.isEmpty)
    }

    @Test func `the end is known from session_end`() throws {
        let fix = try Self.fix(Self.header(), Self.end(734_000))
        let expected = Self.header(
            """
            ,
              "end_time": "2026-02-04T20:12:14.000Z",
              "duration_ms": 734000
            """)
        #expect(fix.bytes.text == expected)
        #expect(
            fix.fixes.map(\.description) == [
                "session.json: missing end_time set to \"2026-02-04T20:12:14.000Z\", "
                    + "from session_end in timeline.jsonl [dropped-field]",
                "session.json: missing duration_ms set to 734000, from session_end in timeline.jsonl "
                    + "[dropped-field]",
            ])
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var header = HeaderFixTests.header()
        var ends: [Int64] = []
        var remembered: Session?
        var copies: [String] = []
        var files: Set<String> = []
        /// Members that are added, in their order.
        var added: [String] = []
        /// Fields that are for a person.
        var disputed: [String] = []

        var testDescription: String { name }
    }

    private static func remember(
        _ title: String? = nil, _ duration: Int64? = nil, _ end: String? = nil, id: String = id
    ) -> Session {
        var session = Session()
        session.id = ULID(id)
        session.title = title
        session.duration = duration.map { SessionOffset(milliseconds: $0) }
        session.endTime = end.flatMap { Timestamp($0) }
        return session
    }

    static let cases = [
        Case(
            name: "an active session has no end", header: header(status: "active"), ends: [1000]),
        Case(
            name: "the index remembers", remembered: remember("Late set", 1000, "2026-02-04T20:00:01Z"),
            added: [
                "\"title\": \"Late set\"", "\"end_time\": \"2026-02-04T20:00:01.000Z\"",
                "\"duration_ms\": 1000",
            ]),
        Case(
            name: "the index remembers another session",
            remembered: remember("Late set", 1000, id: "01KGN6Z5BM0000000000000009")),
        Case(
            name: "a copy has it all, in its own spelling",
            copies: [
                header(
                    #", "title":"Caf\u00e9", "end_time":"2026-02-04T20:00:01.0005Z","duration_ms":1e3, "transcribed_at":"2026-02-05T00:00:00Z","digest_updated_at":"2026-02-06T00:00:00Z""#
                )
            ], files: ["digest.md", "transcript.jsonl"],
            added: [
                #""title": "Caf\u00e9""#, #""end_time": "2026-02-04T20:00:01.0005Z""#,
                #""duration_ms": 1000"#,
                #""transcribed_at": "2026-02-05T00:00:00Z""#, #""digest_updated_at": "2026-02-06T00:00:00Z""#,
            ]),
        Case(
            name: "times of files that are not there stay away",
            copies: [header(#", "transcribed_at":"2026-02-05T00:00:00Z""#)]),
        Case(
            name: "a copy of another session says nothing",
            copies: [header(#", "title":"Other""#, id: "01KGN6Z5BM0000000000000009")]),
        Case(name: "a broken copy says nothing", copies: ["{\"id\":", ""]),
        Case(name: "an empty title is none", copies: [header(#", "title":"""#)]),
        Case(
            name: "all sources agree", ends: [1000], remembered: remember(nil, 1000, "2026-02-04T20:00:01Z"),
            copies: [header(#", "duration_ms":1000.0"#)],
            added: ["\"end_time\": \"2026-02-04T20:00:01.000Z\"", "\"duration_ms\": 1000"]),
        Case(name: "two ends disagree", ends: [1000, 2000], disputed: ["end_time", "duration_ms"]),
        Case(
            name: "the index disagrees about one of them", ends: [1000], remembered: remember(nil, 1001),
            added: ["\"end_time\": \"2026-02-04T20:00:01.000Z\""], disputed: ["duration_ms"]),
        Case(
            name: "copies disagree about the title",
            copies: [header(#", "title":"A""#), header(#", "title":"B""#)], disputed: ["title"]),
        Case(
            name: "end_time alone is left", header: header(#", "end_time":"2026-02-04T20:00:02Z""#),
            added: ["\"duration_ms\":2000"]),
        Case(
            name: "duration_ms alone is left", header: header(#", "duration_ms": 2000"#),
            added: [#""end_time": "2026-02-04T20:00:02.000Z""#]),
        Case(
            name: "end_time alone is left and session_end disagrees",
            header: header(#", "end_time":"2026-02-04T20:00:02Z""#), ends: [1000], disputed: ["duration_ms"]),
        Case(
            name: "a title that is there but empty was not dropped", header: header(#", "title":"""#),
            remembered: remember("Late")),
        Case(
            name: "an end that no year has room for", ends: [.max],
            added: ["\"duration_ms\": 9223372036854775807"]),
    ]

    @Test(arguments: cases)
    func `dropped fields come back where they are known`(example: Case) throws {
        let fix = try Self.fix(example.header) { evidence in
            evidence.files = example.files
            evidence.ends = example.ends.map { SessionOffset(milliseconds: $0) }
            evidence.remembered = example.remembered
            evidence.copies = example.copies.enumerated().map { ("session \($0 + 2).json", Array($1.utf8)) }
        }
        let fields = fix.fixes.filter { $0.kind == .droppedField }
        #expect(fields.count == example.added.count)
        for text in example.added { #expect(fix.bytes.text.contains(text), "\(fix.bytes.text)") }
        #expect(fix.unresolved.map { String($0.message.prefix { $0 != " " }) } == example.disputed)
        if fields.isEmpty, example.files.isEmpty { #expect(fix.bytes.text == example.header) }
    }

    @Test func `what is disputed is told with every opinion`() throws {
        let fix = try Self.fix { evidence in
            Self.end(1000)(&evidence)
            evidence.copies = [("session 2.json", Array(Self.header(#", "duration_ms":2000"#).utf8))]
        }
        #expect(
            fix.unresolved.map(\.description) == [
                "session.json: duration_ms is missing, and its sources disagree: session_end in timeline.jsonl says 1000, "
                    + "session 2.json says 2000"
            ])
        #expect(fix.unresolved.first?.cure == "write the correct duration_ms into session.json")
    }

    @Test func `a null says no more than a missing field`() throws {
        let fix = try Self.fix(Self.header(#", "duration_ms": null"#), Self.end(5))
        #expect(fix.bytes.text.contains("\"duration_ms\": 5"))
    }

    @Test func `a byte order mark is taken away`() throws {
        let fix = try Self.fix("\u{FEFF}" + Self.header())
        #expect(fix.bytes.text == Self.header())
        #expect(fix.fixes.map(\.kind) == [.byteOrderMark])
    }

    @Test(arguments: ["", "{", "[]", "{} {}"])
    func `what is no object is for a person`(text: String) {
        #expect(HeaderFix(Array(text.utf8), knowing: HeaderFix.Evidence()) == nil)
    }

    @Test func `what is mended needs no mend`() throws {
        let fill: (inout HeaderFix.Evidence) -> Void = { evidence in
            evidence.files = ["digest.md"]
            Self.end(1000)(&evidence)
        }
        let once = try Self.fix(Self.header(), fill)
        let twice = try Self.fix(once.bytes.text, fill)
        #expect(twice.bytes == once.bytes)
        #expect(twice.fixes.isEmpty)
    }
}
