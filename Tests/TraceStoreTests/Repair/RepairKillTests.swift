import FileHarness
import Glibc
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceStore

/// A repair that is killed, or fails, at each durable step in turn, and is then repeated.
struct RepairKillTests {
    /// The sessions that need every mend there is.
    enum Scene: Sendable, CaseIterable {
        case damaged, misspelled

        func make(in root: FilePath) throws -> RepairScene {
            switch self {
            case .damaged: try RepairScene(in: root)
            case .misspelled: try RepairScene(misspelled: root)
            }
        }
    }

    /// The session after an undisturbed repair, and how many steps that takes.
    static func undisturbed(_ kind: Scene) throws -> (files: [String: String], steps: [WriteStep]) {
        let scratch = try ScratchDirectory()
        let scene = try kind.make(in: scratch.path)
        let steps = Steps()
        _ = try scene.repair(failPoint: { step, _ throws(Errno) in _ = steps.add(step) }).run()
        return (try scene.files, steps.all)
    }

    @Test(arguments: Scene.allCases)
    func `a kill before any step loses nothing, and another repair ends as an undisturbed one`(kind: Scene)
        async throws
    {
        let expected = try Self.undisturbed(kind)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for fatal in Torture.steps(expected.steps.count) {
                if fatal > 2 { try await group.next() }
                group.addTask { try await Self.killAndRepair(kind, before: fatal, expected.files) }
            }
            try await group.waitForAll()
        }
    }

    private static func killAndRepair(_ kind: Scene, before fatal: Int, _ expected: [String: String])
        async throws
    {
        let scratch = try ScratchDirectory()
        let scene = try kind.make(in: scratch.path)
        let before = try scene.files
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = scratch.path.string as String, fatal] in
            let steps = Steps()
            _ = try RepairScene(at: FilePath(path)).repair(failPoint: { step, _ throws(Errno) in
                if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
            }).run()
        }
        try expectNotWorse(scene, before, expected, "killed before step \(fatal)")
        _ = try scene.repair().run()
        #expect(try scene.files == expected, "killed before step \(fatal)")
        try expectNotWorse(scene, before, expected, "repaired after step \(fatal)")
        #expect(try scene.repair().run().plan.isEmpty)
    }

    /// Every file is as it was or as it is to be, and what it was is there or kept.
    private static func expectNotWorse(
        _ scene: RepairScene, _ before: [String: String], _ expected: [String: String], _ when: String
    ) throws {
        let now = try scene.files.filter { !$0.key.hasSuffix(".trace-tmp") }
        let kept = try scene.kept
        for name in Set(before.keys).union(expected.keys).union(now.keys) {
            #expect(now[name] == before[name] || now[name] == expected[name], "\(name) \(when)")
            guard let old = before[name], now[name] != old else { continue }
            #expect(kept[name]?.contains(old) == true, "\(name) is not kept, \(when)")
        }
        // A copy goes when what it brings is durable.
        if now[RepairScene.copy.string] == nil { #expect(now["markers.jsonl"] == expected["markers.jsonl"]) }
    }

    @Test(arguments: Scene.allCases, [Errno.ioError, .noSpace])
    func `a failure of any step loses nothing, and another repair ends as an undisturbed one`(
        kind: Scene, failure: Errno
    ) throws {
        let expected = try Self.undisturbed(kind)
        for fatal in Torture.steps(expected.steps.count, sample: 8) {
            let scratch = try ScratchDirectory()
            let scene = try kind.make(in: scratch.path)
            let before = try scene.files
            let steps = Steps()
            _ = try? scene.repair(failPoint: { step, _ throws(Errno) in
                if steps.add(step) == fatal { throw failure }
            }).run()
            try Self.expectNotWorse(scene, before, expected.files, "failed at step \(fatal)")
            _ = try scene.repair().run()
            #expect(try scene.files == expected.files, "failed at step \(fatal)")
        }
    }

    @Test func `the steps come in the order of the promise`() throws {
        let scratch = try ScratchDirectory()
        let scene = try RepairScene(in: scratch.path)
        let renames = Renames()
        _ = try scene.repair(failPoint: { step, path throws(Errno) in
            if step == .rename {
                renames.add(path.string.hasPrefix(scene.state.string) ? "kept" : "session", path)
            }
        }).run()
        #expect(
            renames.all == [
                "kept timeline.jsonl", "kept markers.jsonl", "kept session.json", "session timeline.jsonl",
                "session markers.jsonl", "session voice_notes.jsonl", "session session.json",
                "session timeline 2.jsonl",
                "session \(RepairScene.copy)", "session voice_notes (Anna's conflicted copy).jsonl",
                "session transcript 2.jsonl", "session digest 2.md",
            ])
    }
}

/// What a hook saw, in words.
private final class Renames: @unchecked Sendable {
    // One thread repairs.
    private(set) var all: [String] = []

    func add(_ place: String, _ path: FilePath) { all.append("\(place) \(path.lastComponent?.string ?? "")") }
}
