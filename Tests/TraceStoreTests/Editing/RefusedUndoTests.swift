import FileHarness
import RecordFormat
import StoreHarness
import Synchronization
import SystemPackage
import Testing
import TraceFiles
import TraceFormat

@testable import TraceStore

/// What was noted for an undo, or a removal, that another program then has kept from happening.
struct RefusedUndoTests {
    let scratch: ScratchDirectory
    let scene: EditingScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try EditingScene(in: scratch.path)
    }

    private func lost() throws -> [ULID] {
        try LostLines(
            [UndoLog(state: scene.scene.queue.state)], state: scene.scene.queue.state, locate: { _ in [] }
        ).find().map(\.id)
    }

    private func ledger() throws -> LedgerContents {
        try LedgerContents(in: OpenDirectory(scene.scene.queue.state))
    }

    /// Is the other program when the ledger gets its line: behind the check, and before the act.
    private func behindTheCheck(_ act: @escaping @Sendable () throws -> Void) -> FailPoint {
        let done = Mutex(false)
        return { step, path throws(Errno) in
            guard step == .write, path.lastComponent == "applied.jsonl",
                done.withLock({
                    let isFirst = !$0; $0 = true; return isFirst
                })
            else { return }
            do { try act() } catch { Issue.record(error) }
        }
    }

    /// Edits a line in its place.
    private func edit(_ file: FilePath, _ id: Int) throws {
        let old = "{\"id\":\"\(number(id))\","
        let text = try file.text()
        try #require(text.contains(old))
        try file.write(text.replacing(old, with: old + "\"x\":1,"))
    }

    private func removeLine(_ file: FilePath, _ id: Int) throws {
        try file.write(
            file.text().split(separator: "\n", omittingEmptySubsequences: false)
                .filter { !$0.contains("\"id\":\"\(number(id))\"") }.joined(separator: "\n"))
    }

    @Test func `a refused undo leaves no note, and a later loss is told`() throws {
        try scene.writer().mark(UndoTests.marker())
        let before = try scene.markers.text()
        let failPoint = behindTheCheck { [scene] in try edit(scene.markers, 40) }
        #expect(code(of: StoreError.self) { try scene.undo(failPoint: failPoint) } == .unsafeToUndo)
        #expect(try !ledger().isRemoved(number(40)) && !ledger().contains(number(40)))
        #expect(try scene.list() == ["mark"])
        // The edit is taken back, and later the line is lost.
        try scene.markers.write(before)
        #expect(try lost() == [])
        try removeLine(scene.markers, 40)
        #expect(try lost() == [number(40)])
        // What stands is undone as if nothing had been tried.
        try scene.markers.write(before)
        #expect(try scene.undo().count == 1)
        #expect(try ledger().isRemoved(number(40)))
        #expect(try lost() == [] && scene.list() == [])
    }

    @Test(arguments: [false, true])
    func `a refused undo that was killed before its notes were taken back is settled by the next use`(
        isSkipped: Bool
    ) throws {
        try scene.writer().mark(UndoTests.marker())
        let before = try scene.markers.text()
        let edited = Mutex(false)
        // The other program; then the kill, at the first byte of what takes the notes back.
        let failPoint: FailPoint = { [scene] step, path throws(Errno) in
            guard step == .write, path.lastComponent == "applied.jsonl" else { return }
            let isFirst = edited.withLock {
                let old = $0; $0 = true; return !old
            }
            guard isFirst else { throw .ioError }
            do { try edit(scene.markers, 40) } catch { Issue.record(error) }
        }
        #expect(throws: StoreError.self) { try scene.undo(failPoint: failPoint) }
        #expect(try ledger().isRemoved(number(40)))
        try #expect(scene.unfinished() == 1)
        if isSkipped {
            try scene.skip()
        } else {
            #expect(code(of: StoreError.self) { try scene.undo() } == .unsafeToUndo)
        }
        #expect(try !ledger().isRemoved(number(40)))
        try #expect(scene.unfinished() == 0)
        try scene.markers.write(before)
        try removeLine(scene.markers, 40)
        #expect(try lost() == [number(40)])
    }

    @Test func `a refused undo of an entry leaves it applied, and its loss is told`() throws {
        try scene.scene.deliver(QueueScene.marker(40), 40)
        scene.noteQueued([40])
        #expect(try scene.scene.results() == ["40 applied"])
        let failPoint = behindTheCheck { [scene] in try edit(scene.markers, 40) }
        #expect(code(of: StoreError.self) { try scene.undo(failPoint: failPoint) } == .unsafeToUndo)
        #expect(try !ledger().isRemoved(number(40)) && ledger().contains(number(40)))
        try removeLine(scene.markers, 40)
        try scene.scene.deliver(QueueScene.marker(40), 40)
        #expect(try scene.scene.results() == ["40 record-vanished"])
    }

    @Test(arguments: [false, true])
    func `a removal that can't happen leaves the marker with what was noted before`(isReferenced: Bool) throws
    {
        let id = isReferenced ? 10 : 40
        try scene.writer().mark(UndoTests.marker())
        // A torn line that is young may go on: nothing is replaced.
        let failPoint = behindTheCheck { [scene] in
            try scene.markers.write(scene.markers.text() + "{\"id\":\"01J")
        }
        #expect(code { try scene.remove(id, force: isReferenced, failPoint: failPoint) } == .changedMeanwhile)
        #expect(try !ledger().isRemoved(number(id)))
        #expect(try scene.markers.text().contains("\(number(id))"))
        // What was done to the voice note can be undone.
        let hasReference = try scene.notes.text().split(separator: "\n").last?.contains("marker_id") ?? false
        #expect(hasReference == !isReferenced)
        #expect(try scene.list() == (isReferenced ? ["marker remove", "mark"] : ["mark"]))
        if isReferenced {
            _ = try scene.undo()
            #expect(try scene.notes.text() == EditingScene.note + "\n")
        }
        try removeLine(scene.markers, 40)
        #expect(try lost() == [number(40)])
    }

    @Test func `what an undo is killed behind is continued as before`() throws {
        try scene.writer().mark(UndoTests.marker())
        let before = try scene.files()
        let failing: FailPoint = { step, path throws(Errno) in
            if step == .rename, path.lastComponent == "markers.jsonl" { throw .ioError }
        }
        #expect(throws: FileError.self) { try scene.undo(failPoint: failing) }
        #expect(try scene.files() == before)
        // It has begun, and may have done its act: its records are not missing, whatever is left of them.
        try removeLine(scene.markers, 40)
        #expect(try lost() == [])
        #expect(try scene.undo().isEmpty)
        #expect(try scene.list() == [])
    }
}
