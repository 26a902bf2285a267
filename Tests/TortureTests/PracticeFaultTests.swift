import Foundation
import ProgramHarness
import TestSupport
import Testing

/// The built `trace`, killed before each call of a write into a practice journal, or with an error of each.
@Suite(.enabled(if: Strace.isThere, "strace is missing, or not permitted here"))
struct PracticeFaultTests {
    @Test(arguments: Torture.choose(PracticeFault.allCases, sample: 8, "practice kills"))
    func `a kill at any call leaves the document as it was or as it is to be`(_ write: PracticeFault) throws {
        let scene = try PracticeScene(for: write)
        let strace = Strace(scene.scratch)
        let calls = try strace.record(write.arguments).filter(\.changesFiles)
        for call in Torture.choose(calls, sample: 2, "practice kill \(write)") {
            try scene.restore()
            let fault = Strace.Fault.kill(at: call)
            let (outcome, log) = try strace.run(write.arguments, with: fault)
            #expect(log.contains("+++ killed by SIGKILL +++") && outcome.status != 0, "not \(fault): \(log)")
            try scene.checkWhole("\(write), \(fault)")
            try scene.checkEnd("\(write), \(fault)", isSaid: false)
        }
    }

    @Test(arguments: Torture.choose(PracticeFault.allCases, sample: 8, "practice errors"))
    func `a call that fails once is told, and the document is whole`(_ write: PracticeFault) throws {
        let scene = try PracticeScene(for: write)
        let strace = Strace(scene.scratch)
        let calls = try strace.record(write.arguments).filter { !$0.isOutput }
        let faults = calls.enumerated().map { index, call in
            Strace.Fault.error(ErrorTests.errors[index % ErrorTests.errors.count], at: call)
        }
        for fault in Torture.choose(faults, sample: 2, "practice error \(write)") {
            try check(write, fault, strace, in: scene)
        }
    }

    @Test(arguments: Torture.choose(PracticeFault.allCases, sample: 3, "practice broken disks"))
    func `a disk that is broken from some call on is told, and the document is whole`(
        _ write: PracticeFault
    ) throws {
        let scene = try PracticeScene(for: write)
        let strace = Strace(scene.scratch)
        for tree in ["sessions", "state"] {
            try scene.restore()
            let paths = try Set(strace.record(write.arguments).flatMap(\.paths)).sorted().filter {
                $0.hasPrefix("\(scene.scratch.path)/\(tree)")
            }
            if paths.isEmpty { continue }
            try scene.restore()
            let calls = try strace.record(write.arguments, on: paths)
            let faults = calls.filter(\.changesFiles).enumerated().map { index, call in
                let error = ErrorTests.errors[index % ErrorTests.errors.count]
                return Strace.Fault.errors(error, from: call, in: calls, on: paths)
            }
            for fault in Torture.choose(faults, sample: 1, "practice broken \(write) \(tree)") {
                try check(write, fault, strace, in: scene)
            }
        }
    }

    private func check(
        _ write: PracticeFault, _ fault: Strace.Fault, _ strace: Strace, in scene: PracticeScene
    ) throws {
        try scene.restore()
        let (outcome, log) = try strace.run(write.arguments, with: fault)
        let what = "\(write), \(fault)\n\(outcome)"
        #expect(log.contains("(INJECTED)"), "not \(fault)")
        let isTold = outcome.errors.split(separator: "\n").contains { $0.hasPrefix("error: ") }
        #expect((outcome.status != 0) == isTold && outcome.status < 128, "\(what)")
        try scene.checkWhole(what)
        try scene.checkEnd(what, isSaid: outcome.status == 0)
    }
}
