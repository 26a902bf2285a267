import Foundation
import ProgramHarness
import TestSupport
import Testing

/// The built `traced`, of whose calls for a write over HTTP one fails, or all of its name from one on; then the device sends the same
/// again, and nothing fails.
@Suite(.enabled(if: ThreadTrace.isPossible, "strace is missing, or may not attach here"))
struct ServerErrorTests {
    /// What a device is told that is to send the same again, or that need not.
    static let statuses: Set = [202, 503, 507]

    @Test(arguments: WireWrite.all)
    func `a call that fails is told, and leaves the session as it was or with the whole record`(
        _ write: WireWrite
    ) throws {
        let scene = try ServedScene()
        let faults = try write.calls(in: scene).flatMap { call in
            Self.errors(of: call).flatMap { error in
                [Strace.Fault.error(error, at: call), .errors(error, from: call)]
            }
        }
        let chosen = Torture.choose(faults, sample: 10, "error server \(write.name)")
        var hits = 0
        for fault in chosen {
            let attempt = try write.begin(scene)
            let trace = try ThreadTrace(of: scene.thread(write.thread), in: scene.scratch, with: fault)
            let answer = try scene.send(attempt.request)
            if try trace.end().contains("(INJECTED)") { hits += 1 }
            let what = "\(write.name), \(fault): \(answer)"
            #expect(Self.statuses.union([attempt.first]).contains(answer.status), "\(what)")
            // What waits may be written at this moment.
            if answer.status != 202 { try scene.checkLines(what) }
            let read = try scene.get("/sessions/\(ServedScene.set)/markers")
            #expect(read.status == 200, "\(what), read: \(read)")
            try attempt.finish(in: scene, what)
        }
        // How many files are opened depends on how far the index has come, and on whether the session was found just before, so that
        // some faults have no call.
        #expect(hits * 4 > chosen.count, "\(hits) of \(chosen.count)")
        try scene.checkSessions(write.name)
    }

    /// What can go wrong with a call.
    private static func errors(of call: Strace.Call) -> [String] {
        if Strace.readers.contains(call.name) { return ["EIO"] }
        let isReading = call.text.contains("O_RDONLY") && !call.text.contains("O_CREAT")
        if call.name.hasPrefix("open"), isReading { return ["EIO", "EMFILE"] }
        return ["EIO", "ENOSPC", "EDQUOT", "EROFS", "EMFILE"]
    }
}
