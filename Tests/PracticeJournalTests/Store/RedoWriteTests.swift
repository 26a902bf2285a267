import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceStore
import TraceText

@testable import PracticeJournal

/// Writes into a practice journal that are undone and done again.
struct RedoWriteTests {
    private let scratch: ScratchDirectory
    private let scene: JournalScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try JournalScene(in: scratch.path, document: Self.document)
        try scene.addLeague()
    }

    private static let row = "3F2504E0-4F89-41D3-9A0C-0305E82C3301"

    /// With two groups, and a row that goes by its text.
    fileprivate static let document = JournalScene.document.replacing(
        #""scoreEntries""#,
        with: """
            "customGroups": [
                {"id": "A0000000-0000-4000-8000-000000000001", "name": "One", "gameIDs": ["GaB12"], "isActive": true, "isArchived": false, "isPriority": false, "type": "custom", "createdAt": 1772300000000},
                {"id": "A0000000-0000-4000-8000-000000000002", "name": "Two", "gameIDs": [], "isActive": true, "isArchived": false, "isPriority": false, "type": "custom", "createdAt": 1772300000001}
              ],
              "scoreEntries"
            """)

    /// A write of each kind that leaves something to undo.
    enum Act: String, CaseIterable {
        case score, note, game, library, edit, delete, league, purge, groupCreate, groupEdit, groupReorder
        case groupDelete, settings, merge, accept, clear

        func perform(_ scene: JournalScene) throws {
            func write(_ operation: String, _ payload: String) throws {
                let applied = try scene.perform(JournalScene.entry(10, operation, payload), 10)
                #expect(applied.notice == nil && !applied.changes.isEmpty, "\(operation)")
            }
            switch self {
            case .score: try write("score", #"{"game":"deep-reef","score":12345678}"#)
            case .note: try write("note", #"{"game":"deep-reef","category":"general","note":"left ramp"}"#)
            case .game: try write("gamenote", #"{"game":"deep-reef","note":"drain left"}"#)
            case .library: try write("library", #"{"game":"GaB12","kind":"browseGame"}"#)
            case .edit: try write("edit", #"{"row":"\#(RedoWriteTests.row)","patch":{"score":99}}"#)
            case .delete: try write("delete", #"{"row":"\#(RedoWriteTests.row)"}"#)
            case .league: try write("league_import", #"{"player":"Ada Quill","zone":"UTC"}"#)
            case .purge:
                let league = JournalScene.entry(11, "league_import", #"{"player":"Ada Quill","zone":"UTC"}"#)
                _ = try scene.send(league, 11)
                try write("league_purge", "{}")
            case .groupCreate: try write("group.create", #"{"name":"Three","games":["deep-reef"]}"#)
            case .groupEdit:
                try write(
                    "group.edit",
                    #"{"group":"A0000000-0000-4000-8000-000000000001","patch":{"name":"First"}}"#)
            case .groupReorder:
                try write(
                    "group.reorder",
                    #"{"groups":["A0000000-0000-4000-8000-000000000002","A0000000-0000-4000-8000-000000000001"]}"#
                )
            case .groupDelete:
                try write("group.delete", #"{"group":"A0000000-0000-4000-8000-000000000001"}"#)
            case .settings: try write("settings", #"{"practiceSettings":{"playerName":"Ada"}}"#)
            case .merge:
                try bring(RedoWriteTests.document, to: scene)
                try bring(
                    RedoWriteTests.document.replacing(
                        #""mood": "fine"}"#,
                        with: #""mood": "fine"}, {"gameID":"Gk9Xy","score":7,"timestamp":1772300000001}"#
                    ).replacing("\"kept\":1e2", with: "\"kept\":7"), to: scene, noted: true)
            case .accept:
                try bring(RedoWriteTests.document, to: scene)
                try bring(#"{"schemaVersion":4}"#, to: scene)
                _ = try devices(scene, noted: true).accept("phone")
            case .clear:
                let look = JournalScene.entry(12, "library", #"{"game":"GaB12","kind":"browseGame"}"#)
                _ = try scene.send(look, 12)
                var writer = JournalWriter(scene.journal, formats: JournalScene.formats)
                writer.undoLog = UndoLog(state: scene.queue.state)
                _ = try PracticeClearing.clear(writer)
            }
        }

        private func devices(_ scene: JournalScene, noted: Bool) -> PracticeDevices {
            var writer = JournalWriter(scene.journal, formats: JournalScene.formats)
            if noted { writer.undoLog = UndoLog(state: scene.queue.state) }
            return PracticeDevices(writer) { Scene.now }
        }

        private func bring(_ document: String, to scene: JournalScene, noted: Bool = false) throws {
            _ = try devices(scene, noted: noted).merge(
                ReplicaExchange(
                    Array(document.utf8), from: try DeviceName("phone"), base: .last, takesAnswer: true))
        }
    }

    /// The documents of the journal, as values: a record that comes back need not have its white space.
    private static func values(_ scene: JournalScene) throws -> [GoldenValue] {
        try ["practice-state.json", "activity.json"].map { name in
            let file = try OpenDirectory(scene.journal).readFile(FilePath.Component(name) ?? "-")
            return GoldenValue(file?.contents ?? Array("[]".utf8))
        }
    }

    /// The rules that the document breaks; a record that goes by its text breaks one.
    private static func errors(_ scene: JournalScene) throws -> [String] {
        try Scene.reading(scene.text().utf8).findings.filter { $0.severity == .error }.map(\.rule.id)
    }

    @Test(arguments: Act.allCases)
    func `what was undone is done again, and can be undone again`(act: Act) throws {
        try act.perform(scene)
        let done = try Self.values(scene)
        let findings = try Self.errors(scene)
        _ = try scene.undo()
        let undone = try Self.values(scene)
        #expect(undone != done)
        let before = try tree(of: scratch.path)
        let planned = try scene.redo(isDryRun: true).parts.flatMap(\.steps)
        #expect(try tree(of: scratch.path) == before)
        let redone = try scene.redo().parts
        #expect(redone.flatMap(\.steps).count == planned.count && !planned.isEmpty, "\(planned)")
        #expect(try Self.values(scene) == done)
        #expect(code(of: StoreError.self) { try scene.redo() } == .nothingToRedo)
        _ = try scene.undo()
        #expect(try Self.values(scene) == undone)
        _ = try scene.redo()
        #expect(try Self.values(scene) == done)
        #expect(try Self.errors(scene) == findings)
    }

    @Test(arguments: Act.allCases)
    func `a redo that is killed before any step, and once more, ends as an undisturbed one`(
        act: Act
    ) async throws {
        let steps = Steps()
        try act.perform(scene)
        let expected = try Self.values(scene)
        _ = try scene.undo()
        _ = try scene.redo(failPoint: { step, _ throws(Errno) in _ = steps.add(step) })
        for fatal in Torture.steps(steps.all.count) {
            for isUndone in [false, true] {
                let scratch = try ScratchDirectory()
                let scene = try JournalScene(in: scratch.path, document: Self.document)
                try scene.addLeague()
                try act.perform(scene)
                _ = try scene.undo()
                let undone = try Self.values(scene)
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [path = scratch.path.string as String, fatal = fatal as Int] in
                    let steps = Steps()
                    _ = try JournalScene(at: FilePath(path)).redo(failPoint: { step, _ throws(Errno) in
                        if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
                    })
                }
                if isUndone {
                    // Nothing was done yet, or what was done is taken back.
                    _ = try? scene.undo()
                    #expect(try Self.values(scene) == undone, "\(act) killed before step \(fatal), undone")
                } else {
                    do { _ = try scene.redo() } catch let error as StoreError {
                        #expect(error.code == .nothingToRedo, "\(act) killed before step \(fatal)")
                    }
                    #expect(try Self.values(scene) == expected, "\(act) killed before step \(fatal)")
                }
            }
        }
    }

    @Test func `after another write there is nothing to redo`() throws {
        try Act.score.perform(scene)
        _ = try scene.undo()
        try scene.perform(JournalScene.entry(20, "gamenote", #"{"game":"GaB12","note":"x"}"#), 20)
        #expect(code(of: StoreError.self) { try scene.redo() } == .nothingToRedo)
        _ = try scene.undo()
        _ = try scene.redo()
        #expect(code(of: StoreError.self) { try scene.redo() } == .nothingToRedo)
    }

    @Test(arguments: [
        (Act.edit, "edit", #"{"row":"\#(row)","patch":{"score":7}}"#),
        (.delete, "edit", #"{"row":"\#(row)","patch":{"score":7}}"#),
        (.game, "gamenote", #"{"game":"deep-reef","note":"theirs"}"#),
    ])
    func `what others have written since the undo is not overwritten`(
        act: Act, operation: String, payload: String
    ) throws {
        try act.perform(scene)
        _ = try scene.undo()
        // Not a write of this user: a delivery.
        #expect(try scene.send(JournalScene.entry(20, operation, payload), 20).result.name == "applied")
        let before = try scene.text()
        for _ in 0..<2 {
            let error = #expect(throws: StoreError.self) { try scene.redo() }
            #expect(
                error?.code == .unsafeToUndo && error?.cure?.text == "make the change by hand", "\(error)")
        }
        #expect(try scene.text() == before)
    }

    @Test func `a score that was done again is known by its entry, and devices keep it`() throws {
        try Act.score.perform(scene)
        let entry = JournalScene.entry(10, "score", #"{"game":"deep-reef","score":12345678}"#)
        let first = try scene.text()
        _ = try scene.undo()
        #expect(try scene.send(entry, 10).result.name == "removed")
        _ = try scene.redo()
        #expect(try scene.send(entry, 10).result.name == "already-applied")
        #expect(GoldenValue(try scene.text().utf8) == GoldenValue(first.utf8))
        // A device that has never seen it does not take it away, and one that has, brings nothing new.
        let devices = PracticeDevices(JournalWriter(scene.journal, formats: JournalScene.formats)) {
            Scene.now
        }
        for document in [Self.document, first] {
            _ = try devices.merge(
                ReplicaExchange(
                    Array(document.utf8), from: try DeviceName("phone"), base: .last, takesAnswer: true))
            #expect(GoldenValue(try scene.text().utf8) == GoldenValue(first.utf8))
        }
    }
}
