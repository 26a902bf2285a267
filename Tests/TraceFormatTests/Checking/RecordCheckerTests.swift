import RecordFormat
import Testing
import TraceFormat

struct RecordCheckerTests {
    private static let id = "01KGN6Z5BM0000000000000005"

    /// The findings in one line, as a report shows them, without their file.
    private func findings(_ kind: RecordKind, _ text: String) throws -> [String] {
        try findings(kind, Array(text.utf8)).map { String($0.description.dropFirst(kind.fileName.count + 1)) }
    }

    private func findings(_ kind: RecordKind, _ text: [UInt8]) throws -> [Finding] {
        let checker = try RecordChecker(kind)
        var findings: [Finding] = []
        PaddedBytes.withLine(text) { line in
            _ = checker.check(line) { findings.append($0) }
        }
        return findings
    }

    /// A marker in which some members are replaced or added (by the text of their values), or taken out (by
    /// nil).
    private func marker(_ members: [(String, String?)]) -> String {
        var all = [
            ("id", "\"\(Self.id)\""), ("offset_ms", "1"), ("created_at", "\"2026-02-04T20:00:00Z\""),
            ("source", "\"user\""),
        ]
        for (name, value) in members {
            let place = all.firstIndex { $0.0 == name }
            if let place, let value { all[place].1 = value }
            if let place, value == nil { all.remove(at: place) }
            if place == nil, let value { all.append((name, value)) }
        }
        return "{" + all.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
    }

    @Test(arguments: [
        ("offset_ms", "1.0"), ("offset_ms", "1e3"), ("offset_ms", "0"), ("offset_ms", "-0"),
        ("offset_ms", "9223372036854775807"),
        ("duration_ms", "12000e-3"), ("label", "\"\""), ("note", "\"a\\u0000\""), ("tags", "[]"),
        ("tags", "[\"a\",\"0_-\"]"),
        ("voice_note_id", "\"ZZZZZZZZZZZZZZZZZZZZZZZZZZ\""), ("source", "\"\\u0073ystem\""),
        ("created_at", "\"2016-12-31T23:59:60.5Z\""),
    ])
    func `a value within the format is fine`(name: String, value: String) throws {
        #expect(try findings(.marker, marker([(name, value)])) == [])
    }

    @Test(
        arguments: [
            (
                "offset_ms", "\"1\"",
                "1:48 (byte 47): offset_ms is the string '1', but must be an integer (milliseconds) [type-mismatch]"
            ),
            (
                "offset_ms", "null",
                "1:48 (byte 47): offset_ms is null, but must be an integer (milliseconds) [type-mismatch]"
            ),
            (
                "offset_ms", "0.5",
                "1:48 (byte 47): offset_ms is 0.5, but must be an integer (milliseconds) [type-mismatch]"
            ),
            (
                "offset_ms", "-0.5",
                "1:48 (byte 47): offset_ms is -0.5, but must be an integer (milliseconds) [type-mismatch]"
            ),
            (
                "offset_ms", "-1",
                "1:48 (byte 47): offset_ms is -1, but must not be negative [number-negative]"
            ),
            (
                "offset_ms", "-1e300",
                "1:48 (byte 47): offset_ms is -1e+300, but must not be negative [number-negative]"
            ),
            (
                "offset_ms", "18446744073709551615",
                "1:48 (byte 47): offset_ms is 1.8446744073709552e+19, which does not fit in 64 bits [number-too-large]"
            ),
            ("offset_ms", nil, "1 (byte 0): offset_ms is missing [key-missing]"),
            ("id", "7", "1:7 (byte 6): id is 7, but must be a string [type-mismatch]"),
            ("id", "\"x\"", "1:7 (byte 6): id 'x' is not a ULID [ulid-malformed]"),
            (
                "source", "\"User\"",
                "1:95 (byte 94): source is 'User', but must be one of 'user', 'system' [value-not-allowed]"
            ),
            (
                "source", "\"\"",
                "1:95 (byte 94): source is '', but must be one of 'user', 'system' [value-not-allowed]"
            ),
            ("label", "true", "1:110 (byte 109): label is true, but must be a string [type-mismatch]"),
            (
                "tags", "{}",
                "1:109 (byte 108): tags is an object, but must be an array of tags [type-mismatch]"
            ),
            (
                "tags", "[\"a\",null]",
                "1:114 (byte 113): the key 'tags' contains null, but must contain strings [type-mismatch]"
            ),
            (
                "tags", "[\"a\\n\"]",
                "1:110 (byte 109): the key 'tags' contains 'a\u{FFFD}', which is not a valid tag [tag-malformed]"
            ),
            (
                "created_at", "\"2026-02-30T00:00:00Z\"",
                "1:63 (byte 62): created_at '2026-02-30T00:00:00Z' is not a real date and time [timestamp-impossible]"
            ),
            ("Label", "\"x\"", "1:102 (byte 101): unknown key 'Label' [key-unknown]"),
            ("", "1", "1:102 (byte 101): unknown key '' [key-unknown]"),
            ("a\\u001b[2J", "1", "1:102 (byte 101): unknown key 'a\u{FFFD}[2J' [key-unknown]"),
        ] as [(String, String?, String)])
    func `a value outside the format is a finding at its place`(name: String, value: String?, finding: String)
        throws
    {
        #expect(try findings(.marker, marker([(name, value)])) == [finding])
    }

    @Test(arguments: [
        ("", "1:1 (byte 0): expected a value, but the text ends [json-syntax]"),
        ("{\"id\":}", "1:7 (byte 6): expected a value [json-syntax]"),
        ("nul", "1:1 (byte 0): expected a value [json-syntax]"),
        ("{\"a\":\"\0\"}", "1:7 (byte 6): the line contains a NUL byte [nul-bytes]"),
        ("\0\0", "1:1 (byte 0): the line contains 2 NUL bytes [nul-bytes]"),
        ("{\"offset_ms\":1e999}", "1:14 (byte 13): a number is too large [number-too-large]"),
        ("{\"offset_ms\":01}", "1:15 (byte 14): a number has a leading zero [json-syntax]"),
        ("[]", "1 (byte 0): this is an array, not an object [not-an-object]"),
        ("7", "1 (byte 0): this is an integer, not an object [not-an-object]"),
    ])
    func `a line that is no object is a finding`(text: String, finding: String) throws {
        #expect(try findings(.marker, text) == [finding])
    }

    @Test func `each of several breaches is told, at its own place`() throws {
        let text = #"{"offset_ms":-1,"x":1,"offset_ms":5,"x":2,"id":"?"}"#
        #expect(
            try findings(.marker, text) == [
                "1:14 (byte 13): offset_ms is -1, but must not be negative [number-negative]",
                "1:17 (byte 16): unknown key 'x' [key-unknown]",
                "1:23 (byte 22): offset_ms appears twice [key-duplicate]",
                "1:37 (byte 36): unknown key 'x' [key-unknown]",
                "1:48 (byte 47): id '?' is not a ULID [ulid-malformed]",
                "1 (byte 0): created_at is missing [key-missing]",
                "1 (byte 0): source is missing [key-missing]",
            ])
    }

    @Test(arguments: RecordKind.lines) func `every required key is asked for, and no other`(kind: RecordKind)
        throws
    {
        let fields = RecordSchema.of(kind).fields
        let required = fields.filter(\.isRequired).map { "\($0.name) is missing" }
        #expect(try findings(kind, Array("{}".utf8)).map(\.message) == required)
    }

    @Test(
        arguments: [
            (RecordKind.transcript, "confidence", "0", nil), (.transcript, "confidence", "1", nil),
            (.transcript, "confidence", "0.5", nil),
            (.transcript, "confidence", "1.0001", "confidence is 1.0001, not from 0 to 1"),
            (.transcript, "confidence", "-1", "confidence is -1, not from 0 to 1"),
            (
                .transcript, "confidence", "18446744073709551615",
                "confidence is 1.8446744073709552e+19, not from 0 to 1"
            ),
            (
                .transcript, "confidence", "\"1\"",
                "confidence is the string '1', but must be a number from 0 to 1"
            ),
            (.voiceNote, "media_path", "\"media/\"", nil),
            (.voiceNote, "media_path", "\"media\"", "media_path 'media' does not begin with 'media/'"),
            (.voiceNote, "media_path", "\"/media/x\"", "media_path '/media/x' does not begin with 'media/'"),
            (.action, "inputs", "{\"x\":[1,{\"x\":1}]}", nil),
            (.action, "inputs", "null", "inputs is null, but must be an object"),
            (
                .action, "status", "\"done\"",
                "status is 'done', but must be one of 'started', 'succeeded', 'failed'"
            ),
            (.session, "transcript_path", "null", nil),
            (.session, "transcript_path", "\"transcript.jsonl\"", nil),
            (
                .session, "transcript_path", "\"t.jsonl\"",
                "transcript_path is 't.jsonl', but must be 'transcript.jsonl' or null"
            ),
            (.session, "timeline_path", "null", "timeline_path is null, but must be a string"),
            (.session, "digest_path", "1", "digest_path is 1, but must be a string"),
            (.session, "media", "[]", nil),
            (.session, "media", "[1]", "media item 1: is 1, but must be an object"),
            (.session, "media", "[{\"x\":1}]", "media item 1: unknown key 'x'"),
        ] as [(RecordKind, String, String, String?)])
    func `each type has its bounds`(kind: RecordKind, name: String, value: String, message: String?) throws {
        let messages = try findings(kind, Array("{\"\(name)\":\(value)}".utf8)).map(\.message)
        #expect(
            messages.filter { !$0.hasSuffix(" is missing") }
                == (message.map { [$0] } ?? []))
    }

    @Test(
        arguments: [
            ("0", nil), ("20", nil), ("-0", nil), ("21", "n is 21, but must be a whole number from 0 to 20"),
            ("-1", "n is -1, but must be a whole number from 0 to 20"),
            ("18446744073709551615", "n is 1.8446744073709552e+19, but must be a whole number from 0 to 20"),
            ("2.5", "n is 2.5, but must be a whole number from 0 to 20"),
            ("2.0", nil),
            ("\"2\"", "n is the string '2', but must be a whole number from 0 to 20"),
        ] as [(String, String?)]) func `a whole number has a range`(value: String, message: String?) throws
    {
        let schema = RecordSchema(
            EntryKind(code: 125), in: "n.jsonl", [.required("id", .ulid), .required("n", .integer(0...20))],
            columns: RecordColumns())
        let checker = try RecordChecker(schema: schema)
        var found: [Finding] = []
        PaddedBytes.withLine(Array("{\"id\":\"\(Self.id)\",\"n\":\(value)}".utf8)) { line in
            _ = checker.check(line) { found.append($0) }
        }
        #expect(found.map(\.message) == (message.map { [$0] } ?? []))
    }

    @Test func `long values are shown by their beginning`() throws {
        let long = String(repeating: "ä", count: 5_000_000)
        let messages = try findings(.marker, Array(marker([("id", "\"\(long)\"")]).utf8)).map(\.message)
        #expect(messages == ["id '\(String(repeating: "ä", count: 59))…' is not a ULID"])
    }

    @Test func `findings in session.json have the line and column of the file`() throws {
        let text = "{\r\n  \"title\": 1,\n  \"status\": \"open\",\n\n  \"colour\": 2, \"title\": 3\n}\n"
        let shown = try findings(.session, text).filter { !$0.hasSuffix("[key-missing]") }
        #expect(
            shown == [
                "2:12 (byte 14): title is 1, but must be a string [type-mismatch]",
                "3:13 (byte 29): status is 'open', but must be one of 'active', 'closed' [value-not-allowed]",
                "5:3 (byte 40): unknown key 'colour' [key-unknown]",
                "5:16 (byte 53): title appears twice [key-duplicate]",
                "5:25 (byte 62): title is 3, but must be a string [type-mismatch]",
            ])
    }

    @Test(arguments: [
        ("{\n  \"id\": x\n}\n", "2:9 (byte 10): expected a value [json-syntax]"),
        ("", "1:1 (byte 0): expected a value, but the text ends [file-empty]"),
        ("\n \n", "3:1 (byte 3): expected a value, but the text ends [file-empty]"),
        ("\n[]", "1 (byte 0): this is an array, not an object [not-an-object]"),
        ("{\n\0}", "2:1 (byte 2): the line contains a NUL byte [nul-bytes]"),
        ("{\n\"a\":1\n", "3:1 (byte 8): the text ends before '}' [json-syntax]"),
    ])
    func `a session.json that is no object is a finding at its place`(text: String, finding: String) throws {
        #expect(try findings(.session, text) == [finding])
    }

    @Test func `a byte order mark is a finding, and places count it`() throws {
        #expect(
            try findings(.marker, "\u{FEFF}" + marker([("id", "7")])) == [
                "1:1 (byte 0): the file begins with a byte order mark [byte-order-mark]",
                "1:10 (byte 9): id is 7, but must be a string [type-mismatch]",
            ])
        let session = try findings(.session, "\u{FEFF}{\"x\":1,\n\"y\":1}").prefix(3)
        #expect(
            session == [
                "1:1 (byte 0): the file begins with a byte order mark [byte-order-mark]",
                "1:5 (byte 4): unknown key 'x' [key-unknown]",
                "2:1 (byte 11): unknown key 'y' [key-unknown]",
            ])
        #expect(
            try findings(.marker, "\u{FEFF}\r") == [
                "1:1 (byte 0): the file begins with a byte order mark [byte-order-mark]"
            ])
    }

    @Test func `each bad tag is told once, at its own place`() throws {
        #expect(
            try findings(.marker, marker([("tags", #"["X","ok",7,"X",  "",7,"Y"]"#)])) == [
                "1:110 (byte 109): the key 'tags' contains 'X', which is not a valid tag [tag-malformed]",
                "1:119 (byte 118): the key 'tags' contains 7, but must contain strings [type-mismatch]",
                "1:127 (byte 126): the key 'tags' contains '', which is not a valid tag [tag-malformed]",
                "1:132 (byte 131): the key 'tags' contains 'Y', which is not a valid tag [tag-malformed]",
            ])
    }

    @Test func `many breaches in one line are told by the first of each rule, and their number`() throws {
        let tags = (0..<50).map { "\"Tag \($0)\"" }.joined(separator: ",")
        let shown = try findings(.marker, marker([("tags", "[\(tags),null]")]))
        #expect(shown.count == 21)
        #expect(
            shown.first
                == "1:110 (byte 109): the key 'tags' contains 'Tag 0', which is not a valid tag [tag-malformed]"
        )
        #expect(
            shown.contains {
                $0.hasSuffix("the key 'tags' contains null, but must contain strings [type-mismatch]")
            })
        #expect(
            shown.last
                == "1:271 (byte 270): the key 'tags' contains 'Tag 19', which is not a valid tag, and 30 more of this rule [tag-malformed]"
        )
    }

    @Test func `many breaches in one line take no longer than their number`() throws {
        let members = (0..<30000).map { "\"k\($0)\":\($0)" }.joined(separator: ",\n")
        let unknown = try findings(.session, Array("{\(members)}".utf8)).filter {
            $0.rule.id == "key-unknown"
        }
        #expect(unknown.count == 20)
        #expect(unknown.last?.message == "unknown key 'k19', and 29980 more of this rule")
    }

    @Test func `what can be read is handed out beside the findings`() throws {
        let checker = try RecordChecker(.marker)
        let text = #"{"offset_ms":1,"id":"\#(Self.id)","label":5,"offset_ms":2}"#
        let marker = PaddedBytes.withLine(text.utf8) { line in
            checker.check(line) { _ in }.flatMap { Marker($0) }
        }
        #expect(
            marker
                == (try Marker(
                    id: #require(ULID(Self.id)), offset: SessionOffset(milliseconds: 2), createdAt: nil)))
    }
}
