import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceExchange
import TraceFiles
import TraceFormat

@testable import TraceStore

/// Every write into a session that was chosen before, by a path that other programs turn elsewhere or while others rewrite
/// `session.json`.
struct ChosenSessionTests {
    let scratch: ScratchDirectory
    let scene: EditingScene
    let stranger: SampleSession

    init() throws {
        scratch = try ScratchDirectory()
        scene = try EditingScene(in: scratch.path)
        // The same records, so that nothing but the id of the session tells them apart.
        stranger = try SampleSession(
            at: scratch("other"),
            header: SampleSession.header.replacing(SampleSession.id.description, with: number(7).description))
        for name: FilePath.Component in ["markers.jsonl", "voice_notes.jsonl"] {
            try stranger(name).write(try scene.session(name).text())
        }
        try stranger("media").appending("a.m4a").write("sound")
    }

    enum Write: String, CaseIterable {
        case mark, voiceNote, edit, setTranscript, renameTag, remove, importing, digest, transcribe, close,
            media, repair
        case action, request, decline

        /// Those of which the records are all, so that a torn `session.json` is no failure.
        static let ofRecords: [Write] = [
            .mark, .voiceNote, .edit, .setTranscript, .renameTag, .remove, .importing,
        ]
        /// Those that change `session.json` for its own sake.
        static let ofHeader: [Write] = [.digest, .transcribe, .close, .media]
    }

    private func writer(_ target: SessionTarget, _ failPoint: FailPoint? = nil) -> SessionWriter {
        var writer = SessionWriter(target)
        writer.failPoint = failPoint
        writer.staleHeaders = StaleHeaders(state: scene.scene.queue.state)
        return writer
    }

    /// - Returns: What a person is told.
    @discardableResult
    private func run(_ write: Write, _ target: SessionTarget, failPoint: FailPoint? = nil) throws -> [String]
    {
        let writer = writer(target, failPoint)
        switch write {
        case .mark: return try writer.mark(SessionWriterTests.plain(20))
        case .voiceNote:
            let note = VoiceNote(
                id: number(21), createdAt: morning, mediaPath: "media/b.m4a", offset: .zero,
                duration: SessionOffset(milliseconds: 1), transcript: nil, markerID: nil)
            return try writer.addVoiceNote(note, audio: scratch("take.m4a"))
        case .edit:
            return try writer.editMarker(number(10)) { _ in
                var edit = RecordEdit()
                edit.values = [("label", JSONText("b"))]
                return edit
            }.notices
        case .setTranscript: return try writer.setTranscript(of: number(11), to: "words").notices
        case .renameTag: return try writer.renameTag("highlight", to: "good").notices
        case .remove: return try MarkerRemoval(writer, queue: scene.scene.queue).remove(number(12)).notices
        case .importing: return try importing("1.0\t1.0\tx\n").run(writer).notices.map(\.message)
        case .digest: try writer.writeDigest(Array("text".utf8))
        case .transcribe: try writer.writeTranscript([])
        case .close: _ = try writer.close(now: morning)
        case .media:
            let media = NewMedia(
                kind: .audio, mime: "audio/mp4", startOffset: .zero, duration: nil, suffix: ".m4a")
            _ = try writer.addMedia(media, from: scratch("take.m4a"))
        case .repair: _ = try SessionRepair(writer, keptIn: scratch("state")).run()
        case .action: _ = try ActionLog(target).begin(number(30), action: "x", inputs: nil, at: morning)
        case .request:
            return try writer.request(
                ActionRequest(id: number(31), action: "x", inputs: nil, createdAt: morning))
        case .decline:
            _ = try writer.decline(number(32), by: "ann", because: nil, state: scratch("state"))
        }
        return []
    }

    private func exchange() throws {
        try #require(rename(scene.session.path.string, scratch("aside").string) == 0)
        try #require(rename(stranger.path.string, scene.session.path.string) == 0)
        try #require(rename(scratch("aside").string, stranger.path.string) == 0)
    }

    @Test(arguments: Write.allCases)
    func `a directory that is another session by the time of the write gets nothing`(write: Write) throws {
        let target = try SessionTarget(reading: scene.session.path)
        try exchange()
        let before = (try tree(of: scene.session.path), try tree(of: stranger.path))
        #expect(code(of: StoreError.self) { try run(write, target) } == .otherSession)
        #expect(try tree(of: scene.session.path) == before.0)
        #expect(try tree(of: stranger.path) == before.1)
    }

    @Test(arguments: Write.allCases)
    func `so does one to which a link was turned round`(write: Write) throws {
        let link = scratch("link")
        try link.link(to: "set")
        let target = try SessionTarget(reading: link)
        try #require(unlink(link.string) == 0)
        try link.link(to: "other")
        let before = try tree(of: stranger.path)
        #expect(code(of: StoreError.self) { try run(write, target) } == .otherSession)
        #expect(try tree(of: stranger.path) == before)
    }

    @Test func `a session that could not be read when it was chosen is known by its directory`() throws {
        try scene.session("session.json").write("{")
        let target = try SessionTarget(reading: scene.session.path)
        #expect(target.session.id == nil)
        try scene.session("session.json").write(SampleSession.header)
        #expect(try run(.mark, target) == [])
        try exchange()
        #expect(code(of: StoreError.self) { try run(.mark, target) } == .otherSession)
    }

    @Test func `a directory that is exchanged during a long copy gets no media, and the copy goes`() throws {
        let target = try SessionTarget(reading: scene.session.path)
        let writer = writer(target) { [scratch] step, path throws(Errno) in
            guard step == .sync, path.lastComponent == ".trace-media.tmp" else { return }
            rename(scratch("set").string, scratch("aside").string)
            rename(scratch("other").string, scratch("set").string)
        }
        let media = NewMedia(
            kind: .audio, mime: "audio/mp4", startOffset: .zero, duration: nil, suffix: ".m4a")
        let before = (try tree(of: scene.session.path), try tree(of: stranger.path))
        #expect(
            code(of: StoreError.self) { try writer.addMedia(media, from: scratch("take.m4a")) }
                == .otherSession)
        #expect(try tree(of: scratch("aside")) == before.0)
        #expect(try tree(of: scratch("set")) == before.1)
    }

    // MARK: - A header that another program is rewriting

    @Test(arguments: Write.ofRecords)
    func `records that stand are no failure, and the header follows once it is whole`(write: Write) throws {
        let target = try SessionTarget(reading: scene.session.path)
        try scene.session("session.json").write("{")
        let notices = try run(write, target)
        #expect(notices.count == 1 && notices[0].contains("session.json is out of date"))
        let records = try scene.markers.text() + scene.notes.text()
        let headers = StaleHeaders(state: scene.scene.queue.state)
        // Still torn.
        #expect(headers.bringUpToDate(runtimeDirectory: nil) { _ in [] } == [])
        try scene.session("session.json").write(SampleSession.header)
        #expect(headers.bringUpToDate(runtimeDirectory: nil) { _ in [] } == [scene.session.path])
        let header = try scene.session.session
        #expect(try #require(header.updatedAt) > morning)
        #expect(header.namesVoiceNotes == (write == .voiceNote))
        #expect(try scene.markers.text() + scene.notes.text() == records)
        #expect(headers.bringUpToDate(runtimeDirectory: nil) { _ in [] } == [])
        #expect(try tree(of: headers.path) == [:])
    }

    @Test(arguments: Write.ofRecords + Write.ofHeader)
    func `a header that is whole again soon is waited for`(write: Write) throws {
        if write == .transcribe { try scene.session("session.json").write(Self.headerWithAudio) }
        let target = try SessionTarget(reading: scene.session.path)
        let header = scene.session("session.json")
        let whole = try header.text()
        try header.write(String(whole.prefix(40)))
        let looks = Steps()
        let notices = try run(write, target) { step, path throws(Errno) in
            // The program that rewrites it goes on at the third look.
            guard step == .verify, path.lastComponent == "session.json", looks.add(step) == 3 else { return }
            try? header.write(whole)
        }
        #expect(notices == [])
        #expect(try #require(try scene.session.session.updatedAt) >= morning)
    }

    private static let headerWithAudio = SampleSession.header.replacing(
        "\"media\": []",
        with: """
            "media": [{"id":"\(number(9))","kind":"audio","path":"media/a.m4a","mime":"audio/mp4",\
            "created_at":"2026-02-04T20:00:00Z","start_offset_ms":0}]
            """)

    @Test func `a note knows the session by its id where that was readable, wherever it has gone`() throws {
        let target = try SessionTarget(reading: scene.session.path)
        let writer = writer(target) { step, path throws(Errno) in
            if step == .rename, path.lastComponent == "session.json" { throw .ioError }
        }
        #expect(try writer.mark(SessionWriterTests.plain(20)).count == 1)
        try exchange()
        let before = try tree(of: scene.session.path)
        let headers = StaleHeaders(state: scene.scene.queue.state)
        #expect(headers.bringUpToDate(runtimeDirectory: nil) { _ in [] } == [])
        #expect(headers.bringUpToDate(runtimeDirectory: nil) { _ in [stranger.path] } == [stranger.path])
        #expect(try tree(of: scene.session.path) == before)
    }

    @Test func `a session that is locked is left to the next time`() throws {
        let target = try SessionTarget(reading: scene.session.path)
        try scene.session("session.json").write("{")
        try run(.mark, target)
        try scene.session("session.json").write(SampleSession.header)
        let headers = StaleHeaders(state: scene.scene.queue.state)
        let lock = try DirectoryLock(scene.session.path)
        #expect(headers.bringUpToDate(runtimeDirectory: nil) { _ in [] } == [])
        withExtendedLifetime(lock) {}
        #expect(try tree(of: headers.path).count == 1)
    }

    // MARK: - A file that can't be read

    @Test func `records that can't be read are not taken for missing`() throws {
        try #require(unlink(scene.notes.string) == 0)
        try OpenDirectory.make(scene.notes)
        let reader = try SessionReader(scene.session.path)
        #expect(code { try reader.existing([number(11)]) } == .notRegularFile)
    }
}
