import FormatHarness
import RecordFormat
import Testing
import TraceFormat

struct RecordTests {
    private static let id = "01KGN6Z5BMYWHYSNBAH2ZMGQWN"
    private static let other = "01KGN6HCMGFP2XYCHA2GHD03GQ"

    private func record<Value>(_ kind: RecordKind, _ text: [UInt8], _ read: (RecordChecker.Record) -> Value?)
        throws -> Value?
    {
        let checker = try RecordChecker(kind)
        return PaddedBytes.withLine(text) { line in
            checker.check(line) { Issue.record("\($0)") }.flatMap { read($0) }
        }
    }

    @Test func `a marker is spelled in the order of existing writers and read back`() throws {
        let id = try #require(ULID(Self.id))
        var marker = Marker(
            id: id, offset: SessionOffset(milliseconds: 5), createdAt: Timestamp(milliseconds: 0), tags: ["x"]
        )
        #expect(
            marker.json.text
                == #"{"id":"\#(Self.id)","offset_ms":5,"created_at":"1970-01-01T00:00:00.000Z","source":"user","tags":["x"]}"#
        )
        marker.label = "ü \" \n"
        marker.note = ""
        marker.duration = .zero
        marker.source = .system
        marker.voiceNoteID = ULID(Self.other)
        #expect(try record(.marker, marker.json.bytes) { Marker($0) } == marker)
    }

    @Test(
        arguments: [("Theme", ["a"], "Theme"), ("", ["a", "b"], "a, b"), (nil, [], nil), ("", [], nil)]
            as [(String?, [String], String?)])
    func `a marker is called by its label, else its tags`(label: String?, tags: [String], title: String?)
        throws
    {
        let marker = try Marker(
            id: #require(ULID(Self.id)), offset: .zero, createdAt: nil, label: label, tags: tags)
        #expect(marker.title == title)
    }

    @Test func `a voice note is spelled and read back`() throws {
        var note = try VoiceNote(
            id: #require(ULID(Self.id)), createdAt: Timestamp(milliseconds: 1), mediaPath: "media/x.m4a",
            offset: .zero,
            duration: SessionOffset(milliseconds: 9))
        #expect(try record(.voiceNote, note.json.bytes) { VoiceNote($0) } == note)
        note.transcript = "once more"
        note.markerID = ULID(Self.other)
        #expect(try record(.voiceNote, note.json.bytes) { VoiceNote($0) } == note)
    }

    @Test func `a timeline entry is spelled within the format`() throws {
        let entry = try TimelineEntry(
            id: #require(ULID(Self.id)), kind: .mediaEnd, offset: SessionOffset(milliseconds: 7),
            wallTime: Timestamp(milliseconds: 0),
            createdAt: Timestamp(milliseconds: 0))
        #expect(
            entry.json.text
                == #"{"id":"\#(Self.id)","kind":"media_end","offset_ms":7,"wall_time":"1970-01-01T00:00:00.000Z","#
                + #""created_at":"1970-01-01T00:00:00.000Z","source":"system"}"#)
        #expect(
            try record(.timeline, entry.json.bytes) { $0[RecordSchema.timeline.slot("kind")]?.string }
                == "media_end")
    }

    @Test func `an action run tells how far it got`() throws {
        let text =
            #"{"id":"\#(Self.id)","action":"x","created_at":"1970-01-01T00:00:00Z","status":"failed","error":"no"}"#
        let run = try record(.action, Array(text.utf8)) { ActionRun($0) }
        #expect(
            run
                == ActionRun(
                    id: try #require(ULID(Self.id)), action: "x", createdAt: Timestamp(milliseconds: 0),
                    status: .failed, error: "no"))
    }

    @Test func `session.json is read`() throws {
        let text = try #require(SessionFiles.valid.tree.files["session.json"])
        let session = try #require(try record(.session, text) { Session($0) })
        #expect(session.id == ULID("01KGN6Z5BM0000000000000001"))
        #expect(session.title == "Late set")
        #expect(session.status == .closed)
        #expect(session.startTime == Timestamp("2026-02-04T20:00:00Z"))
        #expect(session.endTime == Timestamp("2026-02-04T20:10:00Z"))
        #expect(session.duration == SessionOffset(milliseconds: 600_000))
        #expect(session.namesVoiceNotes && session.namesTranscript && session.namesDigest)
        #expect(session.media.map(\.path) == ["media/review.m4a"])
        #expect(session.reviewAudio?.startOffset == SessionOffset(milliseconds: 1000))
    }

    @Test(
        arguments: [
            ([("audio", "a.m4a"), ("video", "review.mp4")], "media/review.mp4"),
            ([("screen", "review.mp4"), ("audio", "a.m4a")], "media/a.m4a"),
            ([("video", "b.mp4"), ("audio", "a.m4a")], "media/b.mp4"),
            ([("other", "review.txt"), ("screen", "s.mp4")], nil), ([], nil),
        ] as [([(String, String)], String?)])
    func `the review audio is the named one, else the first that plays`(
        items: [(String, String)], path: String?
    ) throws {
        let media = items.map { #"{"kind":"\#($0.0)","path":"media/\#($0.1)"}"# }.joined(separator: ",")
        let checker = try RecordChecker(.session)
        let session = PaddedBytes.withLine("{\"media\":[\(media)]}".utf8) { line in
            checker.check(line) { _ in }.map { Session($0) }
        }
        #expect(session?.reviewAudio?.path == path)
    }

    @Test(
        arguments: [
            ("markers.sync-conflict-20260204-120000-ABCDEFG.jsonl", "markers.jsonl"),
            ("markers (conflicted copy 2026-02-04 120000).jsonl", "markers.jsonl"),
            ("session (Anna's conflicted copy 2026-02-04).json", "session.json"),
            ("digest 2.md", "digest.md"), ("voice_notes 12.jsonl", "voice_notes.jsonl"),
            ("markers_conflict-20260204-120000.jsonl", "markers.jsonl"),
            ("markers.jsonl", nil), ("markers 2.json", nil), ("markers two.jsonl", nil),
            ("markers .jsonl", nil), ("markers2.jsonl", nil),
            ("other 2.jsonl", nil), ("markers (copy).jsonl", nil), ("xmarkers 2.jsonl", nil), ("", nil),
            ("markers 2", nil), ("session.json 2", nil),
        ] as [(String, String?)])
    func `conflict copies are told by their names`(name: String, original: String?) {
        #expect(JournalLayout.session.original(of: name) == original)
    }
}
