import FormatHarness
import RecordFormat
import Testing
import TraceFormat
import TraceText

struct SpoolEntryTests {
    private static let id = "01KGN6Z5BMYWHYSNBAH2ZMGQWN"
    private static let session = "01KGN6HCMGFP2XYCHA2GHD03GQ"
    private static let hash = String(repeating: "0123456789abcdef", count: 4)

    private static let marker =
        #"{"id":"\#(id)","offset_ms":1.0,"created_at":"2026-02-04T20:00:00Z","source":"user","tags":["x"]}"#
    private static let voiceNote =
        #"{"id":"\#(id)","created_at":"2026-02-04T20:00:00Z","media_path":"media/\#(id).m4a","offset_ms":1,"duration_ms":2}"#
    private static let action =
        #"{"id":"\#(id)","action":"x","created_at":"2026-02-04T20:00:00Z","status":"started"}"#
    private static let attachment = #"{"name":"\#(id).m4a","size":12,"sha256":"\#(hash)"}"#

    private static func entry(_ kind: String, _ payload: String, _ more: String = "") -> String {
        #"{"id":"\#(id)","kind":"\#(kind)","session_id":"\#(session)","created_at":"2026-02-04T20:00:01Z","payload":\#(payload)\#(more)}"#
    }

    private func parse(_ text: String) throws -> SpoolEntry {
        try SpoolEntry(parsing: Array(text.utf8), named: #require(ULID(Self.id)))
    }

    @Test func `an entry is read with its payload as it is spelled`() throws {
        let spread =
            "{\n \"device\": \"phone\", \n"
            + Self.entry("marker", Self.marker.replacing(",", with: " ,\n\t")).dropFirst()
        let entry = try parse(spread)
        #expect(entry.id == ULID(Self.id))
        #expect(entry.kind == .marker)
        #expect(entry.journalID == ULID(Self.session))
        #expect(entry.createdAt == Timestamp("2026-02-04T20:00:01Z"))
        #expect(entry.device == "phone")
        #expect(entry.payload.text == Self.marker)
        #expect(entry.attachment == nil)
        #expect(entry.fileName == "\(Self.id).json")
        #expect(entry.mediaPath == nil)
    }

    @Test(arguments: [
        entry("marker", marker), entry("marker", marker, #","attachment":null"#),
        entry("marker", marker, #","device":"Jürgen's \"OBS\"""#),
        entry("voice_note", voiceNote, ",\"attachment\":\(attachment)"), entry("action_request", action),
    ])
    func `what is written is read back`(text: String) throws {
        let entry = try parse(text)
        #expect(try parse(entry.json.text) == entry)
        #expect(!entry.json.bytes.contains(0x0A))
    }

    @Test func `a voice note tells where its audio belongs`() throws {
        let entry = try parse(Self.entry("voice_note", Self.voiceNote, ",\"attachment\":\(Self.attachment)"))
        #expect(entry.mediaPath == "media/\(Self.id).m4a")
        #expect(
            entry.attachment == SpoolEntry.Attachment(name: "\(Self.id).m4a", size: 12, sha256: Self.hash))
        #expect(entry.kind.recordKind == .voiceNote)
    }

    @Test(arguments: [
        "", "{", "[]", entry("marker", marker).dropLast() + "", entry("marker", marker) + "x", "\0\0\0",
        entry("marker", "{\"id\":}"),
    ])
    func `a text that is not whole yet is malformed`(text: String) {
        let error = #expect(throws: FormatError.self) { try parse(text) }
        #expect(error?.code == .jsonMalformed)
    }

    @Test(arguments: [
        "{}", entry("session", marker), entry("marker", marker).replacing(session, with: "x"),
        entry("marker", "1"), entry("marker", "{}"),
        entry("marker", marker).replacing(
            "\"id\":\"\(id)\",\"kind\"", with: "\"id\":\"\(session)\",\"kind\""),
        entry("marker", marker).replacing("20:00:01Z", with: "25:00:01Z"),
        entry("marker", marker.replacing(id, with: session)),
        entry("marker", marker.replacing("1.0", with: "-1")),
        entry("marker", marker.replacing("\"tags\"", with: "\"tag\"")),
        entry("voice_note", marker), entry("voice_note", voiceNote),
        entry("voice_note", voiceNote, #","attachment":null"#),
        entry("voice_note", voiceNote, #","attachment":{}"#), entry("action_request", marker),
    ])
    func `a whole object that is no entry is invalid`(text: String) {
        let error = #expect(throws: FormatError.self) { try parse(text) }
        #expect(error?.code == .recordInvalid)
    }

    @Test(arguments: [
        ("\"size\":12", "\"size\":-1"), ("\"size\":12", "\"size\":\"12\""), ("\"size\":12", "\"size\":1.5"),
        (hash, hash.uppercased()),
        (hash, String(hash.dropLast())), (hash, hash + "0"), (hash, "g" + hash.dropFirst()),
        ("\(id).m4a\",\"size", "../x\",\"size"),
        ("\(id).m4a\",\"size", "/etc/passwd\",\"size"), ("\(id).m4a\",\"size", "..\",\"size"),
        ("\(id).m4a\",\"size", ".\",\"size"),
        ("\(id).m4a\",\"size", "\",\"size"), ("\(id).m4a\",\"size", "a\\u0000b\",\"size"),
    ])
    func `an attachment is one file of known length and content`(old: String, new: String) {
        let text = Self.entry(
            "voice_note", Self.voiceNote, ",\"attachment\":\(Self.attachment.replacing(old, with: new))")
        let error = #expect(throws: FormatError.self) { try parse(text) }
        #expect(error?.code == .recordInvalid)
    }

    @Test func `an entry whose payload has a warning is taken`() throws {
        _ = try parse(
            Self.entry("marker", Self.marker.replacing("2026-02-04T20:00:00Z", with: "2026-02-30T20:00:00Z")))
    }

    @Test(arguments: [
        entry("marker", marker), entry("voice_note", voiceNote, ",\"attachment\":\(attachment)"),
    ])
    func `an entry cut off anywhere is malformed`(text: String) throws {
        let name = try #require(ULID(Self.id))
        for count in 0..<text.utf8.count {
            let error = #expect(throws: FormatError.self) {
                try SpoolEntry(parsing: Array(text.utf8.prefix(count)), named: name)
            }
            #expect(error?.code == .jsonMalformed, "cut off at \(count)")
        }
    }

    @Test func `a flipped bit never traps`() throws {
        let name = try #require(ULID(Self.id))
        let text = Array(Self.entry("voice_note", Self.voiceNote, ",\"attachment\":\(Self.attachment)").utf8)
        for bit in 0..<(text.count * 8) {
            var damaged = text
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            _ = try? SpoolEntry(parsing: damaged, named: name)
        }
    }
}
