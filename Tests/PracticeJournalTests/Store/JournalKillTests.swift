import FileHarness
import Foundation
import Glibc
import PracticeJournal
import RecordFormat
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceStore

/// Writes into a practice journal that are killed, or fail, at each step in turn, and come again: the end is always the same.
struct JournalKillTests {
    /// One write of each way into the directory's files.
    private static func makeScene(in root: FilePath) throws -> JournalScene {
        let scene = try JournalScene(in: root)
        try scene.put(JournalScene.entry(10, "score", #"{"game":"deep-reef","score":12345678}"#), 10)
        try scene.put(JournalScene.entry(11, "gamenote", #"{"game":"GaB12","note":"left ramp"}"#, at: 1), 11)
        // Of a row that is there whatever fails before.
        let edit = #"{"row":"3F2504E0-4F89-41D3-9A0C-0305E82C3301","patch":{"score":7}}"#
        try scene.put(JournalScene.entry(12, "edit", edit, at: 2), 12)
        try scene.put(JournalScene.entry(13, "library", #"{"game":"GaB12","kind":"browseGame"}"#, at: 3), 13)
        try scene.put(JournalScene.entry(14, "score", #"{"game":"deep-reef","score":0}"#, at: 4), 14)
        try scene.addLeague()
        let league = #"{"player":"Ada Quill","zone":"UTC"}"#
        try scene.put(JournalScene.entry(15, "league_import", league, at: 5), 15)
        return scene
    }

    private static func undisturbed() throws -> (state: [String: String], steps: [WriteStep]) {
        let scratch = try ScratchDirectory()
        let scene = try makeScene(in: scratch.path)
        let steps = Steps()
        let results = try scene.drain(failPoint: { step, _ throws(Errno) in _ = steps.add(step) })
        #expect(
            results == [
                "10 applied", "11 applied", "12 applied", "13 applied",
                "14 rejected: Enter a valid score above 0.", "15 applied",
            ])
        return (try tree(of: scratch.path), steps.all)
    }

    /// The stamps of the log say how often something was tried; all else is the same.
    private static func withoutStamps(_ state: [String: String]) throws -> [String: String] {
        var state = state
        state["pins/sync.jsonl"] = try state["pins/sync.jsonl"].map { log in
            try log.replacing(Regex(#""stamp":\[[^\]]*\]"#), with: "")
        }
        state["state/failed/\(number(14)).reason"] = nil
        return state
    }

    @Test func `the log's line is durable before the document is replaced, and the ledger comes last`() throws
    {
        let scratch = try ScratchDirectory()
        let scene = try JournalScene(in: scratch.path)
        try scene.put(JournalScene.entry(10, "score", #"{"game":"deep-reef","score":1}"#), 10)
        let durable = Durable()
        try scene.drain(failPoint: { step, path throws(Errno) in
            if step == .sync || step == .rename { durable.add("\(step) \(path.lastComponent?.string ?? "")") }
        })
        #expect(
            durable.all == [
                "sync slots.json", "rename slots.json", "sync sync.jsonl", "sync sync.jsonl",
                "sync practice-state.json", "rename practice-state.json",
                "sync applied.jsonl", "rename \(number(10)).json",
            ])
    }

    @Test func `a kill before any step and another drain end as an undisturbed one`() async throws {
        let expected = try Self.undisturbed()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for fatal in Torture.steps(expected.steps.count) {
                if fatal > 4 { try await group.next() }
                group.addTask { try await Self.killAndDrain(before: fatal, expected.state) }
            }
            try await group.waitForAll()
        }
    }

    private static func killAndDrain(before fatal: Int, _ expected: [String: String]) async throws {
        let scratch = try ScratchDirectory()
        let scene = try makeScene(in: scratch.path)
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = scratch.path.string as String, fatal] in
            let steps = Steps()
            try JournalScene(at: FilePath(path)).drain(failPoint: { step, _ throws(Errno) in
                if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
            })
        }
        try scene.drain()
        let state = try tree(of: scratch.path)
        #expect(try withoutStamps(state) == withoutStamps(expected), "killed before step \(fatal)")
        try scene.drain()
        #expect(try tree(of: scratch.path) == state, "drained once more after step \(fatal)")
    }

    @Test func `a failure of any step and another drain leave the same document`() throws {
        let expected = try Self.undisturbed()
        for fatal in Torture.steps(expected.steps.count) {
            let scratch = try ScratchDirectory()
            let scene = try Self.makeScene(in: scratch.path)
            let steps = Steps()
            let results = try? scene.drain(failPoint: { step, _ throws(Errno) in
                if steps.add(step) == fatal { throw .ioError }
            })
            let failed = results?.contains { $0.contains(" failed") || $0.contains(" waiting") }
            let step = "step \(fatal), \(expected.steps[fatal - 1])"
            #expect(failed ?? true, "\(step), failed without a word: \(results ?? [])")
            try scene.drain()
            let state = try tree(of: scratch.path)
            for name in ["pins/practice-state.json", "pins/activity.json"] {
                #expect(
                    state[name] == expected.state[name],
                    "failed at step \(fatal), \(expected.steps[fatal - 1])")
            }
            #expect(Set(state.keys) == Set(expected.state.keys), "failed at step \(fatal)")
        }
    }

    @Test func `a write that was cut short is finished by the next one, whatever that is`() throws {
        let scratch = try ScratchDirectory()
        let scene = try JournalScene(in: scratch.path)
        let score = JournalScene.entry(10, "score", #"{"game":"deep-reef","score":5}"#)
        try scene.put(score, 10)
        let results = try scene.drain(failPoint: { step, path throws(Errno) in
            if step == .rename, path.lastComponent == "practice-state.json" { throw .ioError }
        })
        #expect(results.first?.hasPrefix("10 failed") == true)
        #expect(try scene.text() == JournalScene.document)
        try scene.perform(JournalScene.entry(11, "browse", #"{"game":"GaB12"}"#), 11)
        #expect(try scene.read().scoreEntries.map(\.score) == [1.5, 5])
        #expect(try scene.read().rows.count == 3)
        #expect(try scene.drain() == ["10 already-applied"])
        #expect(try scene.log().count == 3)
    }

    @Test func `a torn line of the log counts as none`() throws {
        let scratch = try ScratchDirectory()
        let scene = try JournalScene(in: scratch.path)
        _ = try scene.send(JournalScene.entry(10, "score", #"{"game":"deep-reef","score":5}"#), 10)
        let log = try scene.text("sync.jsonl")
        try scene.journal.appending("sync.jsonl").write(log + #"{"write":"01"#)
        _ = try scene.send(JournalScene.entry(11, "score", #"{"game":"deep-reef","score":6}"#), 11)
        #expect(try scene.read().scoreEntries.count == 3)
        #expect(try scene.text("sync.jsonl").hasPrefix(log + #"{"write":"01"# + "\n{\"write\":"))
    }

    @Test func `an undo that is killed at any step is done by the next`() async throws {
        let scratch = try ScratchDirectory()
        let count = try Self.stepsOfUndo(in: scratch.path)
        for fatal in 1...count { try await Self.killUndo(before: fatal) }
    }

    private static func killUndo(before fatal: Int) async throws {
        let scratch = try ScratchDirectory()
        let scene = try JournalScene(in: scratch.path)
        try scene.perform(JournalScene.entry(10, "score", #"{"game":"deep-reef","score":5}"#), 10)
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = scratch.path.string as String, fatal] in
            let steps = Steps()
            _ = try JournalScene(at: FilePath(path)).undo(failPoint: { step, _ throws(Errno) in
                if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
            })
        }
        _ = try? scene.undo()
        #expect(try scene.text() == JournalScene.document, "killed before step \(fatal)")
    }

    private static func stepsOfUndo(in root: FilePath) throws -> Int {
        let scene = try JournalScene(in: root)
        try scene.perform(JournalScene.entry(10, "score", #"{"game":"deep-reef","score":5}"#), 10)
        let steps = Steps()
        _ = try scene.undo(failPoint: { step, _ throws(Errno) in _ = steps.add(step) })
        #expect(try scene.text() == JournalScene.document)
        return steps.all.count
    }
}

/// What a hook saw, in words.
private final class Durable: @unchecked Sendable {
    // Guarded by the lock.
    private var names: [String] = []
    private let lock = NSLock()

    func add(_ name: String) { lock.withLock { names.append(name) } }

    var all: [String] { lock.withLock { names } }
}
