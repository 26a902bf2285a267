import RecordFormat
import Testing
import TraceFormat

struct MediaItemCheckTests {
    /// What is found in the media items of a `session.json`, in the order of a report.
    private func findings(_ text: String) throws -> [String] {
        let checker = try RecordChecker(.session)
        var findings: [Finding] = []
        PaddedBytes.withLine(text.utf8) { line in
            _ = checker.check(line) { findings.append($0) }
        }
        return JournalLayout.session.sorted(findings).map(\.description).filter { $0.contains("media") }
    }

    @Test func `every problem of every media item is told, at the place of its own member`() throws {
        let text = """
            {
              "media": [
                {"id": "x", "kind": "audio", "path": "a.m4a", "mime": 1,
                 "created_at": "2026-02-30T00:00:00Z", "start_offset_ms": -1},
                7,
                { "kind": "photo", "colour": {"path": []}, "kind": "video",
                  "path": "media/a", "mime": "", "start_offset_ms": 0.5 }, [] ]
            }

            """
        #expect(
            try findings(text) == [
                "session.json:3:12 (byte 26): media item 1: id 'x' is not a ULID [ulid-malformed]",
                "session.json:3:42 (byte 56): media item 1: path 'a.m4a' does not begin with 'media/' [media-path-prefix]",
                "session.json:3:59 (byte 73): media item 1: mime is 1, but must be a string [type-mismatch]",
                "session.json:4:20 (byte 95): media item 1: created_at '2026-02-30T00:00:00Z' is not a real date and time [timestamp-impossible]",
                "session.json:4:63 (byte 138): media item 1: start_offset_ms is -1, but must not be negative [number-negative]",
                "session.json:5:5 (byte 147): media item 2: is 7, but must be an object [type-mismatch]",
                "session.json:6:5 (byte 154): media item 3: created_at is missing [key-missing]",
                "session.json:6:5 (byte 154): media item 3: id is missing [key-missing]",
                "session.json:6:15 (byte 164): media item 3: kind is 'photo', but must be one of 'audio', 'video', 'screen', 'other' [value-not-allowed]",
                "session.json:6:24 (byte 173): media item 3: unknown key 'colour' [key-unknown]",
                "session.json:6:48 (byte 197): media item 3: kind appears twice [key-duplicate]",
                "session.json:7:57 (byte 270): media item 3: start_offset_ms is 0.5, but must be an integer (milliseconds) [type-mismatch]",
                "session.json:7:64 (byte 277): media item 4: is an array, but must be an object [type-mismatch]",
            ])
    }

    @Test func `places count a byte order mark, and media that stand twice`() throws {
        #expect(
            try findings("\u{FEFF}{\"media\":[{\"x\":1}],\n\"media\":[[]]}").filter {
                !$0.contains("missing")
            } == [
                "session.json:1:15 (byte 14): media item 1: unknown key 'x' [key-unknown]",
                "session.json:2:1 (byte 23): media appears twice [key-duplicate]",
                "session.json:2:10 (byte 32): media item 1: is an array, but must be an object [type-mismatch]",
            ])
    }

    @Test func `many broken items take no longer than their number`() throws {
        let items = (0..<30000).map { "{\"id\":\($0)}" }.joined(separator: ",\n")
        let found = try findings("{\"media\":[\(items)]}")
        #expect(found.count == 40)
        // Five keys are missing of each item and ten of the session, and no id is a string.
        #expect(found.contains { $0.contains("and \(30000 * 5 + 10 - 20) more of this rule [key-missing]") })
        #expect(found.contains { $0.contains("and \(30000 - 20) more of this rule [type-mismatch]") })
    }
}
