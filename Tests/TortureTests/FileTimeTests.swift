import Foundation
import Glibc
import ProgramHarness
import TestSupport
import Testing

/// Files can have any time that their file system can keep: a broken clock, a copied archive or `touch -d` sets it.
@Suite(.serialized)
struct FileTimeTests {
    /// Seconds since 1970 at which some program's reckoning ends, and what they are.
    static let moments: [(seconds: Int, what: String)] = [
        (-9_223_372_037, "1677-09-21, where nanoseconds of 64 bits begin"),
        (-9_223_372_036, "a second later"),
        (-2_147_483_649, "1901, before seconds of 32 bits"), (-2_147_483_648, "where they begin"),
        (-1, "1969"), (0, "1970"),
        (1, "a second later"), (2_147_483_647, "2038"), (2_147_483_648, "2038, beyond seconds of 32 bits"),
        (9_223_372_036, "2262-04-11, where nanoseconds end"), (9_223_372_037, "2262-04-11, beyond"),
        (9_224_582_400, "2262-04-26"), (9_225_014_400, "2262-05-01"), (10_981_872_000, "2318"),
        (15_032_385_535, "2446, the end of ext4"), (18_446_744_073, "2554, once round"),
        (64_060_588_800, "4000"),
        (9_223_372_036_854_775, "where milliseconds end"), (.max, "the end"), (.min, "the beginning"),
    ]

    /// Some of them, in seconds.
    private static let sample = Torture.choose(moments.map(\.seconds), sample: 3, "file times")

    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.session("set", markers: marker(10, at: 1000, tags: ["highlight"]) + "{\"id\":\"")
        try scratch.closedSession("old", id: 2, markers: marker(20, at: 1000))
        try scratch.makeDirectory("state/queue")
        try scratch.makeDirectory("state/done")
        for (place, id) in [("queue", 30), ("done", 31)] {
            let entry = """
                {"id":"\(number(id))","kind":"marker","session_id":"\(number(77))","created_at":"2026-02-04T20:00:00Z",\
                "payload":{"id":"\(number(id))","offset_ms":1,"created_at":"2026-02-04T20:00:00Z","source":"user"}}
                """
            try scratch.write(entry, to: "state/\(place)/\(number(id)).json")
        }
    }

    private static let sessionFiles = ["markers.jsonl", "timeline.jsonl", "session.json", "media", ""].flatMap
    { name in
        ["sessions/set/\(name)", "sessions/old/\(name)"]
    }

    private func set(_ seconds: Int) {
        let queue = ["state/queue/\(number(30)).json", "state/done/\(number(31)).json"]
        for name in Self.sessionFiles + queue {
            let times = [
                timespec(tv_sec: seconds, tv_nsec: 999_999_999),
                timespec(tv_sec: seconds, tv_nsec: 999_999_999),
            ]
            // What the file system can't keep it makes the nearest that it can, or refuses; then the file keeps its time.
            _ = utimensat(AT_FDCWD, "\(scratch.path)/\(name)", times, 0)
        }
    }

    @Test(arguments: sample) func `every command answers as it does at any other time`(
        seconds: Int
    ) throws {
        let commands = [
            ["sessions"], ["search", "nothing"], ["validate", "sessions/old"], ["validate", "sessions/set"],
            ["repair", "sessions/set"],
            ["index", "rebuild"],
            ["index", "status"], ["index", "verify"], ["digest", "show", "sessions/set"],
            ["markers", "list", "sessions/set"],
            ["at", "2026-02-04T20:01Z"],
            ["queue", "list"], ["queue", "flush"], ["status"], ["export", "sessions/old", "--format", "csv"],
        ]
        // What has rested for a month is settled, and so is what comes from the future.
        set(1_772_000_000)
        var expected = try commands.map { try scratch.trace($0) }
        set(seconds)
        for (number, command) in commands.enumerated() {
            var outcome = try scratch.trace(command)
            #expect(outcome.status < 128, "\(command): \(outcome)")
            // How long an entry has waited and how large the index is are no matter of this.
            if ["status", "index"].contains(command[0]) {
                (outcome.output, expected[number].output) = ("", "")
            }
            #expect(outcome == expected[number], "\(command)")
        }
        #expect(try scratch.trace("doctor").status < 2)
    }

    @Test(arguments: sample) func `what is written stands, and updated_at goes forward`(
        seconds: Int
    ) throws {
        set(seconds)
        let before = try scratch.text("sessions/set/session.json", filled: false)
        #expect(try scratch.trace("mark", "sessions/set", "--offset", "2000").status == 0)
        set(seconds)
        #expect(
            try scratch.trace("marker", "edit", number(10), "--label", "x", "-s", "sessions/set").status == 0)
        set(seconds)
        #expect(
            try scratch.trace("marker", "edit", number(10), "--label", "x", "-s", "sessions/set").status == 0)
        set(seconds)
        #expect(try scratch.trace("undo").status == 0)
        let after = try scratch.text("sessions/set/session.json", filled: false)
        #expect(Self.updated(after) > Self.updated(before))
        #expect(try scratch.trace("session", "close", "sessions/set").status == 0)
    }

    private static func updated(_ header: String) -> String {
        header.firstMatch(of: #/"updated_at": "([^"]*)"/#).map { String($0.output.1) } ?? ""
    }

    @Test(arguments: sample) func `the daemon becomes ready, follows and stops`(seconds: Int)
        throws
    {
        set(seconds)
        let daemon = try DaemonProcess(in: URL(filePath: scratch.path))
        #expect(daemon.isRunning, "\(daemon.log)")
        #expect(try scratch.trace("mark", "sessions/set", "--offset", "3000").status == 0)
        try soon("the mark is read") { daemon.log.contains("indexed") || !daemon.isRunning }
        #expect(daemon.terminate().status == 0)
        // The same once more out of the index: nothing that has not changed is read again.
        set(seconds)
        let again = try DaemonProcess(in: URL(filePath: scratch.path))
        #expect(again.isRunning, "\(again.log)")
        #expect(again.terminate().status == 0)
    }

    @Test func `a file of the future is settled, and one of this moment is not`() throws {
        set(9_225_014_400)
        let torn = try scratch.trace("validate", "sessions/set")
        #expect(torn.output.contains("[line-torn]"), "\(torn)")
        try scratch.write(marker(10, at: 1000) + "{\"id\":\"", to: "sessions/set/markers.jsonl")
        let fresh = try scratch.trace("validate", "sessions/set", environment: ["TRACE_SETTLE_TIME": "1h"])
        #expect(fresh.output.contains("[line-in-transit]"), "\(fresh)")
    }
}
