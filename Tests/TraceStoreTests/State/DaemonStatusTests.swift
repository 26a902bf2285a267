import FileHarness
import Glibc
import SystemPackage
import Testing

@testable import TraceStore

/// What a daemon publishes counts only while it lives.
struct DaemonStatusTests {
    let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    /// The number of a process that has ended and was waited for.
    private static func endedProcess() throws -> Int {
        var program = try ChildProgram("/bin/sh", arguments: ["-c", "echo $$"])
        let output = try program.run(timeout: .seconds(60)) { false }.output
        return try #require(Int(String(decoding: output, as: UTF8.self).prefix { $0.isNumber }))
    }

    private func publish(_ text: String) throws {
        try scratch("traced.status").write(text)
    }

    @Test func `this process is read as it has published itself`() throws {
        var status = DaemonStatus()
        status.isReady = true
        try status.publish(in: scratch.path)
        #expect(DaemonStatus(publishedIn: scratch.path)?.process == Int64(getpid()))
        DaemonStatus.withdraw(from: scratch.path)
        #expect(DaemonStatus(publishedIn: scratch.path) == nil)
    }

    @Test func `without the time of its start a process lives as long as there is one of its number`() throws
    {
        try publish(#"{"pid":\#(getpid()),"ready":true}"#)
        #expect(DaemonStatus(publishedIn: scratch.path)?.isReady == true)
        try publish(#"{"pid":\#(try Self.endedProcess()),"ready":true}"#)
        #expect(DaemonStatus(publishedIn: scratch.path) == nil)
    }

    @Test(arguments: ["0", "-1", "4294967296", "9223372036854775807"])
    func `what can be no process is none`(number: String) throws {
        try publish(#"{"pid":\#(number),"ready":true}"#)
        #expect(DaemonStatus(publishedIn: scratch.path) == nil)
    }

    @Test func `another process of the number is not the daemon`() throws {
        try publish(#"{"pid":\#(getpid()),"start_ticks":1}"#)
        #expect(DaemonStatus(publishedIn: scratch.path) == nil)
    }
}
