import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import Synchronization
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceFormat
import TraceText

@testable import TraceStore

struct MarkerEditingTests {
    let scratch: ScratchDirectory
    let scene: EditingScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try EditingScene(in: scratch.path)
    }

    func edit(_ change: (inout RecordEdit) -> Void) -> RecordEdit {
        var edit = RecordEdit()
        change(&edit)
        return edit
    }

    // MARK: - Edit

    @Test func `an edit is one more line that keeps every other byte`() throws {
        let before = try scene.markers.text()
        try scene.edit(
            10,
            edit {
                $0.values = [("note", JSONText("b"))]
                $0.addedTags = ["fix-review", "highlight"]
                $0.cleared = ["label"]
            })
        #expect(
            try scene.markers.text() == before + """
                {"offset_ms" : 1.0e4,"id":"\(number(10))","x":[1],"created_at":"2026-02-04T20:54:41Z",\
                "source":"user","tags":["highlight","fix-review"],"note":"b" }

                """)
        try scene.edit(10, edit { $0.removedTags = ["highlight", "none"] })
        #expect(try scene.markers.text().contains(#""tags":["fix-review"],"note":"b" }"#))
    }

    @Test func `an edit that changes nothing writes nothing`() throws {
        let before = try tree(of: scratch.path)
        try scene.edit(10, edit { $0.values = [("label", JSONText("a"))] })
        #expect(try tree(of: scratch.path) == before)
    }

    @Test func `an edit that would break the format is refused, one of a record that does already is not`()
        throws
    {
        let before = try scene.markers.text()
        #expect(code { try scene.edit(10, edit { $0.addedTags = ["Loud!"] }) } == .invalidData)
        #expect(code { try scene.edit(10, edit { $0.cleared = ["source"] }) } == .invalidData)
        #expect(
            code(of: StoreError.self) { try scene.edit(19, edit { $0.addedTags = ["x"] }) } == .noSuchRecord)
        #expect(try scene.markers.text() == before)
    }

    @Test func `a transcript is set in a line of its own`() throws {
        _ = try scene.writer().setTranscript(of: number(11), to: "slower \"here\"")
        #expect(
            try scene.notes.text() == EditingScene.note + "\n"
                + EditingScene.note.dropLast() + ",\"transcript_text\":\"slower \\\"here\\\"\"}\n")
    }

    // MARK: - Remove

    @Test func `a removed marker's lines are gone, and every other byte stays`() throws {
        try scene.edit(12, edit { $0.values = [("label", JSONText("x"))] })
        try scene.remove(12)
        #expect(try scene.markers.text() == EditingScene.odd + "\n\n")
        #expect(code(of: StoreError.self) { try scene.remove(12) } == .noSuchRecord)
    }

    @Test func `a marker that a voice note names is removed only on purpose`() throws {
        let before = try scene.files()
        expectError(
            .isReferenced,
            """
            \(scene.notes.string): marker \(number(10)) is referenced by voice note \(number(11)) [is-referenced]
              hint: --force removes it and clears the voice note's marker_id
            """
        ) { try scene.remove(10) }
        #expect(try scene.files() == before)
        try scene.remove(10, force: true)
        #expect(try scene.markers.text() == "\n\(EditingScene.other)\r\n")
        let unlinked = EditingScene.note.replacing(",\"marker_id\":\"\(number(10))\"", with: "")
        #expect(try scene.notes.text() == "\(EditingScene.note)\n\(unlinked)\n")
    }

    @Test func `a removed marker does not come back with its entry, unless that is retried`() throws {
        try scene.scene.deliver(QueueScene.marker(20), 20)
        try scene.scene.drain()
        try scene.remove(20)
        let after = try scene.markers.text()
        try scene.scene.deliver(QueueScene.marker(20), 20)
        #expect(
            try scene.scene.results() == [
                "20 removed: it was applied before, and its record has been removed since"
            ])
        // One that never was in the queue stays away too.
        try scene.remove(12)
        try scene.scene.deliver(QueueScene.marker(12), 12)
        #expect(try scene.scene.drain().map(\.result.name) == ["removed"])
        #expect(try scene.markers.text() == after.replacing("\(EditingScene.other)\r\n", with: ""))
        let name = try #require(EntryName("\(number(20))"))
        #expect(try scene.scene.queueDrain().retry(name).result.name == "applied")
    }

    @Test func `what another program appends while the file is replaced is carried over`() throws {
        let markers = scene.markers
        let times = Mutex(0)
        let line = QueueScene.markerLine(30)
        try scene.remove(12) { step, path throws(Errno) in
            guard step == .rename || step == .verify, path.lastComponent == "markers.jsonl" else { return }
            let number = times.withLock { times in
                times += 1
                return times
            }
            guard step == .rename, number < 9 else { return }
            appendPlainly(line + "\n", to: markers)
        }
        #expect(try markers.text() == "\(EditingScene.odd)\n\n\(line)\n")
    }

    @Test func `a file that changes before it is replaced is read again`() throws {
        let markers = scene.markers
        let isDone = Mutex(false)
        let line = QueueScene.markerLine(30)
        try scene.remove(12) { step, path throws(Errno) in
            guard step == .compare, path.lastComponent == "markers.jsonl" else { return }
            if isDone.withLock({ done in
                defer { done = true }; return done
            }) {
                return
            }
            appendPlainly(line + "\n", to: markers)
        }
        #expect(try markers.text() == "\(EditingScene.odd)\n\n\(line)\n")
    }

    @Test func `a last line that is still being written is waited for`() throws {
        try scene.markers.write("\(EditingScene.other)\n{\"id\":\"01J")
        #expect(code { try scene.remove(12) } == .changedMeanwhile)
        #expect(try scene.markers.text() == "\(EditingScene.other)\n{\"id\":\"01J")
    }

    @Test func `a kill before any step leaves the marker whole or gone, and once more ends as undisturbed`()
        async throws
    {
        let steps = Steps()
        let undisturbed = try ScratchDirectory()
        let whole = try EditingScene(in: undisturbed.path)
        try whole.remove(10, force: true) { step, _ throws(Errno) in _ = steps.add(step) }
        let expected = try whole.files()
        for fatal in Torture.steps(steps.all.count) {
            let scratch = try ScratchDirectory()
            let scene = try EditingScene(in: scratch.path)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = scratch.path.string as String, fatal = fatal as Int] in
                let steps = Steps()
                try EditingScene(at: FilePath(path)).remove(10, force: true) { step, _ throws(Errno) in
                    if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
                }
            }
            do { try scene.remove(10, force: true) } catch let error as StoreError {
                #expect(error.code == .noSuchRecord, "killed before step \(fatal)")
            }
            let files = try scene.files().filter { !$0.key.hasSuffix(".trace-tmp") }
            #expect(files["markers.jsonl"] == expected["markers.jsonl"], "killed before step \(fatal)")
            #expect(
                try SessionReader(scene.session.path).authoritative(.voiceNote) { VoiceNote($0) }.map(
                    \.value.markerID)
                    == [nil], "killed before step \(fatal)")
        }
    }
}

/// Appends without lock or sync, as programs do that know nothing of us.
private func appendPlainly(_ text: String, to path: FilePath) {
    let file = open(path.string, O_WRONLY | O_APPEND)
    defer { close(file) }
    _ = Array(text.utf8).withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
}
