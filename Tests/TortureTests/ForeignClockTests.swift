import Foundation
import Glibc
import ProgramHarness
import TestSupport
import Testing

/// A machine whose clock shows anything: `clock_gettime` is put in the place of the C library's by `LD_PRELOAD`.
@Suite(.serialized, .enabled(if: ForeignClock.library != nil, "no C compiler"))
struct ForeignClockTests {
    /// What the clock shows, in seconds since 1970.
    private static let sample = Torture.choose(
        FileTimeTests.moments.map(\.seconds), sample: 3, "foreign clocks")

    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.session("set", markers: marker(10, at: 1000, tags: ["highlight"]))
        try scratch.closedSession("old", id: 2, markers: marker(20, at: 1000))
    }

    private func clock(_ seconds: Int) throws -> [String: String] {
        ["LD_PRELOAD": try #require(ForeignClock.library), "FOREIGN_CLOCK": "\(seconds)"]
    }

    @Test(arguments: sample) func `no command ends by a signal`(seconds: Int)
        throws
    {
        let clock = try clock(seconds)
        let commands = [
            ["mark", "sessions/set", "--offset", "2000"], ["mark", "sessions/set", "--offset", "now"],
            ["sessions"],
            ["search", "nothing"],
            ["validate", "--all"], ["repair", "sessions/set"], ["index", "rebuild"], ["index", "verify"],
            ["digest", "show", "sessions/set"],
            ["digest", "generate", "sessions/set"], ["digest", "show", "--since", "today"],
            ["markers", "list", "--all", "--since", "monday"],
            ["at", "today"], ["at", "2026-02-04T20:01Z"],
            ["queue", "add", "marker", "--offset", "5", "-s", "sessions/set"], ["queue", "list"],
            ["queue", "flush"], ["status"], ["status", "--json"], ["doctor"], ["undo"],
            ["session", "init", "sessions/new"],
            ["session", "close", "sessions/set"], ["export", "sessions/old", "--format", "csv"],
            ["sessions", "--json"],
        ]
        for command in commands {
            let outcome = try scratch.trace(command, environment: clock)
            #expect(outcome.status < 128 && outcome.status != 70, "\(command): \(outcome)")
            if command[0] == "mark" { #expect(outcome.status == 0, "\(command): \(outcome)") }
        }
        // What was written is right by the format, whatever the clock said.
        for name in ["sessions/set", "sessions/new"] {
            let outcome = try scratch.trace("validate", name)
            #expect(outcome.status == 0, "\(outcome)")
        }
    }

    /// All of the moments: sums with the present one overflow at a few of them only.
    @Test(arguments: FileTimeTests.moments.map(\.seconds))
    func `what adds to the present moment stays in range`(
        seconds: Int
    ) throws {
        let clock = try clock(seconds)
        let doctor = try scratch.trace("doctor", environment: clock)
        #expect(doctor.status < 70, "\(doctor)")
        let token = ["token", "add", "--name", "guest", "--scope", "read", "--expires", "30d"]
        for command in [token, ["pair", "--name", "phone", "--scope", "mark"]] {
            let outcome = try scratch.trace(command, environment: clock)
            #expect(outcome.status == 0, "\(command): \(outcome)")
        }
    }

    @Test(arguments: sample) func `updated_at never goes backwards`(
        seconds: Int
    ) throws {
        let before = try updated()
        #expect(
            try scratch.trace("mark", "sessions/set", "--offset", "2000", environment: clock(seconds)).status
                == 0)
        let during = try updated()
        #expect(during >= before)
        #expect(try scratch.trace("mark", "sessions/set", "--offset", "3000").status == 0)
        #expect(try updated() >= during)
    }

    private func updated() throws -> String {
        let header = try scratch.text("sessions/set/session.json", filled: false)
        return try #require(header.firstMatch(of: #/"updated_at": "([^"]*)"/#).map { String($0.output.1) })
    }

    @Test(arguments: sample) func `the daemon becomes ready and stops`(
        seconds: Int
    ) throws {
        let daemon = try DaemonProcess(
            in: URL(filePath: scratch.path),
            environment: clock(seconds).merging(["TRACE_METRICS_FILE": "\(scratch.path)/m"]) { $1 })
        #expect(daemon.isRunning, "\(daemon.log)")
        #expect(
            try scratch.trace("mark", "sessions/set", "--offset", "3000", environment: clock(seconds)).status
                == 0)
        #expect(try scratch.trace("status", environment: clock(seconds)).status < 128)
        #expect(daemon.terminate().status == 0, "\(daemon.log)")
    }
}

/// The library that changes what the clock shows, compiled once.
enum ForeignClock {
    /// Seconds since 1970 of `FOREIGN_CLOCK`, standing still but for the nanoseconds, which are the real ones.
    private static let source = """
        #define _GNU_SOURCE
        #include <stdlib.h>
        #include <sys/syscall.h>
        #include <time.h>
        #include <unistd.h>
        int clock_gettime(clockid_t clock, struct timespec *time) {
            long result = syscall(SYS_clock_gettime, clock, time);
            const char *wanted = getenv("FOREIGN_CLOCK");
            if (result == 0 && wanted && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
                time->tv_sec = strtoll(wanted, 0, 10);
            return (int)result;
        }
        """

    /// Nil where there is no compiler.
    static let library: String? = {
        let name = "/tmp/trace-foreign-clock-\(UUID().uuidString.prefix(8))"
        guard (try? Data(source.utf8).write(to: URL(filePath: "\(name).c"))) != nil else { return nil }
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = ["cc", "-shared", "-fPIC", "-o", "\(name).so", "\(name).c"]
        compiler.standardError = FileHandle.nullDevice
        guard (try? compiler.run()) != nil else { return nil }
        compiler.waitUntilExit()
        unlink("\(name).c")
        guard compiler.terminationStatus == 0 else { return nil }
        atexit { if let library = ForeignClock.library { unlink(library) } }
        return "\(name).so"
    }()
}
