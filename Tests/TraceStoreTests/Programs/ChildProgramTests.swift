import FileHarness
import Glibc
import SystemPackage
import Testing

@testable import TraceStore

/// Programs that are run: what they say, how they end, and what keeps them from beginning.
struct ChildProgramTests {
    let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    private func shell(
        _ script: String, feeding bytes: String = "", options: ChildProgram.Options = .init(),
        timeout: Duration = .seconds(60)
    ) throws -> ChildProgram.Outcome {
        var program = try ChildProgram(
            "/bin/sh", arguments: ["-c", FilePath(script)], options: options)
        return try program.run(feeding: Array(bytes.utf8), timeout: timeout) { false }
    }

    @Test func `what is fed comes back, though nothing is there to be read for a while`() throws {
        // It prints only once its input has ended.
        let outcome = try shell("wc -c; exit 3", feeding: String(repeating: "x", count: 300_000))
        #expect(outcome.end == .exited(3))
        #expect(String(decoding: outcome.output, as: UTF8.self).contains("300000"))
    }

    @Test func `what it says on standard error is gathered`() throws {
        var options = ChildProgram.Options()
        options.gathersErrors = true
        let outcome = try shell("echo no >&2; echo yes", options: options)
        #expect(outcome.output == Array("yes\n".utf8))
        #expect(outcome.errors == Array("no\n".utf8))
    }

    @Test func `a program that takes too long, and one that says too much, are ended`() throws {
        #expect(try shell("sleep 100", timeout: .milliseconds(50)).end == .timedOut)
        var options = ChildProgram.Options()
        options.outputLimit = 1000
        #expect(try shell("yes", options: options).end == .tooMuchOutput)
    }

    @Test func `a program that runs is waited for, and not looked at again and again`() throws {
        for script in ["sleep 0.6", "exec >&-; sleep 0.6"] {
            var program = try ChildProgram("/bin/sh", arguments: ["-c", FilePath(script)])
            var looks = 0
            let outcome = try program.run {
                looks += 1
                return false
            }
            #expect(outcome.end == .exited(0))
            #expect(looks < 10, "'\(script)' was looked at \(looks) times")
        }
    }

    @Test func `a program that is to stop is ended`() throws {
        var program = try ChildProgram("/bin/sleep", arguments: ["100"])
        #expect(try program.run { true }.end == .stopped)
    }

    @Test func `a program that is not there is an error at once`() {
        #expect(throws: Errno.noSuchFileOrDirectory) {
            _ = try ChildProgram(scratch("none"), arguments: [])
        }
    }

    @Test func `a program that is being written is waited for, a second at most`() throws {
        let path = scratch("tool")
        try path.write("#!/bin/sh\n")
        try #require(chmod(path.string, 0o755) == 0)
        let writer = try FileDescriptor.open(path, .writeOnly)
        let begun = ContinuousClock.now
        #expect(throws: Errno(rawValue: ETXTBSY)) { _ = try ChildProgram(path, arguments: []) }
        #expect(ContinuousClock.now - begun >= .seconds(1))
        try writer.close()
        var program = try ChildProgram(path, arguments: [])
        #expect(try program.run(timeout: .seconds(60)) { false }.end == .exited(0))
    }
}
