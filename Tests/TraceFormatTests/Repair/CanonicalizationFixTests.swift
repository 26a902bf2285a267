import FormatHarness
import RecordFormat
import Testing
import TraceFormat
import TraceText

/// What is mended in the values of records.
struct CanonicalizationFixTests {
    static let id = "01KGN6Z5BM0000000000000A05"
    static let lower = "01kgn6z5bm0000000000000a05"

    static func marker(_ id: String = id, at time: String = "2026-02-04T20:00:00Z", _ more: String = "")
        -> String
    {
        #"{"id":"\#(id)","offset_ms":1.0,"created_at": "\#(time)","source":"user"\#(more)}"# + "\n"
    }

    static func note(_ id: String, _ more: String = "") -> String {
        #"{"id":"\#(id)","created_at":"2026-02-04T20:00:00Z","media_path":"media/a","offset_ms":1,"duration_ms":1\#(more)}"#
            + "\n"
    }

    /// The files of a session with their values mended, and what was done.
    static func fix(_ files: [(kind: RecordKind, name: String, text: String)]) throws -> (
        texts: [String], fixes: [String]
    ) {
        var ids = IDCensus()
        let versions = try files.map { file in
            let lines = try RecordLines(Array(file.text.utf8), kind: file.kind, file: file.name)
            return (lines, CanonicalizationFix(lines, of: file.kind, name: file.name))
        }
        for (_, spelling) in versions { spelling.ask(&ids) }
        for (lines, spelling) in versions {
            spelling.count(in: &ids)
            spelling.count(lines, in: &ids)
        }
        let fixed = versions.map { $0.1.fixed(knowing: ids) }
        return (fixed.map(\.bytes.text), fixed.flatMap { $0.fixes.map(\.description) })
    }

    static func fix(markers text: String) throws -> (text: String, fixes: [String]) {
        let (texts, fixes) = try fix([(.marker, "markers.jsonl", text)])
        return (try #require(texts.first), fixes)
    }

    @Test func `a time with an offset is written in UTC, and no other byte changes`() throws {
        let sound = Self.marker()
        let (text, fixes) = try Self.fix(
            markers: sound + "\n{\r\n" + Self.marker(at: "2026-02-04T21:00:00.50+01:00", #","x":1.50e1"#))
        #expect(text == sound + "\n{\r\n" + Self.marker(at: "2026-02-04T20:00:00.50Z", #","x":1.50e1"#))
        #expect(
            fixes == [
                "markers.jsonl: 1 time with an offset from UTC written in UTC, with Z: created_at on line 4 [utc-time]"
            ])
    }

    @Test func `a time that is escaped or stands twice is mended too`() throws {
        let (text, _) = try Self.fix(
            markers: Self.marker(
                at: #"2026-02-04T21:00:00\u002b01:00"#, #","created_at":"2026-02-04T22:00:00+02:00""#))
        #expect(text == Self.marker(at: "2026-02-04T20:00:00Z", #","created_at":"2026-02-04T20:00:00Z""#))
    }

    @Test(arguments: ["2026-02-04 20:00:00", "2026-02-30T20:00:00+01:00", "yesterday"])
    func `a time that may mean several moments stays`(time: String) throws {
        let (text, fixes) = try Self.fix(markers: Self.marker(at: time))
        #expect(text == Self.marker(at: time))
        #expect(fixes.isEmpty)
    }

    @Test func `what looks like a time in a label stays`() throws {
        let line = Self.marker(Self.lower, #","label":"2026-02-04T21:00:00+01:00","note":"\#(Self.lower)""#)
        #expect(
            try Self.fix(markers: line).text
                == line.replacing(#""id":"\#(Self.lower)""#, with: #""id":"\#(Self.id)""#))
    }

    @Test func `many places are counted`() throws {
        let lines = (0..<8).map { _ in Self.marker(at: "2026-02-04T21:00:00+01:00") }.joined()
        #expect(
            try Self.fix(markers: lines).fixes == [
                "markers.jsonl: 8 times with an offset from UTC written in UTC, with Z: created_at on line 1, "
                    + "created_at on line 2, created_at on line 3, created_at on line 4, created_at on line 5 and 3 more "
                    + "[utc-time]"
            ])
    }

    // MARK: - Ids

    @Test func `a lower-case id, its edits and what refers to it are written in upper case`() throws {
        let noteID = "01kgn6z5bm0000000000000b06"
        let (texts, fixes) = try Self.fix([
            (
                .marker, "markers.jsonl",
                Self.marker(Self.lower) + Self.marker(Self.lower, #","voice_note_id":"\#(noteID)""#)
            ),
            (.voiceNote, "voice_notes.jsonl", Self.note(noteID, #","marker_id":"\#(Self.lower)""#)),
        ])
        #expect(
            texts == [
                Self.marker() + Self.marker(Self.id, #","voice_note_id":"\#(noteID.uppercased())""#),
                Self.note(noteID.uppercased(), #","marker_id":"\#(Self.id)""#),
            ])
        #expect(
            fixes == [
                "markers.jsonl: 3 ids in lower case changed to upper case: id on line 1, id on line 2, "
                    + "voice_note_id on line 2 [id-case]",
                "voice_notes.jsonl: 2 ids in lower case changed to upper case: id on line 1, marker_id on line 1 "
                    + "[id-case]",
            ])
    }

    @Test func `a reference to a record whose id is right is mended`() throws {
        let (texts, _) = try Self.fix([
            (.marker, "markers.jsonl", Self.marker()),
            (
                .voiceNote, "voice_notes.jsonl",
                Self.note("01KGN6Z5BM0000000000000B06", #","marker_id":"\#(Self.lower)""#)
            ),
        ])
        #expect(texts[1] == Self.note("01KGN6Z5BM0000000000000B06", #","marker_id":"\#(Self.id)""#))
    }

    @Test func `a conflict copy may write the id otherwise than the file`() throws {
        let (texts, fixes) = try Self.fix([
            (.marker, "markers.jsonl", Self.marker()), (.marker, "markers 2.jsonl", Self.marker(Self.lower)),
        ])
        #expect(texts == [Self.marker(), Self.marker()])
        #expect(
            fixes == [
                "markers.jsonl: 1 id in lower case changed to upper case: id on line 1 of markers 2.jsonl [id-case]"
            ])
    }

    static let unclear: [[(kind: RecordKind, name: String, text: String)]] = [
        // Another record of the file has it.
        [(.marker, "markers.jsonl", marker() + marker(lower))],
        [(.marker, "markers.jsonl", marker(lower) + marker("01Kgn6z5bm0000000000000a05"))],
        // A record of another kind has it.
        [(.marker, "markers.jsonl", marker(lower)), (.voiceNote, "voice_notes.jsonl", note(id))],
        [(.marker, "markers.jsonl", marker(lower)), (.voiceNote, "voice_notes.jsonl", note(lower))],
        // It is none of ours in upper case either.
        [(.marker, "markers.jsonl", marker("01kgn6z5bm0000000000000u05"))],
        [(.marker, "markers.jsonl", marker("01kgn6z5bm0000000000000\u{17F}05"))],
        [(.marker, "markers.jsonl", marker("01kgn6z5bm0000000000000a0"))],
        // It refers to nothing, or to something else.
        [(.marker, "markers.jsonl", marker(id, #","voice_note_id":"01kgn6z5bm0000000000000b06""#))],
        [(.marker, "markers.jsonl", marker(id, #","voice_note_id":"\#(lower)""#))],
    ]

    @Test(arguments: unclear.indices)
    func `an id that something else has, or that names nothing, stays`(index: Int) throws {
        let files = Self.unclear[index]
        let (texts, fixes) = try Self.fix(files)
        #expect(texts == files.map(\.text))
        #expect(fixes.isEmpty)
    }

    @Test func `an id of session json is mended unless a media item or a record has it`() throws {
        let header =
            #"{"id":"\#(Self.lower)","media":[{"id":"01kgn6z5bm0000000000000c07","created_at":"2026-02-04T21:00:00+01:00"}]}"#
        for taken in [false, true] {
            var ids = IDCensus()
            let spelling = CanonicalizationFix(header: Array("\u{FEFF}\(header)".utf8))
            spelling.ask(&ids)
            spelling.count(in: &ids)
            if taken, let id = ULID(Self.id) {
                ids.count(id, spelled: Self.id, as: .record(.action), in: "actions.jsonl")
            }
            let (bytes, fixes) = spelling.fixed(knowing: ids)
            let expected = header.replacing("01kgn6z5bm0000000000000c07", with: "01KGN6Z5BM0000000000000C07")
                .replacing("T21:00:00+01:00", with: "T20:00:00Z")
                .replacing(Self.lower, with: taken ? Self.lower : Self.id)
            #expect(bytes.text == "\u{FEFF}" + expected)
            #expect(
                fixes.map(\.reason) == [
                    "1 time with an offset from UTC written in UTC, with Z: created_at of media item 1",
                    taken
                        ? "1 id in lower case changed to upper case: id of media item 1"
                        : "2 ids in lower case changed to upper case: id, id of media item 1",
                ])
        }
    }
}
