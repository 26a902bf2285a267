import FileHarness
import Foundation
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceExchange
import TraceFiles
import TraceFormat

@testable import TraceStore

/// Lines that were written and verified, and that another program has overwritten.
struct LostLinesTests {
    let scratch: ScratchDirectory
    let scene: EditingScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try EditingScene(in: scratch.path)
    }

    private func lost(settleTime: Duration = .zero, locate: @escaping (ULID) -> [FilePath] = { _ in [] })
        -> LostLines
    {
        LostLines(
            [UndoLog(state: scene.scene.queue.state)], state: scene.scene.queue.state,
            settleTime: settleTime, locate: locate)
    }

    private var line: String { String(decoding: UndoTests.marker().json.bytes, as: UTF8.self) + "\n" }

    /// Overwrites what stands behind `length` bytes, as a program does that sought to the end before we wrote.
    private func overwrite(from length: Int, with text: String) throws {
        let file = open(scene.markers.string, O_WRONLY)
        defer { close(file) }
        #expect(pwrite(file, text, text.utf8.count, off_t(length)) == text.utf8.count)
    }

    @Test func `a line that a program has written over is found, put back, and can be undone`() throws {
        let length = try scene.markers.text().utf8.count
        let before = try scene.markers.text()
        try scene.writer().mark(UndoTests.marker())
        #expect(try lost().find() == [])
        let foreign = QueueScene.markerLine(50, note: String(repeating: "x", count: 80)) + "\n"
        try overwrite(from: length, with: foreign)
        let found = try lost().find()
        #expect(found.map(\.id) == [number(40)])
        #expect(found.first?.session == scene.session.path)
        #expect(try lost().putBack(found).lines == found)
        #expect(try scene.markers.text() == before + foreign + line)
        #expect(try lost().find() == [])
        // The same once more finds it standing.
        #expect(try lost().putBack(found).lines == [])
        #expect(try scene.markers.text() == before + foreign + line)
        try scene.undo()
        #expect(try scene.markers.text() == before + foreign)
        #expect(try lost().find() == [])
    }

    @Test func `an edit that an older copy has replaced is found; one that somebody has edited is not`()
        throws
    {
        let before = try scene.markers.text()
        try scene.writer().mark(UndoTests.marker())
        let marked = try scene.markers.text()
        var edit = RecordEdit()
        edit.values = [("label", JSONText("b"))]
        try scene.edit(40, edit)
        let edited = try scene.markers.text()
        try scene.markers.write(marked)
        let found = try lost().find()
        #expect(found.map(\.operation) == [.editMarker])
        _ = try lost().putBack(found)
        #expect(try scene.markers.text() == edited)
        try scene.markers.write(marked.replacing("\"tags\":[]", with: "\"tags\":[\"x\"]"))
        #expect(try lost().find() == [])
        // Both lines stand, in another order.
        try scene.markers.write(before + edited.dropFirst(marked.count) + marked.dropFirst(before.count))
        #expect(try lost().find() == [])
    }

    @Test(arguments: ["removed", "removed by another user", "undone", "session gone", "written a moment ago"])
    func `what the user took away, or can't be known yet, is not reported`(how: String) throws {
        try scene.writer().mark(UndoTests.marker())
        switch how {
        case "removed": try scene.remove(40)
        case "removed by another user":
            let removal = MarkerRemoval(SessionWriter(scene.session.path), queue: scene.scene.queue)
            _ = try removal.remove(number(40))
        case "undone": try scene.undo()
        case "session gone": try scene.session("session.json").write("{}")
        default:
            try scene.markers.write("")
            #expect(try lost(settleTime: .seconds(3600)).find() == [])
            #expect(try lost().find().count == 1)
            return
        }
        #expect(try lost().find() == [])
    }

    /// What a sync tool leaves until it has brought the contents: `session.json` and `markers.jsonl` are empty.
    private func empty() throws -> (header: String, markers: String) {
        let before = (header: try scene.session("session.json").text(), markers: try scene.markers.text())
        try scene.session("session.json").write("")
        try scene.markers.write("")
        return before
    }

    @Test
    func
        `a marker that was set while session.json was empty is missing when the older files are back, and is put back`()
        throws
    {
        let before = try empty()
        try scene.writer().mark(UndoTests.marker())
        #expect(try lost().find() == [])
        #expect(try lost().sessions().paths == [scene.session.path])
        try scene.session("session.json").write(before.header)
        try scene.markers.write(before.markers)
        let found = try lost().find()
        #expect(found.map(\.id) == [number(40)])
        #expect(try lost().putBack(found).lines == found)
        #expect(try scene.markers.text() == before.markers + line)
        #expect(try lost().find() == [])
    }

    @Test
    func
        `what a session lacks whose session.json is empty is reported, and put back when that is there again`()
        throws
    {
        try scene.writer().mark(UndoTests.marker())
        let before = try empty()
        let found = try lost().find()
        #expect(found.map(\.id) == [number(40)])
        let refused = try lost().putBack(found)
        #expect(refused.lines == [] && refused.notices.count == 1)
        #expect(try scene.markers.text() == "")
        try scene.session("session.json").write(before.header)
        #expect(try lost().putBack(found).lines == found)
        #expect(try scene.markers.text() == line)
    }

    @Test func `lines of an import are looked for too, the few and the many`() throws {
        for count in [2, 1000] {
            let scratch = try ScratchDirectory()
            let scene = try EditingScene(in: scratch.path)
            let before = try scene.markers.text()
            let labels = (1...count).map { "\($0)\t\($0)\tlabel \($0)\n" }.joined()
            _ = try importing(labels).run(scene.writer())
            let state = scene.scene.queue.state
            let lost = LostLines([UndoLog(state: state)], state: state) { _ in [] }
            #expect(try lost.find() == [])
            let after = try scene.markers.text()
            try scene.markers.write(before)
            let found = try lost.find()
            #expect(found.count == count)
            _ = try lost.putBack(found)
            #expect(try scene.markers.text().count == after.count)
        }
    }

    @Test func `what another user's log knows is looked for, too`() throws {
        try scene.writer().mark(UndoTests.marker())
        let state = scene.scene.queue.state
        #expect(UndoLog.readable(in: state).count == 1)
        try FileManager.default.moveItem(
            atPath: state.appending("undo").string, toPath: state.appending("undo-4711").string)
        let logs = UndoLog.readable(in: state)
        #expect(try logs.map { try $0.writes().count } == [1])
        try OpenDirectory.make(state.appending("undone"))
        #expect(UndoLog.readable(in: state).count == 1)
    }

    @Test func `nothing is put into another session that lies there by now`() throws {
        try scene.writer().mark(UndoTests.marker())
        try scene.markers.write("")
        let found = try lost().find()
        #expect(found.count == 1)
        let header = scene.session("session.json")
        try header.write(
            header.text().replacing(/"id": ?"[^"]+"/, with: "\"id\": \"\(number(99))\"", maxReplacements: 1))
        #expect(code(of: StoreError.self) { _ = try lost().putBack(found) } == .noSuchSession)
        #expect(try scene.markers.text() == "")
    }

    @Test func `what is to stay away is not reported again`() throws {
        let before = try scene.markers.text()
        try scene.writer().mark(UndoTests.marker())
        try scene.markers.write(before)
        let found = try lost().find()
        #expect(found.count == 1)
        try lost().forget(found, scene.scene.queue)
        #expect(try lost().find() == [])
    }

    @Test func `a session that was moved is found by its id`() throws {
        try scene.writer().mark(UndoTests.marker())
        let elsewhere = scratch.path.appending("elsewhere")
        #expect(rename(scene.session.path.string, elsewhere.string) == 0)
        try elsewhere.appending("markers.jsonl").write("")
        #expect(try lost().find() == [])
        #expect(try lost { _ in [elsewhere] }.find().map(\.session) == [elsewhere])
        #expect(try lost { _ in [elsewhere, elsewhere] }.find() == [])
    }

    @Test func `putting back that is killed before any step, and done again, ends as an undisturbed one`()
        async throws
    {
        let before = try scene.markers.text()
        try scene.writer().mark(UndoTests.marker())
        try scene.markers.write(before)
        let steps = Steps()
        _ = try lost().putBack(try lost().find()) { step, _ throws(Errno) in _ = steps.add(step) }
        for fatal in Torture.steps(steps.all.count) {
            let scratch = try ScratchDirectory()
            let scene = try EditingScene(in: scratch.path)
            try scene.writer().mark(UndoTests.marker())
            try scene.markers.write(before)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = scratch.path.string as String, fatal = fatal as Int] in
                let steps = Steps()
                let state = EditingScene(at: FilePath(path)).scene.queue.state
                let lost = LostLines([UndoLog(state: state)], state: state) { _ in [] }
                _ = try lost.putBack(try lost.find()) { step, _ throws(Errno) in
                    if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
                }
            }
            let state = scene.scene.queue.state
            let lost = LostLines([UndoLog(state: state)], state: state) { _ in [] }
            _ = try lost.putBack(try lost.find())
            #expect(try scene.markers.text().count(of: line) == 1, "killed before step \(fatal)")
            #expect(try lost.find() == [])
        }
    }

    @Test
    func `the text of a line costs the journal nothing but its bytes, and a long one is noted by its sum`()
        throws
    {
        let note = String(repeating: "n", count: NotedLine.limit)
        var long = UndoTests.marker(41)
        long.note = note
        try scene.writer().mark(UndoTests.marker())
        try scene.writer().mark(long)
        let journal = try scene.scene.queue.state.appending("undo").appending("journal.jsonl").text()
        let lines = journal.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].contains("\"line\":") && !lines[0].contains("sha256"))
        #expect(lines[1].contains("\"sha256\":") && lines[1].utf8.count < 1000)
        try scene.undo()
        try scene.undo()
        #expect(try scene.markers.text() == "\(EditingScene.odd)\n\n\(EditingScene.other)\r\n")
    }
}

extension String {
    fileprivate func count(of part: String) -> Int { ranges(of: part).count }
}
