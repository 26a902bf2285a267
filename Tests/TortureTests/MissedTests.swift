import Foundation
import ProgramHarness
import Synchronization
import TestSupport
import Testing

/// Nothing that is done below the roots is missed, whatever inotify does or can't do.
@Suite(.serialized) struct MissedTests {
    @Test(arguments: Torture.choose(WatchedRoot.programs, sample: 1, "made at once"))
    func `sessions that are made and filled at once are all found, whatever comes and goes beside them`(
        by program: String
    ) throws {
        let count = Torture.size(full: 10_000, sample: 80)
        let watched = try WatchedRoot(["TRACE_RECONCILE_INTERVAL": "1h"], by: program)
        var dice = Torture.dice("made at once")
        let churn = Churn(in: watched.scratch.sessions)
        for number in 0..<count {
            try Self.makeSession(number, in: watched.scratch.sessions, headerFirst: Bool.random(using: &dice))
        }
        churn.stop()
        try watched.awaitRest { $0.sessions == count && $0.records == count }
        try watched.checkEqualsFiles("\(churn.rounds) rounds of churn")
        #expect(
            watched.daemon.log.components(separatedBy: "scanning everything").count <= 2,
            "\(watched.daemon.log)")
    }

    /// As `mkdir -p n/b/c && echo … > n/b/c/markers.jsonl` does it, as fast as can be.
    private static func makeSession(_ index: Int, in root: String, headerFirst: Bool) throws {
        let top = "\(root)/\(index)"
        for path in [top, "\(top)/b", "\(top)/b/c"] { mkdir(path, 0o777) }
        let id = number(1000 + index)
        let files = [
            (
                "session.json",
                """
                {"id":"\(id)","created_at":"2026-02-04T20:00:00.000Z","updated_at":"2026-02-04T20:00:00.000Z",\
                "status":"active","start_time":"2026-02-04T20:00:00.000Z","timeline_path":"timeline.jsonl",\
                "markers_path":"markers.jsonl","transcript_path":null,"voice_notes_path":null,"digest_path":null,\
                "media":[]}

                """
            ), ("markers.jsonl", marker(10, at: index)),
        ]
        for (name, text) in headerFirst ? files : files.reversed() {
            try Data(text.utf8).write(to: URL(filePath: "\(top)/b/c/\(name)"))
        }
    }

    @Test(arguments: Torture.choose(WatchedRoot.programs, sample: 1, "overflow"))
    func `an overflow of the kernel's queue costs one scan, and nothing is missed`(by program: String) throws
    {
        let limit = try Int(
            String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
                .trimmingCharacters(in: .newlines))
        let count = max(20_000, limit ?? 0)
        let watched = try WatchedRoot(["TRACE_RECONCILE_INTERVAL": "1h"], by: program) { scratch in
            for (index, name) in ["a", "b", "c"].enumerated() { try scratch.session(name, id: index + 1) }
            try scratch.makeDirectory("sessions/noise")
        }
        try watched.awaitRest()
        try watched.daemon.pause()
        // By turns, since the kernel joins events that are the same; of few files, for the scan is not what is tried here.
        let noise = (0..<2).map { "\(watched.scratch.sessions)/noise/\($0)" }
        for index in 0..<count { close(open(noise[index % 2], O_CREAT | O_WRONLY, 0o666)) }
        try watched.append(marker(10, at: 5), to: "a/markers.jsonl")
        try watched.scratch.remove("sessions/b")
        try watched.scratch.session("d", id: 4, markers: marker(11, at: 6))
        watched.daemon.resume()
        // The events that the kernel's queue did hold come first.
        try soon("it scans") {
            watched.daemon.log.contains("scanning everything again")
        }
        try watched.awaitRest { $0.sessions == 3 && $0.records == 5 }
        try watched.append(marker(12, at: 7), to: "d/markers.jsonl")
        try watched.awaitRest { $0.records == 6 }
        try watched.checkEqualsFiles("after an overflow")
        let scans = watched.daemon.log.split(separator: "\n").filter {
            $0.contains("scanning everything again")
        }
        #expect(scans.count == 1 && scans[0].contains("reason=kernelOverflow"), "\(scans)")
    }

    /// What inotify can be short of.
    enum Shortage: String, CaseIterable, CustomTestStringConvertible {
        case watches = "max_inotify_watches"
        case instances = "max_inotify_instances"

        var testDescription: String { rawValue }
        var limit: Int { self == .watches ? 9 : 0 }
        /// What the person is told to do.
        var cure: String {
            self == .watches ? "sysctl fs.inotify.max_user_watches=" : "sysctl fs.inotify.max_user_instances="
        }
    }

    @Test(
        .enabled(if: Namespace.hasLimits, "user namespaces are not permitted here"),
        arguments: Torture.choose(Shortage.allCases, sample: 1, "shortage"),
        Torture.choose(WatchedRoot.programs, sample: 1, "short of"))
    func `without inotify everything is found by polling, that is said once, and it recovers`(
        _ shortage: Shortage, by program: String
    ) throws {
        let watched = try WatchedRoot(["TRACE_RECONCILE_INTERVAL": "2s"], by: program) { scratch in
            for index in 0..<12 { try scratch.session("s\(index)", id: index + 1) }
        } under: { scratch in
            Namespace.limiting(shortage.rawValue, to: shortage.limit, in: scratch)
        }
        let few = try ProcessCounts(of: watched.daemon.id)
        #expect(few.watches <= 9)
        // What changes is published a few times a second at most.
        var told = ""
        try soon("status tells it") {
            told = try watched.trace("status").output
            return told.contains("not watched but polled: ")
        }
        #expect(told.contains(shortage.cure), "\(told)")
        for index in 1..<12 { try watched.append(marker(10, at: index), to: "s\(index)/markers.jsonl") }
        try watched.scratch.remove("sessions/s0")
        try watched.scratch.session("deep/in/new", id: 20, markers: marker(11, at: 6))
        try watched.awaitRest("by polling") { $0.sessions == 12 && $0.records == 24 }

        try watched.scratch.write("", to: "raise")
        try soon("it is watched again") {
            watched.daemon.log.contains("everything is watched again")
        }
        try soon("status tells nothing of it") { try !watched.trace("status").output.contains("polled") }
        #expect(try ProcessCounts(of: watched.daemon.id).watches >= 27)
        try watched.append(marker(12, at: 7), to: "s5/markers.jsonl")
        try watched.awaitRest("watched again") { $0.records == 25 }
        try watched.checkEqualsFiles("\(shortage)")
        let log = watched.daemon.log
        #expect(log.components(separatedBy: "not watched but polled").count == 2, "\(log)")
        #expect(log.components(separatedBy: "everything is watched again").count == 2, "\(log)")
        #expect(watched.daemon.terminate().status == 0)
    }

    /// The periodic scan is far off here: what is polled is polled by itself.
    @Test(.enabled(if: Namespace.hasLimits && Torture.isFull, "takes long"))
    func `directories without a watch are polled every few seconds`() throws {
        let watched = try WatchedRoot(["TRACE_RECONCILE_INTERVAL": "1h"]) { scratch in
            for index in 0..<12 { try scratch.session("s\(index)", id: index + 1) }
        } under: { scratch in
            Namespace.limiting("max_inotify_watches", to: 5, in: scratch)
        }
        for index in 1..<12 { try watched.append(marker(10, at: index), to: "s\(index)/markers.jsonl") }
        try watched.scratch.remove("sessions/s0")
        try watched.scratch.session("s3/in/new", id: 20, markers: marker(11, at: 6))
        try watched.awaitRest("by polling") { $0.sessions == 12 && $0.records == 24 }
        try watched.checkEqualsFiles("polled")
    }

    /// What lies below a journal's directory, and a document on its own, has no header beside it.
    @Test(.enabled(if: Namespace.hasLimits, "user namespaces are not permitted here"))
    func `a library, a league table and a document on its own are polled in their places`() throws {
        func document(_ note: String) -> String { #"{"gameSummaryNotes":{"GaB12":"\#(note)"}}"# }
        func library(_ id: String) -> String { #"{"items":[{"practice_identity":"\#(id)","slug":"reef"}]}"# }
        let watched = try WatchedRoot([
            "TRACE_RECONCILE_INTERVAL": "1h", "TRACE_POLL_INTERVAL": "1s",
        ]) { scratch in
            for index in 0..<12 { try scratch.session("s\(index)", id: index + 1) }
            for name in ["phone", "pins/library", "pins/league"] {
                try scratch.makeDirectory("sessions/z/\(name)")
            }
            try scratch.write(document("one"), to: "sessions/z/phone/practice-state.json")
            try scratch.write(
                #"{"journal":"practice","format":1,"id":"01KGNQZP000000000000000001","created_at":"2026-01-01T00:00:00.000Z"}"#
                    + "\n", to: "sessions/z/pins/practice.json")
            try scratch.write(document("pins"), to: "sessions/z/pins/practice-state.json")
            try scratch.write(library("GaB12"), to: "sessions/z/pins/library/pinball_library_v3.json")
            try scratch.write("season\n", to: "sessions/z/pins/league/LPL_Stats.csv")
        } under: { scratch in
            Namespace.limiting("max_inotify_watches", to: 5, in: scratch)
        }
        let changes = [
            ("z/phone/practice-state.json", document("two")),
            ("z/pins/library/pinball_library_v3.json", library("GxY98")),
            (
                "z/pins/league/LPL_Stats.csv",
                "season,banknumber,player,machine,rawscore,points\n4,1,A,Deep Reef,5,1\n"
            ),
        ]
        for (name, text) in changes {
            try watched.awaitRest("before \(name)")
            // In place, so that no directory has another time.
            let file = try FileHandle(forWritingTo: URL(filePath: "\(watched.scratch.sessions)/\(name)"))
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: Data(text.utf8))
            try file.close()
            try soon("\(name) is polled") { try watched.trace("index", "verify").status == 0 }
        }
    }

    /// What a poll costs is a bar of the benchmarks.
    @Test(.enabled(if: Namespace.hasLimits, "user namespaces are not permitted here"))
    func `of many sessions without a watch, an append is found at the next poll`() throws {
        let count = Torture.size(full: 200, sample: 40)
        let watched = try WatchedRoot([
            "TRACE_RECONCILE_INTERVAL": "1h", "TRACE_POLL_INTERVAL": "1s",
        ]) { scratch in
            for index in 0..<count { try scratch.session("s\(index)", id: index + 1) }
        } under: { scratch in
            Namespace.limiting("max_inotify_watches", to: 5, in: scratch)
        }
        try watched.awaitRest { $0.sessions == count }
        for index in stride(from: 0, to: count, by: count / 8) {
            try watched.append(marker(10, at: index), to: "s\(index)/markers.jsonl")
        }
        try watched.awaitRest("by polling") { $0.records == count + 8 }
        try watched.checkEqualsFiles("polled")
    }

    @Test(arguments: Torture.choose(WatchedRoot.programs, sample: 1, "come and go"))
    func `directories that come and go leave nothing behind in the daemon`(_ program: String) throws {
        let rounds = Torture.size(full: 100_000, sample: 1000)
        let watched = try WatchedRoot(["TRACE_RECONCILE_INTERVAL": "1h"], by: program) { try $0.session("a") }
        var number = 10
        func comeAndGo(_ count: Int) throws {
            for index in 0..<count {
                let path = "\(watched.scratch.sessions)/a/\(index % 7)"
                mkdir(path, 0o777)
                rmdir(path)
            }
            number += 1
            try watched.append(marker(number, at: number), to: "a/markers.jsonl")
            try watched.awaitRest { $0.records == number - 9 }
        }
        try comeAndGo(rounds / 4)
        let before = try ProcessCounts(of: watched.daemon.id)
        try comeAndGo(rounds)
        let after = try ProcessCounts(of: watched.daemon.id)
        #expect(after.memory - before.memory < 8 << 10, "\(before) then \(after)")
        #expect(after.descriptors < before.descriptors + 4, "\(before) then \(after)")
        #expect(after.watches == before.watches && after.watches < 10, "\(before) then \(after)")
        print("torture: \(rounds) times mkdir and rmdir: \(before), then \(after)")
        try watched.checkEqualsFiles("after \(rounds) directories")
    }
}

/// A thread that makes, renames and removes files and directories below a root all the time.
private final class Churn: Sendable {
    private let state = Mutex((isStopped: false, rounds: 0))
    private let isDone = DispatchSemaphore(value: 0)

    init(in root: String) {
        Thread.detachNewThread { [self] in
            while !state.withLock({ $0.isStopped }) {
                let number = state.withLock { state in
                    state.rounds += 1
                    return state.rounds
                }
                let directory = "\(root)/.part\(number % 5)"
                mkdir(directory, 0o777)
                close(open("\(directory)/.x.tmp", O_CREAT | O_WRONLY, 0o666))
                rename("\(directory)/.x.tmp", "\(root)/x\(number % 3)")
                unlink("\(root)/x\(number % 3)")
                rmdir(directory)
                usleep(2000)
            }
            isDone.signal()
        }
    }

    func stop() {
        state.withLock { $0.isStopped = true }
        isDone.wait()
    }

    var rounds: Int { state.withLock { $0.rounds } }
}
