import Foundation
import ProgramHarness
import TestSupport
import Testing

/// The index that `traced` keeps, while everything is done to the sessions and the practice journals and the daemon is killed in
/// between, is the one that a fresh reading of the files would make.
///
/// The periodic scan is far off, so that what is found is found by events.
struct RebuildTests {
    @Test(arguments: 0..<Torture.size(full: 40, sample: 1))
    func `after thousands of changes and some kills the index equals a fresh one`(round: Int) throws {
        var dice = Torture.dice("rebuild \(round)")
        let watched = try WatchedRoot(["TRACE_RECONCILE_INTERVAL": "1h"])
        var tree = try RandomTree(watched.scratch, Torture.dice("tree \(round)"))
        var journals = try RandomJournals(watched.scratch, Torture.dice("journals \(round)"))
        var history: [String] = []
        for part in 0..<Torture.size(full: 2, sample: 1) {
            for _ in 0..<Torture.size(full: 250, sample: 80) {
                let isOfJournals = Int.random(in: 0..<3, using: &dice) == 0
                try history.append(isOfJournals ? journals.step() : tree.step())
                switch Int.random(in: 0..<100, using: &dice) {
                case 0:
                    history.append("kill")
                    watched.daemon.kill()
                    try watched.start(awaitReady: false)
                case 1: _ = try watched.trace("search", "drop", "-q")
                case 2..<40: usleep(UInt32.random(in: 0..<5000, using: &dice))
                default: break
                }
            }
            let what = "TRACE_SEED=\(Torture.seed), round \(round), part \(part)"
            do {
                try watched.awaitRest(what)
            } catch {
                try? watched.scratch.write(history.joined(separator: "\n"), to: "history")
                throw error
            }
            try watched.scratch.write(history.joined(separator: "\n"), to: "history")
            try watched.checkEqualsFiles(what)
        }
        #expect(watched.daemon.terminate().status == 0)
    }

    @Test func `both backends of the watcher lead to the same index of the same directories`() throws {
        let steps = Torture.size(full: 10_000, sample: 300)
        let watched = try WatchedRoot(["TRACE_RECONCILE_INTERVAL": "1h"], by: "traced")
        let other = try WatchedRoot(
            ["TRACE_RECONCILE_INTERVAL": "1h", "TRACE_ROOTS": watched.scratch.sessions], by: "traced-kernel")
        var tree = try RandomTree(watched.scratch, Torture.dice("both backends"))
        var journals = try RandomJournals(watched.scratch, Torture.dice("journals of both backends"))
        var dice = Torture.dice("both backends, pauses")
        for step in 1...steps {
            if step.isMultiple(of: 3) { _ = try journals.step() } else { _ = tree.step() }
            if Int.random(in: 0..<20, using: &dice) == 0 { usleep(UInt32.random(in: 0..<5000, using: &dice)) }
            guard step.isMultiple(of: 1000) || step == steps else { continue }
            let what = "TRACE_SEED=\(Torture.seed), step \(step)"
            try watched.awaitRest(what)
            try other.awaitRest(what)
            try watched.checkEqualsFiles(what)
            #expect(try watched.index.sessions() == other.index.sessions(), "\(what)")
            #expect(try watched.index.otherJournals() == other.index.otherJournals(), "\(what)")
            #expect(try watched.index.lines() == other.index.lines(), "\(what)")
        }
    }
}
