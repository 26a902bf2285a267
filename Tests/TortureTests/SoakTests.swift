import Foundation
import ProgramHarness
import TestSupport
import Testing

/// How long the daemon is soaked: `TRACE_SOAK=3600` in seconds (`make soak`), ten minutes in `make torture`, two in
/// `make test-slow`; in seconds, nothing is seen of what grows.
private let soakSeconds =
    ProcessInfo.processInfo.environment["TRACE_SOAK"].flatMap { Int($0) }
    ?? Torture.size(full: 600, slow: 120, sample: 0)

/// Everything at once and for long: writers of all kinds, reloads, roots that are unmounted, a full disk, kills. What the
/// daemon needs does not grow, and at the end it knows what a fresh reading of the files would.
@Suite(
    .enabled(if: soakSeconds > 0 && Namespace.mounting != nil, "TRACE_SOAK=SECONDS soaks; it needs mounting"))
struct SoakTests {
    @Test func `memory and descriptors stay flat, and the index equals a fresh one at the end`() throws {
        let soak = try Soak()
        let start = ContinuousClock.now
        let end = start + .seconds(soakSeconds)
        // A killed daemon begins anew, so that what grows would not show: kills come last.
        let flatEnd = start + .seconds(soakSeconds) * 0.85
        while .now < end {
            try soak.step(kills: .now > flatEnd)
            if .now <= flatEnd { try soak.sample(at: start.duration(to: .now) / start.duration(to: flatEnd)) }
        }
        try soak.settle()
        print("soak: \(soakSeconds) s, TRACE_SEED=\(Torture.seed): \(soak.journal.report)")
        let before = try #require(soak.journal.figures(0.2..<0.5))
        let after = try #require(soak.journal.figures(0.7..<1.01))
        #expect(Double(after.memory) <= Double(before.memory) * 1.2 + 4096, "\(soak.journal.report)")
        #expect(after.descriptors <= before.descriptors + 4, "\(soak.journal.report)")
        #expect(soak.crashes == [], "\(soak.crashes)")
        #expect(
            try soak.inside("index", "verify", "-v")
                == Outcome(soak.verified, errors: "answered from the index\n"))
        let (status, work) = soak.daemon.terminate()
        #expect(status == 0 && work < .seconds(1), "\(status) after \(work) of the processor")
    }
}

/// The daemon that is soaked: a tree of sessions that dice change, a disk that comes and goes, and a state directory on a
/// small disk.
private final class Soak {
    private let scratch: Scratch
    private let tiny: TinyDisk
    private var tree: RandomTree
    private var dice = Torture.dice("soak")
    private(set) var daemon: DaemonProcess
    private(set) var journal = SoakJournal()
    private var isMounted = true
    private var hasExtra = false
    private(set) var crashes: [String] = []
    private var marks = 0

    private static let environment = [
        "TRACE_ROOTS": "", "TRACE_LOG_LEVEL": "notice", "TRACE_SETTLE_TIME": "300ms",
        "TRACE_RECONCILE_INTERVAL": "20s",
    ]

    init() throws {
        scratch = try Scratch()
        scratch.patience = .seconds(300)
        for name in ["disk", "other", "extra", "config/trace"] { try scratch.makeDirectory(name) }
        tiny = try TinyDisk(scratch, size: "96m")
        tree = try RandomTree(scratch, Torture.dice("soaked tree"))
        for number in 0..<20 {
            try scratch.session("made", id: 100 + number, title: "Disk \(number)")
            #expect(try scratch.shell("mv sessions/made disk/s\(number)") == Outcome())
        }
        try scratch.session("made", id: 200, title: "Extra")
        #expect(try scratch.shell("mv sessions/made extra/e") == Outcome())
        try Self.configure(scratch, hasExtra: false)
        #expect(try tiny.run("mount --bind '\(scratch.path)/disk' '\(scratch.path)/other'") == Outcome())
        daemon = try Self.start(scratch, tiny)
    }

    private static func start(_ scratch: Scratch, _ tiny: TinyDisk, awaitReady: Bool = true) throws
        -> DaemonProcess
    {
        try DaemonProcess(
            in: URL(filePath: scratch.path), environment: environment, under: tiny.entering,
            awaitReady: awaitReady)
    }

    private static func configure(_ scratch: Scratch, hasExtra: Bool) throws {
        let roots = ["sessions", "other"] + (hasExtra ? ["extra"] : [])
        try scratch.write(
            "roots:\n" + roots.map { "  - \(scratch.path)/\($0)\n" }.joined(), to: "config/trace/config.yaml")
    }

    /// Runs `trace` where the daemon lives.
    func inside(_ arguments: String...) throws -> Outcome {
        try tiny.trace(arguments, Self.environment)
    }

    // MARK: - What happens

    func step(kills: Bool) throws {
        journal.note("changes")
        _ = tree.step()
        switch Int.random(in: 0..<600, using: &dice) {
        case 0..<60: try append()
        case 60..<75: try command("mark", "\(scratch.path)/other/s\(marks % 20)", "--offset", "\(marks)")
        case 75..<85:
            try command(
                "queue", "add", "marker", "--session", number(100 + marks % 20), "--offset", "\(marks)")
        case 85..<88: try command("search", "drop", "-q")
        case 88..<91: try reload()
        case 91..<93: try toggleMount()
        case 93:
            try tiny.toggleFull()
            journal.note("disks filled and freed")
        case 94..<97 where kills: try kill()
        case 97..<200: usleep(UInt32.random(in: 0..<200_000, using: &dice))
        default: usleep(UInt32.random(in: 0..<20_000, using: &dice))
        }
        if !daemon.isRunning {
            crashes.append("exit status \(daemon.waitForExit())\n\(daemon.log.suffix(1000))")
            daemon = try Self.start(scratch, tiny, awaitReady: false)
        }
    }

    /// - Parameter when: What part of the time has gone.
    func sample(at when: Double) throws { try journal.sample(daemon, at: when) }

    private func append() throws {
        marks += 1
        let file = "\(scratch.path)/disk/s\(marks % 20)/markers.jsonl"
        let handle = try FileHandle(forUpdating: URL(filePath: file))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(marker(1_000_000 + marks, at: marks, "\"label\":\"drop\",").utf8))
        try handle.close()
        journal.note("appends")
    }

    /// On a full disk and an unmounted one a command may fail; it says so then.
    private func command(_ arguments: String...) throws {
        marks += 1
        let outcome = try tiny.trace(arguments, Self.environment)
        // 1 is an answer: a search that finds nothing says no more.
        if outcome.status > 1, outcome.status >= 128 || !outcome.errors.contains("error: ") {
            crashes.append("\(arguments): \(outcome)")
        }
        journal.note("commands")
    }

    private func reload() throws {
        switch Int.random(in: 0..<3, using: &dice) {
        // One that has just been started reads it for the first time, and rightly ends.
        case 0 where daemon.log.contains(" ready "):
            try scratch.write("roots: [", to: "config/trace/config.yaml")
        default:
            hasExtra.toggle()
            try Self.configure(scratch, hasExtra: hasExtra)
        }
        Foundation.kill(daemon.id, SIGHUP)
        journal.note("reloads")
        usleep(50_000)
        try Self.configure(scratch, hasExtra: hasExtra)
    }

    private func toggleMount() throws {
        let script =
            isMounted
            ? "umount '\(scratch.path)/other'"
            : "mount --bind '\(scratch.path)/disk' '\(scratch.path)/other'"
        // Somebody may have it open at this moment.
        guard try tiny.run(script).status == 0 else { return }
        isMounted.toggle()
        journal.note("mounts and unmounts")
    }

    private func kill() throws {
        daemon.kill()
        daemon = try Self.start(scratch, tiny, awaitReady: false)
        journal.note("kills")
    }

    // MARK: - The end

    /// Puts everything in order and waits until the daemon has brought the index up to the files.
    func settle() throws {
        if tiny.isFull { try tiny.toggleFull() }
        if !isMounted { try toggleMount() }
        try #require(isMounted)
        hasExtra = true
        try Self.configure(scratch, hasExtra: true)
        Foundation.kill(daemon.id, SIGHUP)
        var last = Outcome()
        do {
            try soon("the index is up to date", within: .seconds(600)) {
                usleep(200_000)
                last = try inside("index", "status", "--json")
                return last.output.contains("\"lagging\":false},\"lagging\":0,")
                    && last.output.contains("/extra\"")
            }
        } catch { throw NeverCameTrue(what: "\(error)\n\(last)\n\(daemon.log.suffix(3000))") }
        let sessions = last.output.firstMatch(of: #/"sessions":(\d+)/#).flatMap { Int($0.output.1) } ?? 0
        verified = "ok: \(sessions) sessions match their files\n"
        // Nothing that was queued is lost: it stands in its session, and the queue is empty.
        let waiting = try inside("queue", "list")
        #expect(waiting.output.isEmpty && waiting.status == 0, "\(waiting)")
    }

    /// What `trace index verify` is to say.
    private(set) var verified = ""
}
