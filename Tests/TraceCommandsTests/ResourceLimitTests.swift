import Foundation
import Glibc
import Testing

/// With as few threads, files and bytes as the system may allow, a program does its work or says what it lacks.
@Suite(.serialized)
struct ResourceLimitTests {
    private let scratch: Scratch

    private static let commands = [
        ["--version"], ["mark", "sessions/set", "--offset", "2000"], ["sessions"], ["search", "x"],
        ["validate", "sessions/set"],
        ["markers", "list", "sessions/set"], ["index", "rebuild"], ["queue", "flush"],
        ["digest", "show", "sessions/set"],
        ["status"],
    ]

    init() throws {
        scratch = try Scratch()
        try scratch.session("set", markers: marker(10, at: 1000))
    }

    /// A user of whom no other test runs a program: the limit of threads counts all that a user has.
    private static let user: uid_t = 60_600
    private static let asUser = ["setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups"]

    /// Runs a program under limits, as another user where that is asked.
    private func run(_ limits: [String], _ program: String, _ arguments: [String], asUser: Bool = false)
        throws -> Outcome
    {
        let user = asUser ? Self.asUser : []
        return try scratch.run(
            "/usr/bin/prlimit", limits + user + [Binaries.url(program).path] + arguments, in: "",
            ["SWIFT_BACKTRACE": "enable=no"])
    }

    /// That an outcome is that of the command without limits, or names the limit.
    private func expect(_ outcome: Outcome, as whole: Outcome?, _ what: String) {
        if outcome.status == 74 {
            #expect(
                outcome.errors.hasPrefix("error: ") && outcome.errors.contains("hint: raise the limit"),
                "\(what): \(outcome)")
        } else {
            #expect(outcome.status == whole?.status, "\(what): \(outcome)")
        }
    }

    /// The dynamic loader of a debug build needs a file and memory itself, and ends a program that lacks them with 127.
    @Test(arguments: Torture.choose([4, 5, 6, 7, 8, 10, 12, 16, 24, 31, 32, 40], sample: 4, "files"))
    func `few files`(count: Int) throws {
        for command in Self.commands {
            let outcome = try run(["--nofile=\(count)"], "trace", command)
            // What the user may raise is raised.
            let raised = try run(["--nofile=\(count):1024"], "trace", command)
            let whole = try scratch.trace(command)
            expect(outcome, as: whole, "\(command)")
            #expect(outcome.status == 74 || count >= 32)
            #expect(Self.withoutClock(raised) == Self.withoutClock(whole), "\(command)")
        }
    }

    /// The clock of an active session runs.
    private static func withoutClock(_ outcome: Outcome) -> Outcome {
        var outcome = outcome
        outcome.output = outcome.output.replacing(#/ at [\d:.]+, /#, with: ", ")
        return outcome
    }

    /// With less than some 20 MiB beside the program itself, which a debug build is mapped with as a whole, it ends in the loader or in the
    /// runtime, before its own first line.
    @Test(arguments: Torture.choose([26, 30, 34, 50, 82, 113, 114, 146, 178], sample: 3, "memory"))
    func `little memory`(mebibytes: Int) throws {
        let file = try FileManager.default.attributesOfItem(atPath: Binaries.url("trace").path)
        let limit = try #require(file[.size] as? Int) + (mebibytes << 20)
        for command in Self.commands {
            let whole = try scratch.trace(command)
            for kind in ["as", "data"] {
                let outcome = try run(["--\(kind)=\(limit)"], "trace", command)
                if outcome.status == 127, outcome.errors.contains("shared libraries") { continue }
                expect(outcome, as: whole, "\(kind) \(command)")
            }
        }
    }

    @Test(arguments: Torture.choose([256, 512, 1024, 8192], sample: 2, "stack")) func `a small stack`(
        kibibytes: Int
    ) throws {
        for command in Self.commands {
            let outcome = try run(["--stack=\(kibibytes << 10)"], "trace", command)
            expect(outcome, as: try scratch.trace(command), "\(command)")
        }
    }

    @Test(
        .enabled(if: geteuid() == 0),
        arguments: Torture.choose([1, 2, 3, 4, 5, 6, 8, 12, 16], sample: 3, "threads"))
    func `few threads`(count: Int) throws {
        try openToUser()
        for command in Self.commands + [["export", "sessions/set", "--format", "csv"]] {
            let outcome = try run(["--nproc=\(count)"], "trace", command, asUser: true)
            expect(outcome, as: try run(["--nproc=4096"], "trace", command, asUser: true), "\(command)")
            // A mark needs no thread beside the first.
            if command[0] == "mark" { #expect(outcome.status == 0, "\(outcome)") }
        }
        // With the threads that it wants it watches on and on.
        if count < 5 {
            let outcome = try run(["--nproc=\(count)"], "trace", ["watch"], asUser: true)
            #expect(outcome.status == 74, "\(outcome)")
        }
    }

    /// The user needs rights, and the state directory must be that user's own.
    private func openToUser() throws {
        try scratch.makeDirectory("state")
        try scratch.makeDirectory("run")
        let all = FileManager.default.enumerator(atPath: scratch.path)?.compactMap { $0 as? String } ?? []
        for name in all + [""] { chown("\(scratch.path)/\(name)", Self.user, Self.user) }
    }

    static let daemonLimits =
        [8, 12, 16, 20, 32, 63, 64].map { "--nofile=\($0)" }
        + [96, 128, 256, 320, 384, 511, 512].map { "--as=\($0 << 20)" }
        + [64, 128, 256].map { "--data=\($0 << 20)" } + [256, 1024].map { "--stack=\($0 << 10)" }
        + (geteuid() == 0 ? [1, 2, 4, 6, 8, 12, 16].map { "--nproc=\($0)" } : [])

    @Test(arguments: Torture.choose(daemonLimits, sample: 8, "daemon"))
    func `the daemon becomes ready, or says what it lacks`(limit: String)
        throws
    {
        let isOfThreads = limit.hasPrefix("--nproc")
        if isOfThreads { try openToUser() }
        let user = isOfThreads ? Self.asUser : []
        let daemon = try DaemonProcess(
            in: URL(filePath: scratch.path), environment: ["SWIFT_BACKTRACE": "enable=no"],
            under: ["/usr/bin/prlimit", limit] + user)
        if daemon.isRunning {
            #expect(daemon.terminate().status == 0, "\(daemon.log)")
        } else {
            let status = daemon.waitForExit()
            let isLoader = status == 127 && daemon.log.contains("shared libraries")
            #expect(status == 74 || isLoader, "\(status): \(daemon.log)")
            #expect(isLoader || daemon.log.contains("hint: raise the limit"), "\(daemon.log)")
        }
    }
}
