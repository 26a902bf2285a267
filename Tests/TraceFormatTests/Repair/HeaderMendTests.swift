import FormatHarness
import RecordFormat
import Testing
import TraceFormat

/// What is mended in `session.json`.
struct HeaderMendTests {
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

    static func mend(_ text: String = header(), _ fill: (inout HeaderMend.Knowledge) -> Void = { _ in })
        throws
        -> HeaderMend
    {
        var knowledge = HeaderMend.Knowledge()
        fill(&knowledge)
        return try #require(HeaderMend(Array(text.utf8), knowing: knowledge))
    }

    static func end(_ offsets: Int64...) -> (inout HeaderMend.Knowledge) -> Void {
        { $0.ends = offsets.map { SessionOffset(milliseconds: $0) } }
    }

    @Test func `where nothing is known, nothing changes`() throws {
        let mend = try Self.mend()
        #expect(mend.bytes.text == Self.header())
        #expect(mend.mends.isEmpty && mend.concerns.isEmpty)
    }

    @Test func `paths of files that exist are set, and no other byte`() throws {
        let mend = try Self.mend { $0.files = ["voice_notes.jsonl", "transcript.jsonl", "digest.md"] }
        let expected = Self.header().replacing(
            "\"voice_notes_path\": null", with: "\"voice_notes_path\": \"voice_notes.jsonl\""
        )
        .replacing("\"transcript_path\" : null", with: "\"transcript_path\" : \"transcript.jsonl\"")
        .replacing("\"digest_path\": null", with: "\"digest_path\": \"digest.md\"")
        #expect(mend.bytes.text == expected)
        #expect(mend.mends.map(\.kind) == [.path, .path, .path])
        #expect(
            mend.mends.first?.description
                == "session.json: voice_notes_path is set, since voice_notes.jsonl exists [path]")
    }

    @Test func `a path that says something else is for a person`() throws {
        let text = Self.header().replacing("\"digest_path\": null", with: "\"digest_path\": \"Digest.md\"")
        #expect(try Self.mend(text) { $0.files = ["digest.md"] }.mends.isEmpty)
    }

    @Test func `the end is known from session_end`() throws {
        let mend = try Self.mend(Self.header(), Self.end(734_000))
        let expected = Self.header(
            """
            ,
              "end_time": "2026-02-04T20:12:14.000Z",
              "duration_ms": 734000
            """)
        #expect(mend.bytes.text == expected)
        #expect(
            mend.mends.map(\.description) == [
                "session.json: end_time is missing and is set to \"2026-02-04T20:12:14.000Z\", "
                    + "from session_end in timeline.jsonl [dropped-field]",
                "session.json: duration_ms is missing and is set to 734000, from session_end in timeline.jsonl "
                    + "[dropped-field]",
            ])
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var header = HeaderMendTests.header()
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
        let mend = try Self.mend(example.header) { knowledge in
            knowledge.files = example.files
            knowledge.ends = example.ends.map { SessionOffset(milliseconds: $0) }
            knowledge.remembered = example.remembered
            knowledge.copies = example.copies.enumerated().map { ("session \($0 + 2).json", Array($1.utf8)) }
        }
        let fields = mend.mends.filter { $0.kind == .droppedField }
        #expect(fields.count == example.added.count)
        for text in example.added { #expect(mend.bytes.text.contains(text), "\(mend.bytes.text)") }
        #expect(mend.concerns.map { String($0.message.prefix { $0 != " " }) } == example.disputed)
        if fields.isEmpty, example.files.isEmpty { #expect(mend.bytes.text == example.header) }
    }

    @Test func `what is disputed is told with every opinion`() throws {
        let mend = try Self.mend { knowledge in
            Self.end(1000)(&knowledge)
            knowledge.copies = [("session 2.json", Array(Self.header(#", "duration_ms":2000"#).utf8))]
        }
        #expect(
            mend.concerns.map(\.description) == [
                "session.json: duration_ms is missing, and its sources disagree: session_end in timeline.jsonl says 1000, "
                    + "session 2.json says 2000"
            ])
        #expect(mend.concerns.first?.cure == "write the duration_ms that is right into session.json")
    }

    @Test func `a null says no more than a missing field`() throws {
        let mend = try Self.mend(Self.header(#", "duration_ms": null"#), Self.end(5))
        #expect(mend.bytes.text.contains("\"duration_ms\": 5"))
    }

    @Test func `a byte order mark is taken away`() throws {
        let mend = try Self.mend("\u{FEFF}" + Self.header())
        #expect(mend.bytes.text == Self.header())
        #expect(mend.mends.map(\.kind) == [.byteOrderMark])
    }

    @Test(arguments: ["", "{", "[]", "{} {}"])
    func `what is no object is for a person`(text: String) {
        #expect(HeaderMend(Array(text.utf8), knowing: HeaderMend.Knowledge()) == nil)
    }

    @Test func `what is mended needs no mend`() throws {
        let fill: (inout HeaderMend.Knowledge) -> Void = { knowledge in
            knowledge.files = ["digest.md"]
            Self.end(1000)(&knowledge)
        }
        let once = try Self.mend(Self.header(), fill)
        let twice = try Self.mend(once.bytes.text, fill)
        #expect(twice.bytes == once.bytes)
        #expect(twice.mends.isEmpty)
    }
}
