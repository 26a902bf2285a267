import FileHarness
import Foundation
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles
import TraceFormat
import TraceStore
import TraceText

@testable import PracticeJournal

/// Another program writes the document while a write of ours is under way: between its line in the log and the document, after it was cut
/// short there, or all the time.
struct WriteRaceTests {
    private let scratch: ScratchDirectory
    private let scene: JournalScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try JournalScene(in: scratch.path)
    }

    private static let score = JournalScene.entry(10, "score", #"{"game":"deep-reef","score":5}"#)
    private static let browse = JournalScene.entry(11, "browse", #"{"game":"GaB12"}"#)
    private static let appRow = "3F2504E0-4F89-41D3-9A0C-0305E82C3301"

    private var document: FilePath { scene.journal.appending("practice-state.json") }

    // MARK: - While it is written

    enum Way: CaseIterable { case command, drain, delivery }

    /// What another program does to the document.
    enum Neighbour: CaseIterable {
        case touches, replaces, saves

        func act(on document: FilePath, _ number: Int) throws {
            switch self {
            case .touches: try document.setModified(secondsAgo: 100 - number)
            case .replaces:
                let other = document.removingLastComponent().appending("other")
                try other.write(document.text())
                try #require(rename(other.string, document.string) == 0)
            case .saves:
                try document.write(
                    document.text().replacing(#/"mood": "[a-z0-9]+"/#, with: "\"mood\": \"great\(number)\""))
            }
        }
    }

    /// A hook that is the other program, just before it is looked whether the document is still what was read.
    private func disturbing(_ neighbour: Neighbour, times count: Int = 1) -> FailPoint {
        let acts = Steps()
        return { [document] step, path throws(Errno) in
            guard step == .compare, path.lastComponent == document.lastComponent else { return }
            let number = acts.add(step)
            guard number <= count else { return }
            do { try neighbour.act(on: document, number) } catch { Issue.record(error) }
        }
    }

    private func lines(of write: Int) throws -> Int {
        try scene.text("sync.jsonl").split(separator: "\n").count {
            $0.hasPrefix(#"{"write":"\#(number(write))""#)
        }
    }

    @Test(arguments: Way.allCases, Neighbour.allCases)
    func `a write stands once, though another program writes the document behind its line in the log`(
        way: Way, neighbour: Neighbour
    ) throws {
        let failPoint = disturbing(neighbour, times: 2)
        switch way {
        case .command: #expect(try scene.perform(Self.score, 10, failPoint: failPoint).notice == nil)
        case .drain:
            try scene.put(Self.score, 10)
            #expect(try scene.drain(failPoint: failPoint) == ["10 applied"])
        case .delivery: #expect(try scene.send(Self.score, 10, failPoint: failPoint).result.name == "applied")
        }
        #expect(try scene.read().scoreEntries.map(\.score) == [1.5, 5])
        #expect(try scene.read().rows.count == 2)
        #expect(try lines(of: 10) == 1)
        #expect(try scene.text().contains("great") == (neighbour == .saves))
        #expect(try scene.send(Self.score, 10).result.name == "already-applied")
        // What was written can be deleted, as anything that is there once.
        let row = DerivedID.id(of: number(10), .journal)
        #expect(
            try scene.send(JournalScene.entry(12, "delete", #"{"row":"\#(row)"}"#), 12).result.name
                == "applied")
        #expect(try scene.read().scoreEntries.map(\.score) == [1.5])
    }

    @Test(arguments: Neighbour.allCases)
    func `an undo is made once, though another program writes the document meanwhile`(neighbour: Neighbour)
        throws
    {
        try scene.perform(Self.score, 10)
        #expect(try scene.undo(failPoint: disturbing(neighbour)).parts.count == 1)
        #expect(try scene.read().scoreEntries.map(\.score) == [1.5])
        #expect(try scene.text().contains("great") == (neighbour == .saves))
        #expect(
            try scene.text("sync.jsonl").split(separator: "\n").count { $0.contains(#""kind":"undo""#) } == 1)
        #expect(code(of: StoreError.self) { try scene.undo() } == .nothingToUndo)
        #expect(try scene.send(Self.score, 10).result.name == "removed")
    }

    @Test(arguments: Neighbour.allCases)
    func `a merge tells what it has added, though another program writes the document meanwhile`(
        neighbour: Neighbour
    ) throws {
        let counts = try merge(failPoint: disturbing(neighbour))
        #expect(counts.added == 1)
        #expect(try scene.read().scoreEntries.map(\.score) == [1.5, 7])
        #expect(try scene.text().contains("great") == (neighbour == .saves))
    }

    @discardableResult
    private func merge(failPoint: FailPoint? = nil) throws -> MergeCounts {
        let grown = JournalScene.document.replacing(
            #""mood": "fine"}"#,
            with: #""mood": "fine"}, {"id":"b","gameID":"Gk9Xy","score":7,"timestamp":1772300000001}"#)
        var writer = JournalWriter(scene.journal, formats: JournalScene.formats)
        writer.failPoint = failPoint
        let exchange = ReplicaExchange(
            Array(grown.utf8), from: try DeviceName("phone"), base: .last, takesAnswer: true)
        guard
            case .merged(_, _, let counts) = try PracticeDevices(
                writer, patience: .seconds(60), now: { Scene.now }
            ).merge(exchange)
        else { return MergeCounts() }
        return counts
    }

    @Test func `a write of which the document can't have anything yet is not repeated, and waits in the log`()
        throws
    {
        let failPoint: FailPoint = { [document] step, path throws(Errno) in
            guard step == .compare, path.lastComponent == document.lastComponent else { return }
            do { try document.write("{\"scoreEntries\": [") } catch { Issue.record(error) }
        }
        let error = #expect(throws: PracticeError.self) {
            try scene.perform(Self.score, 10, failPoint: failPoint)
        }
        #expect(error?.code == .writeUnfinished)
        #expect(
            error?.message.hasPrefix(
                "the write is in sync.jsonl, and not in the document yet: can't be read whole") == true)
        try document.write(JournalScene.document)
        // As a command leaves it in the queue then.
        #expect(try scene.send(Self.score, 10).result.name == "already-applied")
        #expect(try scene.read().scoreEntries.map(\.score) == [1.5, 5])
    }

    // MARK: - After it was cut short

    /// A drain that ends between the log and the document, as a kill there does; then an app saves what it had in memory.
    private func cutShort(_ entry: String, _ id: Int) throws {
        try scene.put(entry, id)
        _ = try scene.drain(failPoint: Self.beforeDocument)
        #expect(try scene.text() == JournalScene.document)
        try document.write(JournalScene.document.replacing("1e2", with: "7"))
    }

    private static let beforeDocument: FailPoint = { step, path throws(Errno) in
        if step == .rename, path.lastComponent == "practice-state.json" { throw .ioError }
    }

    @Test(arguments: [
        ("score", #"{"game":"deep-reef","score":5}"#), ("gamenote", #"{"game":"GaB12","note":"left ramp"}"#),
        ("edit", #"{"row":"\#(Self.appRow)","patch":{"score":7}}"#),
        ("delete", #"{"row":"\#(Self.appRow)"}"#),
        ("settings", #"{"practiceSettings":{"playerName":"Ada"}}"#),
        ("group.create", #"{"name":"Two","games":["deep-reef"]}"#),
    ])
    func `a write that was cut short is made, though an app has saved the document since`(
        operation: String, payload: String
    ) throws {
        let entry = JournalScene.entry(10, operation, payload)
        let undisturbed = try WriteRaceTests()
        try undisturbed.scene.perform(entry, 10)
        let expected = try undisturbed.scene.text().replacing("1e2", with: "7")
        try cutShort(entry, 10)
        #expect(try scene.drain() == ["10 already-applied"])
        let (found, wanted) = try (scene.text(), expected)
        #expect(JSONText.isEquivalent(Array(found.utf8), Array(wanted.utf8)), "\(found)")
        #expect(try lines(of: 10) == 1)
        #expect(try scene.send(entry, 10).result.name == "already-applied")
    }

    @Test func `a write that was cut short is made by whichever write comes next`() throws {
        try cutShort(Self.score, 10)
        try scene.perform(Self.browse, 11)
        #expect(try scene.read().scoreEntries.map(\.score) == [1.5, 5])
        #expect(try scene.drain() == ["10 already-applied"])
    }

    @Test
    func `what a device brought and was cut short is there, though an app has saved the document since`()
        throws
    {
        #expect(throws: FileError.self) { try merge(failPoint: Self.beforeDocument) }
        try document.write(JournalScene.document.replacing("fine", with: "great"))
        #expect(try merge().removed == 0)
        #expect(try scene.read().scoreEntries.map(\.score) == [1.5, 7])
        #expect(try scene.text().contains("great"))
    }

    // MARK: - All the time

    @Test(arguments: [(Duration.seconds(60), 0), (.seconds(60), 3), (.zero, 0)])
    func `the next attempt comes when nobody has written the document for as long as a pause`(
        patience: Duration, saves: Int
    ) throws {
        var pauses = 0
        let isAtRest = try DocumentPatience(patience).awaitRest(in: OpenDirectory(scene.journal)) {
            pauses += 1
            guard pauses <= saves else { return }
            let mood = String(repeating: "f", count: pauses)
            do { try document.write(JournalScene.document.replacing("fine", with: mood)) } catch {
                Issue.record(error)
            }
        }
        #expect(isAtRest == (patience > .zero))
        #expect(pauses == (patience > .zero ? saves + 1 : 0))
    }

    @Test func `a write gives up while an app keeps saving, and the log has no line for each time`() throws {
        try scene.perform(Self.browse, 11)
        let document = document
        let saves = Steps()
        @Sendable func save() {
            let text = JournalScene.document.replacing("fine", with: "fine\(saves.add(.write))")
            do { try document.write(text) } catch { Issue.record(error) }
        }
        save()
        // Without a limit, it would have come to an end by this one.
        let failPoint: FailPoint = { step, path throws(Errno) in
            let isMeanwhile =
                step == .sync && path.lastComponent == "sync.jsonl"
                || step == .compare && path.lastComponent == document.lastComponent
            if isMeanwhile, saves.all.count < 40 { save() }
        }
        let impatient = JournalRegistry([
            SessionFormat(), PracticeFormat(writing: PracticeWriting(patience: .zero) { Scene.now }),
        ])
        let before = try scene.log().count
        #expect(
            code { try scene.perform(Self.score, 10, formats: impatient, failPoint: failPoint) }
                == .changedMeanwhile)
        #expect(saves.all.count < 5)
        #expect(try scene.log().count <= before + 1)
        #expect(try lines(of: 10) == 0)
        // The queue has it then.
        try scene.put(Self.score, 10)
        #expect(try scene.drain() == ["10 applied"])
        #expect(try scene.read().scoreEntries.map(\.score) == [1.5, 5])
        #expect(try scene.text().contains("\"fine\(saves.all.count)\""))
    }
}
