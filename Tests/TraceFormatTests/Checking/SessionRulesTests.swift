import RecordFormat
import Testing
import TraceFormat

struct SessionRulesTests {
    /// The findings of the valid session after a change, as a report shows them.
    private func findings(_ change: (inout SessionFiles) -> Void) throws -> [String] {
        var session = SessionFiles.valid
        change(&session)
        return try session.findings().map(\.description)
    }

    private func rules(_ change: (inout SessionFiles) -> Void) throws -> [String] {
        var session = SessionFiles.valid
        change(&session)
        return try session.findings().map(\.rule.id)
    }

    private static func ulid(_ number: Int) -> String {
        "01KGN6Z5BM00000000000000\(number < 10 ? "0" : "")\(number)"
    }

    private static func marker(_ id: Int, _ more: String = "") -> String {
        #"{"id":"\#(ulid(id))","offset_ms":5,"created_at":"2026-02-04T20:00:00Z","source":"user"\#(more)}"#
            + "\n"
    }

    private static func voiceNote(_ id: Int, _ more: String = "", media: String = "media/note.m4a") -> String
    {
        #"{"id":"\#(ulid(id))","created_at":"2026-02-04T20:00:02Z","media_path":"\#(media)","#
            + #""offset_ms":1,"duration_ms":1\#(more)}"# + "\n"
    }

    private static func entry(_ id: Int, _ kind: String, _ offset: Int) -> String {
        #"{"id":"\#(ulid(id))","kind":"\#(kind)","offset_ms":\#(offset),"wall_time":"2026-02-04T20:00:00Z","#
            + #""created_at":"2026-02-04T20:00:00Z","source":"system"}"# + "\n"
    }

    private static let dangling = #","voice_note_id":"01KGN6Z5BM0000000000000099""#

    // MARK: - References

    @Test func `the last line of an id counts for its reference`() throws {
        #expect(try rules { $0["markers.jsonl"]? += Self.marker(20, Self.dangling) + Self.marker(20) } == [])
        #expect(
            try rules { $0["markers.jsonl"]? += Self.marker(20) + Self.marker(20, Self.dangling) } == [
                "marker-voice-note-missing"
            ])
    }

    @Test func `a reference finds its record wherever it stands in the file`() throws {
        let reference = #","voice_note_id":"01KGN6Z5BM0000000000000030""#
        #expect(
            try rules {
                $0["markers.jsonl"] = Self.marker(21, reference) + ($0["markers.jsonl"] ?? "")
                $0["voice_notes.jsonl"]? += Self.voiceNote(30, #","marker_id":"01KGN6Z5BM0000000000000021""#)
            } == [])
    }

    @Test func `a reference to a record of another kind is none`() throws {
        #expect(
            try rules {
                $0["markers.jsonl"]? += Self.marker(20, #","voice_note_id":"01KGN6Z5BM0000000000000005""#)
            }
                == ["marker-voice-note-missing"])
        #expect(
            try rules {
                $0["voice_notes.jsonl"]? += Self.voiceNote(30, #","marker_id":"01KGN6Z5BM0000000000000001""#)
            }
                == ["voice-note-marker-missing"])
    }

    @Test func `an id that is used twice still answers references`() throws {
        // 05 is a marker's already; the voice note of that id breaks a rule, but exists.
        let reference = #","voice_note_id":"01KGN6Z5BM0000000000000005""#
        #expect(
            try rules {
                $0["voice_notes.jsonl"]? += Self.voiceNote(5)
                $0["markers.jsonl"]? += Self.marker(20, reference)
            } == ["id-duplicate"])
    }

    // MARK: - Ids

    @Test func `lines of one id are edits within a file and a breach across files`() throws {
        #expect(
            try rules { $0["markers.jsonl"]? += Self.marker(20) + Self.marker(20) + Self.marker(20) } == [])
        #expect(
            try findings {
                $0["transcript.jsonl"] =
                    #"{"id":"01KGN6Z5BM0000000000000005","offset_ms":2000,"duration_ms":1,"text":""}"# + "\n"
            }
                == [
                    "transcript.jsonl:1 (byte 0): id '01KGN6Z5BM0000000000000005' is also that of a marker [id-duplicate]"
                ])
    }

    @Test func `a reused id is told once, however many lines it has`() throws {
        #expect(
            try rules { $0["actions.jsonl"] = $0["actions.jsonl"]?.replacing("0008\"", with: "0005\"") } == [
                "id-duplicate"
            ])
    }

    @Test(arguments: [("0002\"", "the media item on line 15"), ("0001\"", "the session")])
    func `media items have ids of their own`(id: String, owner: String) throws {
        let shown = try findings { session in
            let item =
                #", {"id":"01KGN6Z5BM000000000000\#(id),"kind":"other","path":"media/note.m4a","mime":"x/y","#
                + #""created_at":"2026-02-04T20:00:01Z","start_offset_ms":0}]"#
            session["session.json"] = session["session.json"]?.replacing("]\n", with: item + "\n")
        }
        #expect(
            shown == [
                "session.json:16:91 (byte 668): media item id '01KGN6Z5BM000000000000\(id.dropLast())' is also that of \(owner) [id-duplicate]"
            ])
    }

    // MARK: - Timeline

    @Test func `an edited timeline entry counts as one`() throws {
        let start = Self.entry(10, "session_start", 0)
        let end = Self.entry(11, "session_end", 600_000)
        #expect(try rules { $0["timeline.jsonl"] = start + start + end + end } == [])
        #expect(try rules { $0["timeline.jsonl"] = Self.entry(10, "media_start", 0) + start + end } == [])
        #expect(
            try rules { $0["timeline.jsonl"] = start + Self.entry(12, "session_start", 0) + end } == [
                "session-start-duplicate"
            ])
        #expect(try rules { $0["timeline.jsonl"] = start + Self.entry(11, "session_end", 5) + end } == [])
        #expect(
            try rules { $0["timeline.jsonl"] = start + end + Self.entry(11, "media_end", 600_000) } == [
                "session-end-missing"
            ])
    }

    @Test func `every session_start but the first is a finding`() throws {
        let starts = (10...13).map { Self.entry($0, "session_start", 0) }.joined()
        let found = try findings { $0["timeline.jsonl"] = starts + Self.entry(14, "session_end", 600_000) }
        #expect(found.count == 3)
        #expect(
            found.allSatisfy {
                $0.hasSuffix("there is already a session_start, on line 1 [session-start-duplicate]")
            })
    }

    @Test func `without a timeline only its absence is told`() throws {
        #expect(try rules { $0["timeline.jsonl"] = nil } == ["file-missing"])
    }

    // MARK: - The end

    private static func header(_ replacements: [(String, String)]) -> (inout SessionFiles) -> Void {
        { session in
            for (old, new) in replacements {
                session["session.json"] = session["session.json"]?.replacing(old, with: new)
            }
        }
    }

    @Test(arguments: [
        ([("closed", "active")], ["active-has-end"]),
        ([("600000", "500000")], ["closed-duration-mismatch", "session-end-offset"]),
        ([("  \"duration_ms\": 600000,\n", "")], ["closed-duration-missing"]),
        ([("  \"end_time\": \"2026-02-04T20:10:00.000Z\",\n", "")], ["closed-end-time-missing"]),
        (
            [("  \"duration_ms\": 600000,\n", ""), ("  \"end_time\": \"2026-02-04T20:10:00.000Z\",\n", "")],
            ["closed-duration-missing", "closed-end-time-missing"]
        ),
        ([("closed", "open")], ["value-not-allowed"]),
    ])
    func `status, end and duration agree`(replacements: [(String, String)], rules expected: [String]) throws {
        #expect(try rules(Self.header(replacements)).sorted() == expected)
    }

    @Test func `an active session with a session_end says which of the two it has`() throws {
        let found = try findings { session in
            Self.header([
                ("closed", "active"), ("  \"duration_ms\": 600000,\n", ""),
                ("  \"end_time\": \"2026-02-04T20:10:00.000Z\",\n", ""),
            ])(&session)
        }
        #expect(
            found == ["session.json: status is active, but timeline.jsonl has a session_end [active-has-end]"]
        )
    }

    @Test func `only the last line of an id lies beyond the end`() throws {
        let late = Self.marker(20).replacing(#""offset_ms":5"#, with: #""offset_ms":600001"#)
        #expect(try rules { $0["markers.jsonl"]? += late + Self.marker(20) } == [])
        #expect(try rules { $0["markers.jsonl"]? += Self.marker(20) + late } == ["offset-beyond-end"])
    }

    @Test func `an end beyond the end is told once, and an earlier one of another id, too`() throws {
        let start = Self.entry(10, "session_start", 0)
        #expect(
            try findings { $0["timeline.jsonl"] = start + Self.entry(11, "session_end", 600_001) } == [
                "timeline.jsonl:2 (byte 162): session_end is at 600001, but duration_ms is 600000 [session-end-offset]"
            ])
        #expect(
            try rules {
                $0["timeline.jsonl"] =
                    start + Self.entry(11, "session_end", 600_001) + Self.entry(12, "session_end", 600_000)
            } == ["offset-beyond-end", "timeline-order"])
    }

    // MARK: - Media and files

    @Test func `a media item that is missing has the place of the item`() throws {
        #expect(
            try findings { $0["media/review.m4a"] = nil } == [
                "session.json:15:13 (byte 482): 'media/review.m4a' does not exist [media-missing]"
            ])
    }

    @Test(arguments: ["", "{\"id\":", "[]"])
    func `of a session.json that can't be read nothing is said but that`(text: String) throws {
        let found = try findings { $0["session.json"] = text }
        #expect(found.filter { $0.hasPrefix("session.json") }.count == 1)
        #expect(!found.contains { $0.contains("[path-null]") })
    }

    @Test(arguments: ["7", "\"other\"", nil])
    func `a path that is missing or wrong is not called null`(value: String?) throws {
        let found = try rules { session in
            let line = "  \"digest_path\": \"digest.md\",\n"
            session["session.json"] = session["session.json"]?.replacing(
                line, with: value.map { "  \"digest_path\": \($0),\n" } ?? "")
        }
        #expect(found.count == 1 && !found.contains("path-null"))
    }

    @Test func `the media of the last line of an id must exist`() throws {
        #expect(
            try rules {
                $0["voice_notes.jsonl"]? += Self.voiceNote(30, media: "media/gone.m4a") + Self.voiceNote(30)
            } == [])
        #expect(
            try rules {
                $0["voice_notes.jsonl"]? += Self.voiceNote(30) + Self.voiceNote(30, media: "media/gone.m4a")
            }
                == ["media-missing"])
    }

    @Test(arguments: ["voice_notes.jsonl", "transcript.jsonl", "digest.md"])
    func `a file that is named must exist`(file: String) throws {
        let found = try rules {
            $0[file] = nil
            if file == "voice_notes.jsonl" { $0["markers.jsonl"] = Self.marker(20) }
        }
        #expect(found == ["file-missing"])
    }

    @Test func `actions.jsonl needs no name in session.json`() throws {
        #expect(try rules { $0["actions.jsonl"] = nil } == [])
    }

    @Test func `findings come in the order of the files, then of their places`() throws {
        let found = try SessionFiles(RuleFixture(name: "key-missing").tree()).findings()
        #expect(found == JournalLayout.session.sorted(found))
        #expect(
            found.map(\.place.file) == found.map(\.place.file).sorted { left, _ in left == "session.json" })
    }
}
