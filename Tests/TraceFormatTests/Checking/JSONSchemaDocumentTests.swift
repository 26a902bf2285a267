import FormatHarness
import RecordFormat
import Testing
import TraceFormat

struct JSONSchemaDocumentTests {
    @Test func `the document of a kind is written as its declaration says`() {
        #expect(
            JSONSchemaDocument.document(for: .transcript).indented.text == #"""
                {
                  "$schema": "https://json-schema.org/draft/2020-12/schema",
                  "$id": "urn:trace:schema:transcript",
                  "title": "TRACE transcript segment",
                  "description": "One line of transcript.jsonl. A schema can't express rules across lines and files; 'trace validate' checks them.",
                  "type": "object",
                  "properties": {
                    "id": {
                      "type": "string",
                      "description": "A ULID. Opaque: it implies neither an order nor a time.",
                      "pattern": "^[0-9A-HJKMNP-TV-Z]{26}$",
                      "maxLength": 26
                    },
                    "offset_ms": {
                      "type": "integer",
                      "description": "Milliseconds.",
                      "minimum": 0
                    },
                    "duration_ms": {
                      "type": "integer",
                      "description": "Milliseconds.",
                      "minimum": 0
                    },
                    "text": {
                      "type": "string"
                    },
                    "speaker": {
                      "type": "string"
                    },
                    "confidence": {
                      "type": "number",
                      "minimum": 0,
                      "maximum": 1
                    }
                  },
                  "required": [
                    "id",
                    "offset_ms",
                    "duration_ms",
                    "text"
                  ],
                  "additionalProperties": false
                }
                """#)
    }

    @Test(arguments: [
        (RecordKind.session, #""timeline_path":{"const":"timeline.jsonl"}"#),
        (.session, #""transcript_path":{"enum":[null,"transcript.jsonl"]}"#),
        (.session, #""digest_path":{"enum":[null,"digest.md"]}"#),
        (.session, #""status":{"type":"string","enum":["active","closed"]}"#),
        (.session, #""media":{"type":"array","items":{"type":"object","properties":{"id":{"#),
        (
            .session,
            #""path":{"type":"string","description":"A path inside the session directory.","pattern":"^media/"}"#
        ),
        (
            .session,
            #""required":["id","kind","path","mime","created_at","start_offset_ms"],"additionalProperties":false}}"#
        ),
        (
            .marker,
            #""tags":{"type":"array","items":{"type":"string","pattern":"^[a-z0-9][a-z0-9_-]*$","not":{"pattern":"\\n"}}}"#
        ),
        (
            .marker,
            #""pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?Z$","not":{"pattern":"\\n"}"#
        ),
        (.action, #""inputs":{"type":"object"}"#),
    ])
    func `each type has its keywords`(kind: RecordKind, part: String) {
        #expect(JSONSchemaDocument.document(for: kind).text.contains(part))
    }

    @Test(arguments: RecordKind.allCases) func `the members are those of the declaration, in its order`(
        kind: RecordKind
    ) throws {
        let fields = RecordSchema.of(kind).fields
        try JSONParser().withParsed(JSONSchemaDocument.document(for: kind).bytes) { root in
            let properties = try #require(root[name: "properties"])
            #expect(
                properties.members.map { String(decoding: $0.key, as: UTF8.self) }
                    == fields.map { "\($0.name)" })
            let required = try #require(root[name: "required"])
            #expect(
                required.elements.compactMap(\.string) == fields.filter(\.isRequired).map { "\($0.name)" })
            #expect(root[name: "$id"]?.string == "urn:trace:schema:\(kind.rawValue)")
        }
    }

    @Test func `all documents stand in one object under their kinds`() throws {
        let all = JSONSchemaDocument.allDocuments().bytes
        let members = try all.withUnsafeBytes { try JSONScanner.members(of: $0) }
        #expect(members.map(\.name) == RecordKind.allCases.map(\.rawValue))
        for (member, kind) in zip(members, RecordKind.allCases) {
            #expect(Array(all[member.valueRange]) == JSONSchemaDocument.document(for: kind).bytes)
        }
    }

    @Test(arguments: [
        ("{}", "{}"), ("[]", "[]"), (" 1 ", "1"), ("[{}]", "[\n  {}\n]"), ("[[ ],1]", "[\n  [],\n  1\n]"),
        (#"{"a":{"b":[]},"c":1}"#, "{\n  \"a\": {\n    \"b\": []\n  },\n  \"c\": 1\n}"),
        (#"["a,:{}[]\"\\",""]"#, "[\n  \"a,:{}[]\\\"\\\\\",\n  \"\"\n]"),
    ])
    func `a text is indented by two spaces a level`(text: String, indented: String) {
        #expect(JSONText(verbatim: text.utf8).indented.text == indented)
    }

    @Test(arguments: Array(UInt64(1)...4)) func `an indented text means the same`(seed: UInt64) {
        var source = RandomJSON(seed: seed)
        for _ in 0..<250 {
            let text = source.text()
            let indented = JSONText(verbatim: text).indented
            #expect(JSONText.isEquivalent(text, indented.bytes), "\(text.text.debugDescription)")
            #expect(JSONText.compacted(indented.bytes) == JSONText.compacted(text))
        }
    }
}
