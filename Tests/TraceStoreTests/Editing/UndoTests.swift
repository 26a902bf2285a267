import Glibc
import SystemPackage
import Testing
import TraceFormat

@testable import TraceStore

struct UndoTests {
    let scratch: ScratchDirectory
    let scene: EditingScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try EditingScene(in: scratch.path)
    }

    static func marker(_ id: Int = 40) -> Marker {
        Marker(id: number(id), offset: SessionOffset(milliseconds: 5), createdAt: morning)
    }

    /// A write that can be undone.
    enum Act: String, CaseIterable, Codable {
        case mark, voiceNote, edit, transcript, remove, close, digest, importMarkers

        func perform(_ scene: EditingScene) throws {
            switch self {
            case .mark: try scene.writer().mark(UndoTests.marker())
            case .voiceNote:
                let note = VoiceNote(
                    id: number(41), createdAt: morning, mediaPath: "media/\(number(41)).m4a", offset: .zero,
                    duration: .zero, markerID: number(12))
                try scene.writer().addVoiceNote(note, audio: scene.scene.root.appending("take.m4a"))
            case .edit:
                var edit = RecordEdit()
                edit.values = [("label", JSONText("b"))]
                try scene.edit(10, edit)
            case .transcript: _ = try scene.writer().setTranscript(of: number(11), to: "x")
            case .remove: try scene.remove(10, force: true)
            case .close: _ = try scene.writer().close(now: morning)
            case .digest: try scene.writer().writeDigest(Array("# Mine\n".utf8))
            case .importMarkers:
                _ = try MarkerImportTests.importing("5\t5\tnew\n6\t7\tother\n").run(scene.writer())
            }
        }

        /// What the session's files are after the undo, if not what they were.
        func expected(_ before: [String: String]) -> [String: String] {
            var files = before
            if self == .remove {
                // The lines come back at the end.
                files["markers.jsonl"] = "\n\(EditingScene.other)\r\n\(EditingScene.odd)\n"
            }
            if self == .voiceNote {
                files["session.json"] = files["session.json"]?.replacing(
                    "\"voice_notes_path\": null", with: "\"voice_notes_path\": \"voice_notes.jsonl\"")
            }
            return files
        }
    }

    @Test(arguments: Act.allCases)
    func `what was written is taken back, and nothing else`(act: Act) throws {
        let before = try scene.files()
        try act.perform(scene)
        let after = try tree(of: scratch.path)
        let announced = try scene.undo(isDryRun: true)
        #expect(try tree(of: scratch.path) == after)
        #expect(try scene.undo() == announced)
        #expect(try scene.files() == act.expected(before))
        #expect(code { try scene.undo() } == .nothingToUndo)
    }

    @Test func `lines of others behind ours stay, and the writes go one after the other`() throws {
        let before = try scene.markers.text()
        try Act.edit.perform(scene)
        try Act.mark.perform(scene)
        let foreign = QueueScene.markerLine(50) + "\n"
        try scene.markers.write(try scene.markers.text() + foreign)
        #expect(try scene.undo() == ["take a line of marker \(number(40)) out of markers.jsonl"])
        #expect(try scene.undo() == ["take a line of marker \(number(10)) out of markers.jsonl"])
        #expect(try scene.markers.text() == before + foreign)
    }

    @Test func `a record that has been edited since is not touched`() throws {
        try Act.mark.perform(scene)
        let line = Self.marker().json.bytes
        let edited = String(decoding: line, as: UTF8.self).replacing("\"tags\":[]", with: "\"tags\":[\"x\"]")
        try scene.markers.write(try scene.markers.text() + edited + "\n")
        let before = try tree(of: scratch.path)
        expectError(
            .unsafeToUndo,
            """
            \(scene.markers.string): marker \(number(40)) has been edited since [unsafe-to-undo]
              hint: look at it, and change by hand what is to be changed
            """
        ) { try scene.undo() }
        #expect(try tree(of: scratch.path) == before)
        try scene.markers.write("")
        #expect(code { try scene.undo() } == .unsafeToUndo)
    }

    @Test func `a marker that a voice note names by now is not taken back`() throws {
        try Act.mark.perform(scene)
        let note = QueueScene.noteLine(51).dropLast() + ",\"marker_id\":\"\(number(40))\"}\n"
        try scene.notes.write(try scene.notes.text() + note)
        #expect(code { try scene.undo() } == .unsafeToUndo)
    }

    @Test func `a mark that was undone does not come back from the queue`() throws {
        try Act.mark.perform(scene)
        try scene.undo()
        let line = String(decoding: Self.marker().json.bytes, as: UTF8.self)
        try scene.scene.deliver(QueueScene.entry(40, "marker", line), 40)
        #expect(try scene.scene.drain().map(\.result.name) == ["removed"])
    }

    @Test func `a closed session that has been changed since stays closed`() throws {
        try Act.close.perform(scene)
        let header = try scene.session("session.json").text()
        let changed = header.replacing(#/"end_time": "[^"]+"/#, with: #""end_time": "2026-02-04T21:00:00Z""#)
        try scene.session("session.json").write(changed)
        #expect(code { try scene.undo() } == .unsafeToUndo)
        #expect(try scene.session("session.json").text() == changed)
    }

    @Test func `a digest that was overwritten comes back to the byte, unless somebody has written since`()
        throws
    {
        let digest = scene.session("digest.md")
        try digest.write("# Theirs\r\n")
        try Act.digest.perform(scene)
        #expect(try scene.undo().last == "put the old digest.md back")
        #expect(try digest.text() == "# Theirs\r\n")
        try Act.digest.perform(scene)
        try digest.write("# Somebody\n")
        #expect(code { try scene.undo() } == .unsafeToUndo)
        #expect(try digest.text() == "# Somebody\n")
    }

    @Test func `the journal is for the user alone, and another user's writes are not undone`() throws {
        try Act.mark.perform(scene)
        let state = try OpenDirectory(scene.scene.queue.state)
        #expect(try state.status(of: "undo", followingLinks: false).permissions == 0o700)
        let undo = Undo(UndoJournal(state: scene.scene.queue.state), queue: scene.scene.queue) { _ in [] }
        #expect(code { try undo.run(user: 12345) } == .nothingToUndo)
        #expect(code { try undo.run(sessionID: number(7), user: UInt32(geteuid())) } == .nothingToUndo)
    }

    @Test func `a journal that can't be written is told, and the write stands`() throws {
        try OpenDirectory.make(scene.scene.queue.state)
        try scene.scene.queue.state.appending("undo").write("in the way")
        var writer = SessionWriter(scene.session.path)
        let failures = Failures()
        writer.journal = UndoJournal(state: scene.scene.queue.state) { failures.add($0) }
        try writer.mark(Self.marker())
        #expect(failures.count == 1)
        #expect(try scene.markers.text().hasSuffix("\"tags\":[]}\n"))
    }

    @Test(arguments: Act.allCases)
    func `an undo that is killed before any step, and once more, ends as an undisturbed one`(act: Act)
        async throws
    {
        let steps = Steps()
        try act.perform(scene)
        try scene.undo { step, _ throws(Errno) in _ = steps.add(step) }
        let expected = try scene.files()
        for fatal in 1...steps.all.count {
            let scratch = try ScratchDirectory()
            let scene = try EditingScene(in: scratch.path)
            try act.perform(scene)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = scratch.path.string as String, fatal = fatal as Int] in
                let steps = Steps()
                try EditingScene(at: FilePath(path)).undo { step, _ throws(Errno) in
                    if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
                }
            }
            try scene.undo()
            #expect(try scene.files() == expected, "\(act) killed before step \(fatal)")
        }
    }
}

/// Errors that came from whichever thread.
private final class Failures: @unchecked Sendable {
    // One thread writes.
    private(set) var count = 0

    func add(_ error: StoreError) { count += 1 }
}

extension EditingScene {
    @discardableResult
    func undo(_ stepHook: @escaping StepHook) throws -> [String] { try undo(stepHook: stepHook) }
}
