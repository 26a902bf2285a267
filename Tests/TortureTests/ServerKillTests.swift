import Foundation
import ProgramHarness
import TestSupport
import Testing

/// The built `traced`, killed before each call by which a write over HTTP changes a file; then the device, which has got no answer,
/// sends the same again to another `traced`.
///
/// strace kills before the call runs, so that the states between any two changes are all met.
@Suite(.enabled(if: ThreadTrace.isPossible, "strace is missing, or may not attach here"))
struct ServerKillTests {
    @Test(arguments: WireWrite.all)
    func `a write that a kill interrupts stands once when it is sent again`(_ write: WireWrite) throws {
        let scene = try ServedScene()
        let calls = try write.calls(in: scene).filter { call in
            call.changesFiles && !call.paths.contains { $0.contains("/index.sqlite") }
        }
        #expect(calls.count > (write.thread == "http-receive" ? 0 : 3), "\(calls)")
        try scene.restart()
        for call in Torture.choose(calls, sample: 2, "kill server \(write.name)") {
            let what = "\(write.name), killed before \(call)"
            let attempt = try write.begin(scene)
            let trace = try ThreadTrace(
                of: scene.thread(write.thread), in: scene.scratch, with: .kill(at: call))
            let answer = try? scene.send(attempt.request)
            let log = try trace.end(isKilled: answer == nil)
            let isKilled = log.contains("+++ killed by SIGKILL +++")
            #expect(isKilled || write.mayBeDrained, "not \(what): \(log)")
            try scene.restart(isKilled: isKilled)
            try attempt.finish(in: scene, what)
        }
        try scene.checkSessions(write.name)
    }
}
