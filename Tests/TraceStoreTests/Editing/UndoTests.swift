import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceExchange
import TraceFiles
import TraceFormat
import TraceText

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
        case mark, voiceNote, edit, transcript, remove, close, digest, importMarkers, renameTag

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
            case .renameTag: _ = try scene.writer().renameTag("highlight", to: "best")
            case .importMarkers:
                _ = try importing("5\t5\tnew\n6\t7\tother\n").run(scene.writer())
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

    /// What is said of a step that has been done, where a plan says `remove 1 line`.
    private static func done(_ step: String) -> String {
        for verb in ["remove", "move", "restore"] where step.hasPrefix(verb + " ") {
            return verb + (verb.hasSuffix("e") ? "d" : "ed") + step.dropFirst(verb.count)
        }
        return step
    }

    @Test(arguments: Act.allCases)
    func `what was written is taken back, and nothing else`(act: Act) throws {
        let before = try scene.files()
        try act.perform(scene)
        let after = try tree(of: scratch.path)
        let announced = try scene.undo(isDryRun: true)
        #expect(try tree(of: scratch.path) == after)
        #expect(try scene.undo() == announced.map(Self.done))
        #expect(try scene.files() == act.expected(before))
        #expect(code(of: StoreError.self) { try scene.undo() } == .nothingToUndo)
    }

    @Test func `lines of others behind ours stay, and the writes go one after the other`() throws {
        let before = try scene.markers.text()
        try Act.edit.perform(scene)
        try Act.mark.perform(scene)
        let foreign = QueueScene.markerLine(50) + "\n"
        try scene.markers.write(try scene.markers.text() + foreign)
        #expect(try scene.undo() == ["removed 1 line (marker \(number(40))) from markers.jsonl"])
        #expect(try scene.undo() == ["removed 1 line (marker \(number(10))) from markers.jsonl"])
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
              hint: make the change by hand; 'trace undo --skip' skips this write
            """
        ) { try scene.undo() }
        #expect(try tree(of: scratch.path) == before)
        try scene.markers.write("")
        #expect(code(of: StoreError.self) { try scene.undo() } == .unsafeToUndo)
    }

    @Test func `a line that another program has spelled otherwise is still ours`() throws {
        let before = try scene.markers.text()
        try Act.mark.perform(scene)
        let line = String(decoding: Self.marker().json.bytes, as: UTF8.self)
        let text = try scene.markers.text()
        #expect(text.contains(line))
        try scene.markers.write(text.replacing(line, with: line.replacing(",\"", with: " , \"")))
        try scene.undo()
        #expect(try scene.markers.text() == before)
    }

    @Test func `a marker that a voice note names by now is not taken back`() throws {
        try Act.mark.perform(scene)
        let note = QueueScene.noteLine(51).dropLast() + ",\"marker_id\":\"\(number(40))\"}\n"
        try scene.notes.write(try scene.notes.text() + note)
        #expect(code(of: StoreError.self) { try scene.undo() } == .unsafeToUndo)
    }

    @Test(arguments: [2, 2000])
    func `many lines of a file are taken out by one rewrite`(count: Int) throws {
        let lines = (0..<count).map { QueueScene.markerLine(1000 + $0) + "\n" }.joined()
        try scene.markers.write(lines)
        _ = try scene.writer().renameTag("highlight", to: "best")
        #expect(try scene.markers.text().count { $0 == "\n" } == 2 * count)
        let steps = Steps()
        #expect(
            try scene.undo(failPoint: { step, _ throws(Errno) in _ = steps.add(step) })
                == ["removed \(count) lines from markers.jsonl"])
        #expect(try scene.markers.text() == lines)
        #expect(steps.all.count < 40, "\(steps.all.count) steps")
    }

    @Test(arguments: [false, true])
    func `a journal of an older version, with a change for each line, is undone`(isHalfDone: Bool) throws {
        let lines = (0..<3).map { QueueScene.markerLine(1000 + $0) }
        let old = lines.map { $0.replacing("highlight", with: "old") + "\n" }.joined()
        let sums = lines.enumerated().map { number, line in
            let sha256 = UndoableWrite.checksum(of: Array(line.utf8))
            return
                #"{"change":"appended","kind":"marker","id":"\#(StoreHarness.number(1000 + number))","sha256":"\#(sha256)"}"#
        }
        try OpenDirectory.make(scene.scene.queue.state.appending("undo"))
        let begun = #"{"undoes":"\#(number(90))","done":false,"at":"2026-02-04T20:54:41Z"}"# + "\n"
        try scene.scene.queue.state.appending("undo").appending("journal.jsonl").write(
            """
            {"id":"\(number(90))","at":"2026-02-04T20:54:41Z","uid":\(geteuid()),"operation":"tag rename",\
            "session_id":"\(SampleSession.id)","session":"\(scene.session.path.string)",\
            "changes":[\(sums.joined(separator: ","))]}

            """ + (isHalfDone ? begun : ""))
        // The older version took out a line after the other, the last first.
        let left = isHalfDone ? lines.dropLast() : lines[...]
        let standing = old + left.map { $0 + "\n" }.joined()
        // What somebody has edited meanwhile is not taken for what was taken back already.
        let edited = standing + lines[0].replacing("highlight", with: "best") + "\n"
        try scene.markers.write(edited)
        #expect(code(of: StoreError.self) { try scene.undo() } == .unsafeToUndo)
        #expect(try scene.markers.text() == edited)
        try scene.markers.write(standing)
        #expect(try scene.undo() == ["removed \(left.count) lines from markers.jsonl"])
        #expect(try scene.markers.text() == old)
    }

    @Test(arguments: ["edited by a command", "edited elsewhere", "taken out", "named by a voice note"])
    func `where one line of many can't be taken back safely, none is`(change: String) throws {
        for isLong in [false, true] {
            let scratch = try ScratchDirectory()
            let scene = try EditingScene(in: scratch.path)
            let before = try scene.markers.text()
            let title = isLong ? String(repeating: "long ", count: 20_000) : "b"
            let file = "id,offset_ms,label\n\(number(60)),1,a\n\(number(61)),2,\(title)\n\(number(62)),3,c\n"
            _ = try importing(file, .csv).run(scene.writer())
            let imported = try scene.markers.text().dropFirst(before.count).split(separator: "\n")
            #expect(imported.count == 3)
            switch change {
            case "edited by a command":
                var edit = RecordEdit()
                edit.values = [("note", JSONText("x"))]
                _ = try SessionWriter(scene.session.path).editMarker(number(61)) { _ in edit }
            case "edited elsewhere":
                let edited = imported[1].replacing("\"offset_ms\":2", with: "\"offset_ms\":20")
                try scene.markers.write(
                    before + [imported[0], edited[...], imported[2]].joined(separator: "\n"))
            case "taken out":
                try scene.markers.write(before + [imported[0], imported[2]].joined(separator: "\n") + "\n")
            default:
                try scene.notes.write(
                    try scene.notes.text() + QueueScene.noteLine(51).dropLast()
                        + ",\"marker_id\":\"\(number(61))\"}\n")
            }
            _ = try? scene.undo(isDryRun: true)
            let files = try scene.files().mapValues { $0.hasSuffix("\n") ? $0 : $0 + "\n" }
            #expect(code(of: StoreError.self) { try scene.undo() } == .unsafeToUndo, "\(change), \(isLong)")
            #expect(
                try scene.files().mapValues { $0.hasSuffix("\n") ? $0 : $0 + "\n" } == files,
                "\(change), \(isLong)")
            #expect(code(of: StoreError.self) { try scene.undo() } == .unsafeToUndo, "\(change), \(isLong)")
            // The user decides: the import stays, and the writes before it can be reached.
            try scene.skip()
            #expect(code(of: StoreError.self) { try scene.undo() } == .nothingToUndo)
        }
    }

    @Test func `a write that is passed over stays, and the one before it is taken back`() throws {
        let before = try scene.files()
        try Act.mark.perform(scene)
        let marked = try scene.markers.text()
        try Act.renameTag.perform(scene)
        #expect(try scene.list() == ["tag rename", "mark"])
        let renamed = try scene.markers.text()
        try scene.skip()
        #expect(try scene.markers.text() == renamed)
        #expect(try scene.list() == ["mark"])
        try scene.undo()
        #expect(
            try scene.markers.text()
                == renamed.replacing(
                    String(decoding: Self.marker().json.bytes, as: UTF8.self) + "\n", with: ""))
        #expect(marked.count < renamed.count)
        #expect(before["voice_notes.jsonl"] == (try scene.files()["voice_notes.jsonl"]))
        #expect(try scene.list() == [])
        #expect(code(of: StoreError.self) { try scene.skip() } == .nothingToUndo)
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
        #expect(code(of: StoreError.self) { try scene.undo() } == .unsafeToUndo)
        #expect(try scene.session("session.json").text() == changed)
    }

    @Test func `a digest that was overwritten comes back to the byte, unless somebody has written since`()
        throws
    {
        let digest = scene.session("digest.md")
        try digest.write("# Theirs\r\n")
        try Act.digest.perform(scene)
        #expect(try scene.undo().last == "restored the old digest.md")
        #expect(try digest.text() == "# Theirs\r\n")
        try Act.digest.perform(scene)
        try digest.write("# Somebody\n")
        #expect(code(of: StoreError.self) { try scene.undo() } == .unsafeToUndo)
        #expect(try digest.text() == "# Somebody\n")
    }

    @Test func `the journal is for the user alone, and another user's writes are not undone`() throws {
        try Act.mark.perform(scene)
        let state = try OpenDirectory(scene.scene.queue.state)
        #expect(try state.status(of: "undo", followingLinks: false).permissions == 0o700)
        let undo = Undo(UndoLog(state: scene.scene.queue.state), queue: scene.scene.queue) { _ in [] }
        #expect(code(of: StoreError.self) { try undo.run(user: 12345) } == .nothingToUndo)
        #expect(
            code(of: StoreError.self) { try undo.run(sessionID: number(7), user: UInt32(geteuid())) }
                == .nothingToUndo)
    }

    @Test func `a journal that can't be written is told, and the write stands`() throws {
        try OpenDirectory.make(scene.scene.queue.state)
        try scene.scene.queue.state.appending("undo").write("in the way")
        var writer = SessionWriter(scene.session.path)
        let failures = Failures()
        writer.undoLog = UndoLog(state: scene.scene.queue.state) { failures.add($0) }
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
        for fatal in Torture.steps(steps.all.count) {
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

    func add(_ error: any StructuredError) { count += 1 }
}

extension EditingScene {
    @discardableResult
    func undo(_ failPoint: @escaping FailPoint) throws -> [String] { try undo(failPoint: failPoint) }
}
