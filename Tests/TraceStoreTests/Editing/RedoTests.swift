import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceFormat
import TraceText

@testable import TraceStore

struct RedoTests {
    let scratch: ScratchDirectory
    let scene: EditingScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try EditingScene(in: scratch.path)
    }

    /// The lines of each file in an order of their own: what comes back is at the end of its file.
    private static func lines(_ scene: EditingScene) throws -> [String: [String]] {
        try scene.files().mapValues { text in
            text.split(whereSeparator: \.isNewline).map { line in
                line.hasSuffix(",") ? String(line.dropLast()) : String(line)
            }.sorted()
        }
    }

    @Test(arguments: UndoTests.Act.allCases)
    func `what was undone is done again, and can be undone again`(act: UndoTests.Act) throws {
        try act.perform(scene)
        let done = try Self.lines(scene)
        try scene.undo()
        let undone = try Self.lines(scene)
        let before = try tree(of: scratch.path)
        let planned = try scene.redo(isDryRun: true)
        #expect(try tree(of: scratch.path) == before)
        #expect(try scene.redo().count == planned.count && !planned.isEmpty)
        #expect(try Self.lines(scene) == done)
        #expect(code(of: StoreError.self) { try scene.redo() } == .nothingToRedo)
        try scene.undo()
        #expect(try Self.lines(scene) == undone)
        try scene.redo()
        #expect(try Self.lines(scene) == done)
    }

    @Test func `after another write there is nothing to redo`() throws {
        try UndoTests.Act.mark.perform(scene)
        try scene.undo()
        try UndoTests.Act.digest.perform(scene)
        #expect(code(of: StoreError.self) { try scene.redo() } == .nothingToRedo)
        try scene.undo()
        _ = try scene.redo()
        #expect(code(of: StoreError.self) { try scene.redo() } == .nothingToRedo)
    }

    @Test func `a removal that could not happen is not done by a redo`() throws {
        let failing: FailPoint = { step, path throws(Errno) in
            if step == .rename, path.lastComponent == "markers.jsonl" { throw .ioError }
        }
        #expect(throws: FileError.self) { try scene.remove(12, failPoint: failing) }
        #expect(code(of: StoreError.self) { try scene.redo() } == .nothingToRedo)
    }

    @Test func `what has been edited since the undo is not overwritten`() throws {
        try UndoTests.Act.edit.perform(scene)
        try scene.undo()
        var edit = RecordEdit()
        edit.values = [("label", JSONText("theirs"))]
        _ = try SessionWriter(scene.session.path).editMarker(number(10)) { _ in edit }
        let before = try scene.files()
        #expect(code(of: StoreError.self) { try scene.redo() } == .unsafeToUndo)
        #expect(code(of: StoreError.self) { try scene.redo() } == .unsafeToUndo)
        #expect(try scene.files() == before)
    }

    @Test func `a mark that was done again is one whose loss is told`() throws {
        try UndoTests.Act.mark.perform(scene)
        let log = UndoLog(state: scene.scene.queue.state)
        func lost() throws -> [ULID] {
            try LostLines([log], state: scene.scene.queue.state, locate: { _ in [] }).find().map(\.id)
        }
        let marked = try scene.markers.text()
        try scene.undo()
        let unmarked = try scene.markers.text()
        try scene.redo()
        #expect(try scene.markers.text() == marked)
        try scene.markers.write(unmarked)
        #expect(try lost() == [number(40)])
    }

    @Test func `an entry that was taken out of the queue waits again`() throws {
        try scene.scene.deliver(QueueScene.marker(40), 40)
        scene.noteQueued([40])
        try scene.undo()
        #expect(try scene.scene.results() == [])
        try scene.redo()
        #expect(try scene.scene.results() == ["40 applied"])
    }

    @Test func `the record of an entry that was drained comes back`() throws {
        try scene.scene.deliver(QueueScene.marker(40), 40)
        scene.noteQueued([40])
        #expect(try scene.scene.results() == ["40 applied"])
        let done = try Self.lines(scene)
        try scene.undo()
        try scene.redo()
        #expect(try Self.lines(scene) == done)
    }

    @Test(arguments: UndoTests.Act.allCases)
    func `a redo that is killed before any step, and once more, ends as an undisturbed one`(
        act: UndoTests.Act
    ) async throws {
        let steps = Steps()
        try act.perform(scene)
        try scene.undo()
        try scene.redo { step, _ throws(Errno) in _ = steps.add(step) }
        for fatal in Torture.steps(steps.all.count) {
            let scratch = try ScratchDirectory()
            let scene = try EditingScene(in: scratch.path)
            try act.perform(scene)
            let expected = try Self.lines(scene)
            try scene.undo()
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = scratch.path.string as String, fatal = fatal as Int] in
                let steps = Steps()
                try EditingScene(at: FilePath(path)).redo { step, _ throws(Errno) in
                    if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
                }
            }
            if (try? scene.redo()) == nil { #expect(try scene.list().count == 1) }
            #expect(try Self.lines(scene) == expected, "\(act) killed before step \(fatal)")
        }
    }

    /// Writes that follow one another in any order; what can't be done is left out.
    private static func write(_ number: Int, _ dice: inout SeededRandom, _ scene: EditingScene) {
        let writer = scene.writer()
        switch Int.random(in: 0..<7, using: &dice) {
        case 0, 1: _ = try? writer.mark(UndoTests.marker(100 + number))
        case 2:
            var edit = RecordEdit()
            edit.values = [("label", JSONText("\(number)"))]
            try? scene.edit([10, 12].randomElement(using: &dice) ?? 10, edit)
        case 3: try? scene.remove([10, 12, 100 + number - 1].randomElement(using: &dice) ?? 10, force: true)
        case 4: _ = try? writer.close(now: morning.adding(SessionOffset(milliseconds: Int64(number) * 1000)))
        case 5:
            _ = try? writer.reopen(
                hasRun: Bool.random(using: &dice),
                now: morning.adding(SessionOffset(milliseconds: Int64(number) * 1000 + 500)))
        default: _ = try? writer.writeDigest(Array("# \(number)\n".utf8))
        }
    }

    @Test func `in any order, each redo brings back what the undo before it found`() throws {
        var dice = Torture.dice(#function)
        for _ in 0..<Torture.size(full: 400, sample: 8) {
            let scratch = try ScratchDirectory()
            let scene = try EditingScene(in: scratch.path)
            var states: [[String: [String]]] = []
            var story: [String] = []
            for number in 1...16 {
                switch Int.random(in: 0..<4, using: &dice) {
                case 0, 1:
                    let count = try scene.list().count
                    Self.write(number, &dice, scene)
                    if try scene.list().count != count { states = [] }
                    try story.append("write: \(scene.list().first ?? "")")
                case 2 where try !scene.list().isEmpty:
                    states.append(try Self.lines(scene))
                    try story.append("undo: \(scene.list().first ?? "")")
                    try scene.undo()
                default:
                    story.append("redo")
                    if let expected = states.popLast() {
                        try scene.redo()
                        #expect(try Self.lines(scene) == expected, "\(story)")
                    } else {
                        #expect(code(of: StoreError.self) { try scene.redo() } == .nothingToRedo, "\(story)")
                    }
                }
            }
        }
    }
}

extension EditingScene {
    @discardableResult
    fileprivate func redo(_ failPoint: @escaping FailPoint) throws -> [String] {
        try redo(failPoint: failPoint)
    }
}
