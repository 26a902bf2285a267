import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceFiles

@testable import TraceStore

/// The undo of what was put into the queue, wherever it is by now.
struct UndoOfQueuedTests {
    let scratch: ScratchDirectory
    let scene: EditingScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try EditingScene(in: scratch.path)
    }

    @Test func `the record of an entry that was drained is taken back, and does not come back`() throws {
        let before = try scene.files()
        let line = QueueScene.markerLine(40)
        let entry = QueueScene.entry(40, "marker", line)
        try scene.scene.deliver(entry, 40)
        scene.noteQueued([40])
        #expect(try scene.scene.results() == ["40 applied"])
        #expect(try scene.undo() == ["removed 1 line (marker \(number(40))) from markers.jsonl"])
        #expect(try scene.files() == before)
        try scene.scene.deliver(entry, 40)
        #expect(
            try scene.scene.results() == [
                "40 removed: it was applied before, and its record has been removed since"
            ])
        #expect(code(of: StoreError.self) { try scene.undo() } == .nothingToUndo)
    }

    @Test func `what was edited after it was drained is not taken back`() throws {
        try scene.scene.deliver(QueueScene.entry(40, "marker", QueueScene.markerLine(40)), 40)
        scene.noteQueued([40])
        #expect(try scene.scene.results() == ["40 applied"])
        var edit = RecordEdit()
        edit.values = [("label", JSONText("b"))]
        _ = try SessionWriter(scene.session.path).editMarker(number(40)) { _ in edit }
        let before = try scene.files()
        #expect(code(of: StoreError.self) { try scene.undo() } == .unsafeToUndo)
        #expect(try scene.files() == before)
    }

    @Test func `of several entries each is taken back wherever it is by now`() throws {
        let before = try scene.files()
        for id in 40...42 {
            try scene.scene.deliver(QueueScene.entry(id, "marker", QueueScene.markerLine(id)), id)
        }
        scene.noteQueued([40, 41, 42, 43])
        #expect(try scene.scene.results().count == 3)
        // One is gone from the session by now, one waits, and one was refused.
        try scene.remove(41)
        _ = try? scene.skip()
        try scene.scene.deliver(QueueScene.entry(43, "marker", "{}"), 43)
        #expect(try scene.scene.results().count == 1)
        let steps = try scene.undo()
        #expect(
            steps == [
                "moved entry \(number(43)) from the queue to \(scene.scene.queue.dropped.escaped)",
                "removed 2 lines from markers.jsonl",
            ])
        #expect(try scene.files() == before)
        #expect(try scene.scene.results() == [])
    }

    @Test func `with an entry that was refused goes the reason for it`() throws {
        try scene.scene.deliver(QueueScene.marker(10, note: "another"), 10)
        scene.noteQueued([10])
        #expect(try scene.scene.results() == ["10 conflict: another marker in the session has this id"])
        let failed = scene.scene.queue.failed
        #expect(try scene.scene.names(failed) == ["\(number(10)).json", "\(number(10)).reason"])
        #expect(
            try scene.undo() == [
                "moved entry \(number(10)) from the queue to \(scene.scene.queue.dropped.escaped)"
            ])
        #expect(try scene.scene.names(failed) == [])
    }

    @Test func `an undo of drained entries that is killed before any step ends as an undisturbed one`()
        async throws
    {
        @Sendable func prepare(_ scene: EditingScene) throws {
            for id in [40, 41] {
                try scene.scene.deliver(QueueScene.entry(id, "marker", QueueScene.markerLine(id)), id)
            }
            scene.noteQueued([40, 41])
            _ = try scene.scene.results()
        }
        let steps = Steps()
        try prepare(scene)
        try scene.undo { step, _ throws(Errno) in _ = steps.add(step) }
        let expected = try scene.files()
        for fatal in Torture.steps(steps.all.count) {
            let scratch = try ScratchDirectory()
            let scene = try EditingScene(in: scratch.path)
            try prepare(scene)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = scratch.path.string as String, fatal = fatal as Int] in
                let steps = Steps()
                try EditingScene(at: FilePath(path)).undo { step, _ throws(Errno) in
                    if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
                }
            }
            try scene.undo()
            #expect(try scene.files() == expected, "killed before step \(fatal)")
        }
    }
}
