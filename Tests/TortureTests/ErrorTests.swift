import Foundation
import ProgramHarness
import TestSupport
import Testing

/// The built `trace`, of whose calls one fails, or all from one on.
@Suite(.enabled(if: Strace.isThere, "strace is missing, or not permitted here"))
struct ErrorTests {
    static let errors = ["EIO", "ENOSPC", "EDQUOT", "EROFS", "EXDEV"]

    @Test(arguments: Operation.allCases)
    func `a call that fails once is told, and loses nothing`(_ operation: Operation) throws {
        let scene = try Scene(for: operation)
        let strace = Strace(scene.scratch, followsChildren: !operation.startsProgram)
        let arguments = operation.arguments(in: scene)
        let calls = try strace.record(arguments).filter { !$0.isOutput }
        let faults = calls.flatMap { call in Self.errors.map { Strace.Fault.error($0, at: call) } }
        for fault in Torture.choose(faults, sample: 2, "error \(operation)") {
            try scene.restore()
            let (outcome, log) = try strace.run(arguments, with: fault)
            #expect(log.contains("(INJECTED)"), "not \(fault)")
            try operation.check(outcome, in: scene, "\(fault)")
        }
    }

    @Test(arguments: Torture.choose(Operation.allCases, sample: 5, "broken disks"))
    func `a disk that is broken from some call on is told, and loses nothing`(_ operation: Operation) throws {
        let scene = try Scene(for: operation)
        let strace = Strace(scene.scratch, followsChildren: !operation.startsProgram)
        let arguments = operation.arguments(in: scene)
        for tree in ["sessions", "state"] {
            try scene.restore()
            let paths = try Set(strace.record(arguments).flatMap(\.paths)).sorted().filter {
                $0.hasPrefix("\(scene.scratch.path)/\(tree)")
            }
            if paths.isEmpty { continue }
            try scene.restore()
            let calls = try strace.record(arguments, on: paths)
            let faults = calls.filter { !Strace.readers.contains($0.name) }.flatMap { call in
                Self.errors.map { Strace.Fault.errors($0, from: call, in: calls, on: paths) }
            }
            for fault in Torture.choose(faults, sample: 2, "broken \(operation) \(tree)") {
                try scene.restore()
                let (outcome, log) = try strace.run(arguments, with: fault)
                #expect(log.contains("(INJECTED)"), "not \(fault)")
                try operation.check(outcome, in: scene, "\(fault)")
            }
        }
    }

    @Test(arguments: Torture.choose(Operation.allCases, sample: 5, "interrupts"))
    func `a call that a signal interrupts is made again`(_ operation: Operation) throws {
        let scene = try Scene(for: operation)
        let strace = Strace(scene.scratch, followsChildren: !operation.startsProgram)
        let arguments = operation.arguments(in: scene)
        let calls = try strace.record(arguments)
        try scene.restore()
        let undisturbed = try scene.scratch.trace(arguments)
        for call in Torture.choose(calls, sample: 2, "interrupt \(operation)") {
            try scene.restore()
            let (outcome, _) = try strace.run(arguments, with: .error("EINTR", at: call))
            #expect(
                Self.withoutChance(outcome) == Self.withoutChance(undisturbed),
                "\(operation), EINTR of \(call)")
        }
    }

    /// How long a session was is another number each time, and a token is drawn by chance.
    private static func withoutChance(_ outcome: Outcome) -> Outcome {
        Outcome(
            outcome.output.replacing(#/duration \d+ms/#, with: "duration")
                .replacing(#/trace_[0-9a-z]{38}/#, with: "trace_TOKEN"),
            errors: outcome.errors, status: outcome.status)
    }
}
