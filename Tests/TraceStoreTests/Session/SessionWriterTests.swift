import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceFormat

@testable import TraceStore

struct SessionWriterTests {
    let scratch: ScratchDirectory
    let sample: SampleSession
    let writer: SessionWriter

    init() throws {
        scratch = try ScratchDirectory()
        sample = try SampleSession(at: scratch("set"))
        writer = SessionWriter(sample.path)
    }

    func marker(_ id: Int = 10, label: String? = nil, voiceNote: ULID? = nil) -> Marker {
        Marker(
            id: number(id), offset: SessionOffset(milliseconds: 120_000), createdAt: morning, label: label,
            tags: ["highlight"], voiceNoteID: voiceNote)
    }

    func line(_ id: Int) -> String {
        """
        {"id":"\(number(id))","offset_ms":120000,"created_at":"2026-02-05T08:00:00.000Z","source":"user",\
        "tags":["highlight"]}

        """
    }

    func note(_ id: Int = 20, path: String = "media/note.m4a", marker: ULID? = nil) -> VoiceNote {
        VoiceNote(
            id: number(id), createdAt: morning, mediaPath: path, offset: SessionOffset(milliseconds: 5),
            duration: SessionOffset(milliseconds: 700), markerID: marker)
    }

    /// The sample's header with the time of the last write, which the writer takes from the clock.
    func header(_ change: (String) -> String = { $0 }) throws -> String {
        let updated = try #require(try sample.session.updatedAt)
        #expect(updated > morning)
        return change(SampleSession.header.replacing("2026-02-04T20:30:00.000Z", with: updated.description))
    }

    // MARK: - Marking

    @Test func `a marker is one line, and of the header only the time changes`() throws {
        #expect(try writer.mark(marker(label: "Drop \"A\"\n")) == [])
        #expect(
            try sample("markers.jsonl").text() == """
                {"id":"\(number(10))","offset_ms":120000,"created_at":"2026-02-05T08:00:00.000Z","source":"user",\
                "label":"Drop \\"A\\"\\n","tags":["highlight"]}

                """)
        #expect(try sample("session.json").text() == header())
        #expect(
            try Set(tree(of: sample.path).keys) == [
                "media", "session.json", "timeline.jsonl", "markers.jsonl",
            ])
    }

    @Test func `the time of the last change never goes backwards, and keeps its spelling`() throws {
        let future = SampleSession.header.replacing(
            "2026-02-04T20:30:00.000Z", with: "2999-01-01T00:00:00.0009Z")
        try sample("session.json").write(future)
        try writer.mark(marker())
        #expect(try sample("session.json").text() == future)
    }

    @Test func `a time of the last change that is missing or broken is mended`() throws {
        for broken in ["null", "\"yesterday\"", "\"2026-13-40T00:00:00Z\""] {
            try sample("session.json").write(
                SampleSession.header.replacing("\"2026-02-04T20:30:00.000Z\"", with: broken))
            try writer.mark(marker())
            #expect(try sample("session.json").text() == header())
        }
        try sample("session.json").write("{\"id\":\"\(SampleSession.id)\"}")
        try writer.mark(marker())
        let updated = try #require(try sample.session.updatedAt)
        #expect(
            try sample("session.json").text()
                == "{\"id\":\"\(SampleSession.id)\",\"updated_at\":\"\(updated)\"}")
    }

    @Test func `a last line without its newline gets one`() throws {
        try sample("markers.jsonl").write(String(line(9).dropLast()))
        #expect(try writer.mark(marker()) == [])
        #expect(try sample("markers.jsonl").text() == line(9) + line(10))
    }

    @Test func `a torn line is left as it is, and told`() throws {
        try sample("markers.jsonl").write(line(9) + "{\"id\":\"01J")
        let notices = try writer.mark(marker())
        #expect(
            notices == [
                "markers.jsonl (byte \(line(9).utf8.count)): the last line was already incomplete (10 bytes); it was left unchanged, and the new line was written after it; 'trace validate' shows it"
            ])
        #expect(try sample("markers.jsonl").text() == line(9) + "{\"id\":\"01J\n" + line(10))
    }

    @Test func `a file of lines that is a link stays one, and so does the header`() throws {
        try OpenDirectory.make(scratch("elsewhere"))
        try scratch("elsewhere").appending("m").write(line(9))
        try scratch("elsewhere").appending("s").write(SampleSession.header)
        for name: FilePath.Component in ["markers.jsonl", "session.json"] {
            try #require(unlink(sample(name).string) == 0)
            try sample(name).link(to: "../elsewhere/\(name.string.prefix(1))")
        }
        try writer.mark(marker())
        #expect(try scratch("elsewhere").appending("m").text() == line(9) + line(10))
        #expect(try scratch("elsewhere").appending("s").text() == header())
        #expect(try tree(of: sample.path)["markers.jsonl"] == "(link)")
        #expect(try tree(of: sample.path)["session.json"] == "(link)")
        #expect(try tree(of: scratch("elsewhere")).keys.sorted() == ["m", "s"])
    }

    @Test func `a marker that would break the format is not written`() throws {
        let before = try tree(of: sample.path)
        var bad = marker()
        bad.tags = ["Loud"]
        expectError(
            .invalidData,
            """
            the key 'tags' contains 'Loud', which is not a valid tag [tag-malformed] [invalid-data]
              hint: use lower-case letters, digits, - and _, beginning with a letter or digit, such as 'fix-review'
            """
        ) { try writer.mark(bad) }
        bad = marker()
        bad.offset = SessionOffset(milliseconds: -1)
        #expect(code { try writer.mark(bad) } == .invalidData)
        bad = marker()
        bad.createdAt = nil
        #expect(code { try writer.mark(bad) } == .invalidData)
        #expect(try tree(of: sample.path) == before)
    }

    @Test func `a marker may name only a voice note that is there`() throws {
        let before = try tree(of: sample.path)
        expectError(
            .noSuchRecord,
            """
            \(sample("voice_notes.jsonl").string): voice note not found: \(number(20)) [no-such-record]
              hint: 'trace voice-notes list' lists the ids; if it is in another session, give that with --session
            """
        ) { try writer.mark(marker(voiceNote: number(20))) }
        #expect(try tree(of: sample.path) == before)

        try scratch.write("sound", to: "a.m4a")
        try writer.addVoiceNote(note(), audio: scratch("a.m4a"))
        try writer.mark(marker(voiceNote: number(20)))
        #expect(try Inspection(of: sample.path).findings.map(\.rule.id) == ["key-unknown"])
    }

    @Test func `a directory that is no session gets nothing written into it`() throws {
        let plain = scratch("plain")
        try OpenDirectory.make(plain)
        expectError(
            .notFound,
            """
            \(plain.string): there is no session.json [not-found]
              hint: give a session directory
            """
        ) { try SessionWriter(plain).mark(marker()) }
        #expect(try tree(of: plain) == [:])
    }

    @Test func `a header that can't be updated doesn't cost the marker, and a notice says so`() throws {
        try sample("session.json").write("{\"id\":")
        #expect(
            try writer.mark(marker()) == [
                """
                the marker was written, but session.json is out of date: byte 6: expected a value, but the text ends; \
                the next write into the session updates it
                """
            ])
        #expect(try sample("markers.jsonl").text() == line(10))
        #expect(try sample("session.json").text() == "{\"id\":")
    }

    @Test func `two processes' worth of threads mark without losing one another's lines`() async throws {
        var patient = writer
        patient.lockTimeout = waitLimit
        let writer = patient
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in 100..<140 { group.addTask { try writer.mark(SessionWriterTests.plain(id)) } }
            try await group.waitForAll()
        }
        #expect(try Inspection(of: sample.path).counts[.marker] == 40)
        #expect(try sample("markers.jsonl").text().split(separator: "\n").count == 40)
    }

    static func plain(_ id: Int) -> Marker {
        Marker(id: number(id), offset: .zero, createdAt: morning)
    }

    // MARK: - Voice notes

    @Test func `a voice note brings its audio, its line and the path in the header`() throws {
        try scratch.write("sound", to: "a.m4a")
        #expect(try writer.addVoiceNote(note(), audio: scratch("a.m4a")) == [])
        #expect(
            try tree(of: sample.path) == [
                "media": "(directory)", "media/note.m4a": "sound", "markers.jsonl": "",
                "timeline.jsonl": SampleSession.start,
                "session.json": header {
                    $0.replacing(
                        "\"voice_notes_path\": null", with: "\"voice_notes_path\": \"voice_notes.jsonl\"")
                },
                "voice_notes.jsonl": """
                {"id":"\(number(20))","created_at":"2026-02-05T08:00:00.000Z","media_path":"media/note.m4a",\
                "offset_ms":5,"duration_ms":700}

                """,
            ])
    }

    @Test func `the marker of a voice note is appended once more, naming it, every other byte as it was`()
        throws
    {
        let first = "{\"id\":\"\(number(10))\",\"offset_ms\":1}\n"
        let last = """
            {"source" : "user", "x_mood":1.50e1,"id":"\(number(10))","label":"D\\u0065","offset_ms":1.2e2 ,\
            "created_at":"2026-02-05T08:00:00Z"}
            """
        try sample("markers.jsonl").write(first + last + "\r\n" + line(11))
        try scratch.write("sound", to: "a.m4a")
        #expect(try writer.addVoiceNote(note(marker: number(10)), audio: scratch("a.m4a")) == [])
        let linked = last.dropLast() + ",\"voice_note_id\":\"\(number(20))\"}\n"
        #expect(try sample("markers.jsonl").text() == first + last + "\r\n" + line(11) + linked)
        #expect(try sample("voice_notes.jsonl").text().hasSuffix(",\"marker_id\":\"\(number(10))\"}\n"))

        try scratch.write("more", to: "b.m4a")
        try writer.addVoiceNote(note(21, path: "media/b.m4a", marker: number(10)), audio: scratch("b.m4a"))
        let relinked = linked.replacing(number(20).description, with: number(21).description)
        #expect(try sample("markers.jsonl").text() == first + last + "\r\n" + line(11) + linked + relinked)
    }

    @Test func `audio that lies in the session already need not be given`() throws {
        try sample("media").appending("note.m4a").write("sound")
        try writer.addVoiceNote(note(), audio: nil)
        #expect(try sample.session.namesVoiceNotes)
    }

    @Test func `a voice note whose audio, marker or form is wrong leaves nothing behind`() throws {
        try scratch.write("sound", to: "a.m4a")
        try sample("media").appending("taken.m4a").write("other")
        try sample("media").appending("out.m4a").link(to: "../../a.m4a")
        let before = try tree(of: sample.path)
        expectError(
            .notFound,
            """
            'media/note.m4a' does not exist in the session [not-found]
              hint: copy it there, or use --media-file
            """
        ) { try writer.addVoiceNote(note(), audio: nil) }
        expectError(
            .leavesSession,
            """
            'media/out.m4a' points outside the session directory [leaves-session]
              hint: use a file in media/
            """
        ) { try writer.addVoiceNote(note(path: "media/out.m4a"), audio: nil) }
        expectError(
            .notFound,
            """
            \(scratch("no.m4a").string): does not exist [not-found]
              hint: check the path; if it is on a removable or network disk, mount the disk
            """
        ) { try writer.addVoiceNote(note(), audio: scratch("no.m4a")) }
        expectError(
            .noSuchRecord,
            """
            \(sample("markers.jsonl").string): marker not found: \(number(10)) [no-such-record]
              hint: 'trace markers list' lists the ids; if it is in another session, give that with --session
            """
        ) { try writer.addVoiceNote(note(marker: number(10)), audio: scratch("a.m4a")) }
        #expect(
            code { try writer.addVoiceNote(note(path: "media/taken.m4a"), audio: scratch("a.m4a")) }
                == .alreadyExists)
        #expect(
            code { try writer.addVoiceNote(note(path: "media/../a"), audio: scratch("a.m4a")) }
                == .invalidData)
        var bad = note()
        bad.createdAt = nil
        expectError(
            .invalidData,
            """
            created_at is missing [key-missing] [invalid-data]
              hint: add the key
            """
        ) { try writer.addVoiceNote(bad, audio: scratch("a.m4a")) }
        #expect(try tree(of: sample.path) == before)
    }

    // MARK: - Digest

    @Test func `a digest is overwritten whole and named in the header`() throws {
        try writer.writeDigest(Array("# One\n".utf8))
        try writer.writeDigest(Array("# Two — späte Stücke\n".utf8))
        #expect(try sample("digest.md").text() == "# Two — späte Stücke\n")
        let text = try sample("session.json").text()
        #expect(text.contains("\"digest_path\": \"digest.md\""))
        let written = try #require(text.firstMatch(of: #/"digest_updated_at": "([^"]+)"/#)?.1)
        #expect(try #require(Timestamp(written)) > morning)
        #expect(text.contains("  \"title\": \"Late set\",\n  \"digest_updated_at\": "))
        #expect(try sample.session.namesDigest)
    }

    @Test func `a digest that is there already is not written again`() throws {
        let text = Array("# One\n".utf8)
        #expect(try writer.writeDigest(text))
        let before = try tree(of: sample.path)
        #expect(try !writer.writeDigest(text))
        #expect(try tree(of: sample.path) == before)
    }

    @Test func `a digest that is not UTF-8 is refused, and the old one stays`() throws {
        try writer.writeDigest(Array("# One\n".utf8))
        let before = try tree(of: sample.path)
        expectError(
            .invalidData,
            """
            the digest is not UTF-8 [invalid-data]
              hint: save the text as UTF-8
            """
        ) { try writer.writeDigest([0x23, 0xFF]) }
        #expect(try tree(of: sample.path) == before)
    }
}
