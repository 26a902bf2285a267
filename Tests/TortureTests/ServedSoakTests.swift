import Foundation
import Glibc
import ProgramHarness
import TestSupport
import Testing

/// How long it is soaked: `TRACE_SOAK=3600` in seconds (`make soak`), ten minutes in `make torture`, two in `make test-slow`, a sample in `make test`.
private let soakSeconds =
    ProcessInfo.processInfo.environment["TRACE_SOAK"].flatMap { Int($0) }
    ?? Torture.size(full: 600, slow: 120, sample: 25)

/// Twenty clients of all kinds at the HTTP API (Tests/Soak/clients.py), revocations, reloads, full disks and kills: what the daemon needs
/// does not grow, and what it has acknowledged stands once.
///
/// Source: docs/http.md#writing-so-that-nothing-is-lost-or-doubled.
@Suite(.enabled(if: Namespace.mounting != nil, "mounting is not permitted here"))
struct ServedSoakTests {
    @Test func `twenty clients for long leave each record once, and memory and descriptors flat`() throws {
        let soak = try ServedSoak()
        let start = ContinuousClock.now
        let end = start + .seconds(soakSeconds)
        // What grows would not show in a daemon that was killed: kills come last.
        let flatEnd = start + .seconds(soakSeconds) * 0.8
        while .now < end {
            try soak.step(kills: .now > flatEnd)
            if .now <= flatEnd { try soak.sample(at: start.duration(to: .now) / start.duration(to: flatEnd)) }
        }
        let report = try soak.end()
        print(
            "soak of the HTTP API: \(soakSeconds) s, TRACE_SEED=\(Torture.seed): \(soak.journal.report); \(report.counts)"
        )
        #expect(report.complaints == [], "\(report.complaints)")
        #expect(soak.crashes == [], "\(soak.crashes)")
        #expect((report.counts["turns"] ?? 0) > 0)
        try soak.expectOnce(report.markers, in: "markers.jsonl")
        try soak.expectOnce(report.notes, in: "voice_notes.jsonl")
        // A sample is over before what is kept ready, such as statements and pages, has its size.
        if soakSeconds >= 300 {
            let before = try #require(soak.journal.figures(0.2..<0.5))
            let after = try #require(soak.journal.figures(0.7..<1.01))
            #expect(Double(after.memory) <= Double(before.memory) * 1.2 + 4096, "\(soak.journal.report)")
            #expect(after.descriptors <= before.descriptors + 8, "\(soak.journal.report)")
        }
        #expect(soak.daemon.terminate().status == 0)
    }
}

/// A daemon whose sessions are on a small disk, and the clients that use it.
private final class ServedSoak {
    private let scratch: Scratch
    private let disk: TinyDisk
    private let port: Int
    private(set) var daemon: DaemonProcess
    private let clients: ChildProcess
    private var dice = Torture.dice("served soak")
    private(set) var journal = SoakJournal()
    private(set) var crashes: [String] = []

    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../..").standardized

    /// What the clients tell in the end.
    struct Report {
        var markers: [String]
        var notes: [String]
        var complaints: [String]
        var counts: [String: Int]
    }

    init() throws {
        scratch = try Scratch()
        scratch.patience = .seconds(700)
        try scratch.session("set", id: 1, markers: marker(10, at: 1000))
        try scratch.session("other", id: 2)
        disk = try TinyDisk(scratch, "sessions", size: "2g")
        for name in ["set", "other"] {
            try FileManager.default.copyItem(
                atPath: "\(scratch.sessions)/\(name)", toPath: "\(disk.path)/\(name)")
        }
        try FileManager.default.copyItem(
            at: Self.root.appending(path: "sessions-sample/sessions/2026-02-04-late-set"),
            to: URL(filePath: "\(disk.path)/late"))
        port = try FreePort.find()
        daemon = try Self.start(scratch, disk, port)
        var tokens: [String] = []
        for number in 0..<4 {
            tokens.append(try Self.newToken(in: scratch, name: "device \(number)"))
        }
        // Short enough that all that is measured holds many, long enough that a session has a thousand markers.
        let turn = min(120, soakSeconds / 3)
        let script = Self.root.appending(path: "Tests/Soak/clients.py").path
        clients = try scratch.start(
            "exec python3 -B \(script) \(port) stop \(Torture.seed) \(turn) \(tokens.joined(separator: " "))",
            log: "clients.json")
    }

    private static func start(
        _ scratch: Scratch, _ disk: TinyDisk, _ port: Int, awaitReady: Bool = true
    ) throws -> DaemonProcess {
        try DaemonProcess(
            in: URL(filePath: scratch.path),
            environment: [
                "TRACE_HTTP_LISTEN": "127.0.0.1:\(port)", "TRACE_HTTP_TRUSTED_PROXIES": "127.0.0.1",
                "TRACE_LOG_LEVEL": "notice", "TRACE_RECONCILE_INTERVAL": "20s",
            ], under: disk.entering, awaitReady: awaitReady)
    }

    private static func newToken(in scratch: Scratch, name: String) throws -> String {
        let outcome = try scratch.trace("token", "add", "--name", name, "--scope", "admin", "--json")
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        return try #require(object?["token"] as? String, "\(outcome)")
    }

    // MARK: - What happens

    func step(kills: Bool) throws {
        switch Int.random(in: 0..<100, using: &dice) {
        case 0..<10: try revoke()
        case 10..<15:
            Foundation.kill(daemon.id, SIGHUP)
            journal.note("reloads")
        case 15..<20:
            try disk.toggleFull()
            journal.note("disks filled and freed")
        case 20..<23 where kills:
            daemon.kill()
            daemon = try Self.start(scratch, disk, port, awaitReady: false)
            journal.note("kills")
        default: break
        }
        usleep(UInt32.random(in: 0..<400_000, using: &dice))
        if !daemon.isRunning {
            crashes.append("exit status \(daemon.waitForExit())\n\(daemon.log.suffix(1000))")
            daemon = try Self.start(scratch, disk, port, awaitReady: false)
        }
    }

    /// - Parameter when: What part of the time has gone.
    func sample(at when: Double) throws { try journal.sample(daemon, at: when) }

    /// Makes a token, follows events with it, and takes it back: the stream ends.
    private func revoke() throws {
        journal.note("revocations")
        let name = "guest \(journal.count("revocations"))"
        let secret = try Self.newToken(in: scratch, name: name)
        let client = try? WireClient(port: port)
        try? client?.send(
            "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(secret)\r\n\r\n".utf8)
        let answer = try? client?.head()
        let revoked = try scratch.trace("token", "revoke", name)
        #expect(revoked.status == 0, "\(revoked)")
        guard let client, answer?.status == 200 else { return }
        let began = ContinuousClock.now
        try client.waitForCloseOrReset()
        // A second as it is promised, and what else a busy machine has to do.
        #expect(ContinuousClock.now - began < .seconds(10))
    }

    // MARK: - The end

    /// Lets the clients finish what they have begun, and waits until nothing waits.
    func end() throws -> Report {
        if disk.isFull { try disk.toggleFull() }
        try scratch.write("", to: "stop")
        let status = try clients.wait(atMost: .seconds(700))
        // As it is: in what the scratch directory gives, all ids are one.
        let text = try String(contentsOfFile: "\(scratch.path)/clients.json", encoding: .utf8)
        #expect(status == 0, "\(text.suffix(2000))")
        let object = try #require(
            JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text.suffix(2000))")
        let acknowledged = object["acknowledged"] as? [String: [String]] ?? [:]
        try soon("nothing waits any more: \(daemon.log.suffix(1000))", within: .seconds(300)) {
            _ = try disk.trace(["queue", "flush"])
            usleep(200_000)
            return try disk.trace(["queue", "list"]).output.isEmpty
        }
        try soon("the index equals a fresh one", within: .seconds(300)) {
            usleep(200_000)
            return try disk.trace(["index", "verify"]).status == 0
        }
        return Report(
            markers: acknowledged["markers"] ?? [], notes: acknowledged["notes"] ?? [],
            complaints: object["complaints"] as? [String] ?? [],
            counts: object["counts"] as? [String: Int] ?? [:])
    }

    /// Expects that each of these records stands in exactly one line of the files of this name.
    func expectOnce(_ ids: [String], in name: String) throws {
        #expect(!ids.isEmpty, "the clients have written")
        var lines: [String: Int] = [:]
        for session in try FileManager.default.contentsOfDirectory(atPath: disk.path) {
            let file = "\(disk.path)/\(session)/\(name)"
            // The sample's session has records that stand twice because people wrote them so.
            guard session != "late", FileManager.default.fileExists(atPath: file) else { continue }
            let text = try String(contentsOfFile: file, encoding: .utf8)
            for line in text.split(separator: "\n") {
                // A kill may leave the beginning of a line, which stands as it is and is found by 'validate'; what it was
                // about to be was not acknowledged, or is written whole after it.
                let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                if let id = object?["id"] as? String { lines[id, default: 0] += 1 }
            }
        }
        let lost = ids.filter { lines[$0] == nil }
        #expect(lost == [], "\(lost.count) of \(ids.count) are lost")
        let doubled = lines.filter { $0.value > 1 }.keys.sorted()
        #expect(doubled == [], "\(doubled.count) stand more than once")
    }
}

extension WireClient {
    /// As ``waitForClose()``, also for a connection that is cut.
    fileprivate func waitForCloseOrReset() throws {
        do { try waitForClose() } catch let error as POSIXError where error.code == .ECONNRESET {}
    }
}
