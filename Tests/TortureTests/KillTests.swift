import Foundation
import ProgramHarness
import TestSupport
import Testing

/// The built `trace`, killed before each call that it makes in its directories, one run for each.
///
/// strace kills before the call runs, so that the states between any two calls are all met.
@Suite(.enabled(if: Strace.isThere, "strace is missing, or not permitted here"))
struct KillTests {
    @Test(arguments: Operation.allCases)
    func `a kill at any call loses nothing, doubles nothing and halves nothing`(_ operation: Operation) throws
    {
        let scene = try Scene(for: operation)
        let strace = Strace(scene.scratch, followsChildren: !operation.startsProgram)
        let arguments = operation.arguments(in: scene)
        let calls = try strace.record(arguments).filter { !Strace.readers.contains($0.name) }
        try scene.restore()
        #expect(try scene.scratch.trace(arguments).status == 0)
        try operation.carryOn(in: scene)
        let undisturbed = try scene.state()

        for call in Torture.choose(calls, sample: 2, "kill \(operation)") {
            try scene.restore()
            let fault = Strace.Fault.kill(at: call)
            let (outcome, log) = try strace.run(arguments, with: fault)
            #expect(log.contains("+++ killed by SIGKILL +++") && outcome.status != 0, "not \(fault): \(log)")
            let what = "\(operation), \(fault)"
            try scene.checkNothingLost(what)
            try operation.carryOn(in: scene)
            try scene.checkSession(what)
            if operation.drains { try scene.checkDrained(what) }
            if operation.isRepeatable { #expect(try scene.state() == undisturbed, "\(what)") }
        }
    }
}
