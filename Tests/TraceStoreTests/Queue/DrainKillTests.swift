import FileHarness
import Glibc
import StoreHarness
import Synchronization
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceStore

/// A drain that is killed, or fails, at each durable step in turn, and then runs undisturbed: the end is always the same.
struct DrainKillTests {
    /// Everything that a drain can meet: a torn line, entries in two spools, a duplicate, audio, a request, a conflict, a
    /// rejected entry, one that waits.
    static func makeScene(in root: FilePath) throws -> QueueScene {
        let scene = try QueueScene(in: root)
        try scene.session("markers.jsonl").write(QueueScene.markerLine(14, note: "mine") + "\n{\"id\":\"01J")
        try scene.deliver(QueueScene.marker(10), 10)
        try scene.deliver(QueueScene.note(11), 11)
        try scene.local.appending("\(number(11)).m4a").write(QueueScene.sound)
        try scene.deliver(QueueScene.action(12), 12, to: scene.phone)
        try scene.deliver(QueueScene.marker(10), 10, to: scene.phone)
        try scene.deliver(QueueScene.note(13, audio: "memo.m4a"), 13, to: scene.phone)
        try scene.phone.appending("memo.m4a").write(QueueScene.sound)
        try scene.deliver(QueueScene.marker(14, note: "theirs"), 14, to: scene.phone)
        try scene.deliver("{}", 15)
        try scene.deliver(QueueScene.note(16), 16)
        return scene
    }

    /// The final state of an undisturbed drain, and how many steps it takes.
    static func undisturbed() throws -> (state: [String: String], steps: [WriteStep]) {
        let scratch = try ScratchDirectory()
        let scene = try makeScene(in: scratch.path)
        let steps = Steps()
        try scene.drain(failPoint: { step, _ throws(Errno) in _ = steps.add(step) })
        return (try tree(of: scratch.path), steps.all)
    }

    @Test func `undisturbed, the drain does what it should`() throws {
        let state = try Self.undisturbed().state
        #expect(
            state["set/markers.jsonl"]
                == QueueScene.markerLine(14, note: "mine") + "\n{\"id\":\"01J\n" + QueueScene.markerLine(10)
                + "\n")
        #expect(
            state["set/voice_notes.jsonl"] == QueueScene.noteLine(11) + "\n" + QueueScene.noteLine(13) + "\n")
        #expect(state["set/actions.jsonl"] == QueueScene.actionLine(12) + "\n")
        #expect(state["set/session.json"] == QueueScene.header(voiceNotes: true))
        #expect(
            state.keys.filter { !$0.hasPrefix("set") }.sorted() == [
                "phone", "state", "state/applied.jsonl", "state/done", "state/done/\(number(10)).json",
                "state/done/\(number(11)).json", "state/done/\(number(11)).m4a",
                "state/done/\(number(12)).json",
                "state/done/\(number(13)).json", "state/done/memo.m4a", "state/failed",
                "state/failed/\(number(14)).json", "state/failed/\(number(14)).reason",
                "state/failed/\(number(15)).json", "state/failed/\(number(15)).reason", "state/queue",
                "state/queue/\(number(16)).json",
            ])
    }

    @Test func `the steps of an entry come in the order of the design`() throws {
        let scratch = try ScratchDirectory()
        let scene = try QueueScene(in: scratch.path)
        try scene.deliver(QueueScene.note(11), 11)
        try scene.local.appending("\(number(11)).m4a").write(QueueScene.sound)
        let durable = Names()
        try scene.drain(failPoint: { step, path throws(Errno) in
            if step == .sync || step == .rename { durable.add("\(step) \(path.lastComponent?.string ?? "")") }
        })
        #expect(
            durable.all == [
                "sync .trace-media.tmp", "rename \(number(11)).m4a", "sync voice_notes.jsonl",
                "sync session.json",
                "rename session.json", "sync applied.jsonl", "rename \(number(11)).m4a",
                "rename \(number(11)).json",
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
            try QueueScene(at: FilePath(path)).drain(failPoint: { step, _ throws(Errno) in
                if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
            })
        }
        try scene.drain()
        #expect(try tree(of: scratch.path) == expected, "killed before step \(fatal)")
        try scene.drain()
        #expect(try tree(of: scratch.path) == expected, "drained once more after step \(fatal)")
    }

    /// What fails is passed over, so lines may come in another order than undisturbed; and the ledger, which is a set, may
    /// hold a line twice, where looking at what was written failed.
    static func inAnyOrder(_ state: [String: String]) -> [String: [Substring]] {
        var lines = state.mapValues { $0.split(separator: "\n").sorted() }
        lines["state/applied.jsonl"] = lines["state/applied.jsonl"].map { Set($0).sorted() }
        return lines
    }

    @Test func `a failure of any step and another drain leave the same files and lines`() throws {
        let expected = try Self.undisturbed()
        for fatal in Torture.steps(expected.steps.count, sample: 12) {
            let scratch = try ScratchDirectory()
            let scene = try Self.makeScene(in: scratch.path)
            let steps = Steps()
            let outcomes = try? scene.drain(failPoint: { step, _ throws(Errno) in
                if steps.add(step) == fatal { throw .ioError }
            })
            let failed = outcomes?.contains { if case .failed = $0.result { true } else { false } }
            #expect(failed ?? true, "step \(fatal), \(expected.steps[fatal - 1]), failed without a word")
            try scene.drain()
            let state = try tree(of: scratch.path)
            #expect(
                Self.inAnyOrder(state) == Self.inAnyOrder(expected.state),
                "failed at step \(fatal), \(expected.steps[fatal - 1])")
        }
    }

    @Test func `a drain that fails again and again, each time a step later, still gets there`() throws {
        let expected = try Self.undisturbed()
        let scratch = try ScratchDirectory()
        let scene = try Self.makeScene(in: scratch.path)
        for fatal in 1...expected.steps.count {
            let steps = Steps()
            _ = try? scene.drain(failPoint: { step, _ throws(Errno) in
                if steps.add(step) == fatal { throw .ioError }
            })
        }
        try scene.drain()
        #expect(try tree(of: scratch.path) == expected.state)
    }
}

/// What a hook saw, in words.
private final class Names: Sendable {
    private let names = Mutex<[String]>([])

    func add(_ name: String) { names.withLock { $0.append(name) } }

    var all: [String] { names.withLock { $0 } }
}
