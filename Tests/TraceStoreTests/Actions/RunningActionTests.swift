import FileHarness
import Glibc
import StoreHarness
import SystemPackage
import Testing
import TraceFiles

@testable import TraceStore

struct RunningActionTests {
    let scratch: ScratchDirectory
    var state: FilePath { scratch("state") }

    init() throws { scratch = try ScratchDirectory() }

    @Test func `a run is under way as long as it is held, and no second time`() throws {
        let run = try RunningAction(number(10), of: scratch("set"), state: state)
        #expect(RunningAction.living(in: state) == [number(10)])
        #expect(RunningAction.failInterrupted(in: state).isEmpty)
        #expect(
            code(of: StoreError.self) { _ = try RunningAction(number(10), of: scratch("set"), state: state) }
                == .alreadyRunning)
        run.finish()
        #expect(RunningAction.living(in: state).isEmpty)
    }

    @Test func `what a process that is gone has left names its session`() throws {
        do { _ = try RunningAction(number(10), of: scratch("set"), state: state) }
        #expect(RunningAction.living(in: state).isEmpty)
        let failed = RunningAction.failInterrupted(in: state)
        #expect(failed.map(\.id) == [number(10)])
        #expect(failed.first?.session == scratch("set"))
        // The session is not here now; so the note stays for the next time.
        #expect(failed.first?.problem != nil)
        #expect(RunningAction.failInterrupted(in: state).count == 1)
    }

    @Test func `a program must be executable`() throws {
        try scratch.write("#!/bin/sh\n", to: "clip")
        #expect(code { _ = try ActionProgram(named: "clip", in: [scratch.path]) } == .permissionDenied)
        try #require(chmod(scratch("clip").string, 0o755) == 0)
        #expect(try ActionProgram(named: "clip", in: [scratch.path]).path == scratch("clip"))
    }
}
