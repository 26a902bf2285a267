import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles
import TraceFormat

@testable import TraceStore

struct InspectionTests {
    let scratch: ScratchDirectory
    let sample: SampleSession

    init() throws {
        scratch = try ScratchDirectory()
        sample = try SampleSession(
            at: scratch("set"), header: SampleSession.header.replacing("  \"x_mood\": 1.50e1,\n", with: ""))
    }

    /// What is found, in words; the files count as settled.
    func findings() throws -> [String] {
        try Inspection(of: sample.path, settleTime: .zero).findings.map(\.description)
    }

    static func marker(_ id: Int, _ more: String = "") -> String {
        """
        {"id":"\(number(id))","offset_ms":5,"created_at":"2026-02-05T08:00:00.000Z","source":"user"\(more)}

        """
    }

    @Test func `a session without a fault has no findings, and lines of one id count once`() throws {
        try sample("markers.jsonl").write(
            Self.marker(10) + "\n" + Self.marker(11) + Self.marker(10, ",\"note\":\"x\""))
        let inspection = try Inspection(of: sample.path)
        #expect(inspection.findings == [])
        #expect(inspection.counts == [.timeline: 1, .marker: 2])
        #expect(inspection.session.id == SampleSession.id)
        #expect(inspection.path == sample.path)
    }

    @Test func `findings come in the order of files and places, and a broken line hides none`() throws {
        try sample("timeline.jsonl").write("")
        let first = Self.marker(10, ",\"voice_note_id\":\"\(number(20))\"")
        let third = Self.marker(11, ",\"mood\":1")
        try sample("markers.jsonl").write(first + "{\"id\":\n" + third + "{\"to")
        try sample("markers 2.jsonl").write("")
        let second = first.utf8.count
        let mood = third.utf8.count - "\"mood\":1}\n".utf8.count
        let last = second + 7 + third.utf8.count
        #expect(
            try findings() == [
                "timeline.jsonl: there is no session_start [session-start-missing]",
                "markers.jsonl:1 (byte 0): voice_note_id '\(number(20))' has no entry in voice_notes.jsonl "
                    + "[marker-voice-note-missing]",
                "markers.jsonl:2:7 (byte \(second + 6)): expected a value, but the text ends [json-syntax]",
                "markers.jsonl:3:\(mood + 1) (byte \(second + 7 + mood)): unknown key 'mood' [key-unknown]",
                "markers.jsonl:4:5 (byte \(last + 4)): the text ends in the middle of a string [line-torn]",
                "markers 2.jsonl: a sync tool could not merge two versions of a file and kept this one as a copy [conflict-copy]",
            ])
    }

    @Test func `an unfinished last line is in transit until its file has rested`() throws {
        try sample("markers.jsonl").write("{\"id\":")
        #expect(
            try Inspection(of: sample.path, settleTime: .seconds(60)).findings.map(\.rule.id) == [
                "line-in-transit"
            ])
        #expect(try Inspection(of: sample.path, settleTime: .zero).findings.map(\.rule.id) == ["line-torn"])
    }

    @Test(
        arguments: [
            ("media/n", nil), ("media//n", nil), ("media/./n", nil), ("media/n/", "media-missing"),
            ("media/n//", "media-missing"),
            ("media/n/.", "media-missing"), ("media//n/./", "media-missing"), ("media/d", "media-missing"),
            ("media/d/", "media-missing"),
            ("media/", "media-missing"), ("media/d/n", nil), ("media/../n", "media-outside-session"),
            ("media/../media/n", "media-outside-session"), ("media/n/..", "media-outside-session"),
        ] as [(String, String?)]) func `a media path is followed as the kernel follows it`(
            path: String, rule: String?
        ) throws
    {
        try sample("media").appending("n").write("x")
        try OpenDirectory.make(sample("media").appending("d"))
        try sample("media").appending("d").appending("n").write("x")
        try sample("voice_notes.jsonl").write(
            """
            {"id":"\(number(20))","created_at":"2026-02-05T08:00:00.000Z","media_path":"\(path)","offset_ms":5,"duration_ms":1}

            """)
        let found = try Inspection(of: sample.path, settleTime: .zero).findings.map(\.rule.id)
        #expect(found.filter { $0.hasPrefix("media") } == [rule].compactMap(\.self))
    }

    @Test func `a header that is missing or broken is a finding, and the lines are read all the same`() throws
    {
        try sample("markers.jsonl").write(Self.marker(10))
        try sample("session.json").write("{")
        #expect(
            try findings() == [
                "session.json:1:2 (byte 1): expected a member name in quotes [json-syntax]"
            ])
        #expect(try Inspection(of: sample.path).counts[.marker] == 1)
        try #require(unlink(sample("session.json").string) == 0)
        #expect(try findings() == ["session.json: the file does not exist [file-missing]"])
        try OpenDirectory.make(sample("session.json"))
        #expect(
            try findings() == [
                "session.json: is a directory, not a regular file [file-unreadable]"
            ])
    }

    @Test func `files that are missing, or no files, are findings`() throws {
        try #require(unlink(sample("markers.jsonl").string) == 0)
        try #require(mkfifo(sample("voice_notes.jsonl").string, 0o644) == 0)
        let found = try findings()
        #expect(found.contains("markers.jsonl: the file does not exist [file-missing]"))
        #expect(
            found.contains(
                "voice_notes.jsonl: is a pipe, socket or device, not a regular file [file-unreadable]"))
    }

    @Test(arguments: [
        ("media/no.m4a", "media-missing"), ("media/../session.json", "media-outside-session"),
        ("media/link.m4a", "media-outside-session"), ("media/away/a.m4a", "media-outside-session"),
        ("media/sub", "media-missing"),
    ])
    func `media must lie in the session`(path: String, rule: String) throws {
        try OpenDirectory.make(sample("media").appending("sub"))
        try sample("media").appending("link.m4a").link(to: "../session.json")
        try sample("media").appending("away").link(to: "/tmp")
        try sample("session.json").write(
            try sample("session.json").text().replacing(
                "\"voice_notes_path\": null", with: "\"voice_notes_path\": \"voice_notes.jsonl\""))
        try sample("voice_notes.jsonl").write(
            """
            {"id":"\(number(20))","created_at":"2026-02-05T08:00:00.000Z","media_path":"\(path)","offset_ms":5,\
            "duration_ms":7}

            """)
        #expect(try Inspection(of: sample.path).findings.map(\.rule.id) == [rule])
    }

    @Test func `looking changes nothing`() throws {
        try sample("markers.jsonl").write("{\"id\":")
        let before = try tree(of: scratch.path)
        _ = try Inspection(of: sample.path)
        #expect(try tree(of: scratch.path) == before)
    }

    @Test func `a directory that is not there is an error`() throws {
        expectError(
            .notFound,
            """
            \(scratch("no").string): does not exist [not-found]
              hint: check the path; if it is on a removable or network disk, mount the disk
            """
        ) { try Inspection(of: scratch("no")) }
    }
}
