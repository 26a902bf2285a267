import Foundation
import ProgramHarness
import Testing
import TraceText

/// `traced` as a service: what it tells a stand-in for the service manager, reloads, and its log.
@Suite(.serialized) struct ServiceTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private var directory: URL { URL(filePath: scratch.path) }

    /// Whether this machine has strace, and allows it.
    private static let canTrace =
        (try? Scratch().run("/usr/bin/strace", ["-o", "/dev/null", "true"]).status) == 0

    /// Makes a file of a session so long that nobody ever comes to its end: a hole of a terabyte, which takes no room on the
    /// disk.
    private func makeEndless(_ session: String) throws {
        #expect(try scratch.shell("truncate -s 1T '\(session)/markers.jsonl'") == Outcome())
    }

    /// Waits until a daemon is in the midst of a file without end.
    private func awaitReading(_ daemon: DaemonProcess) throws {
        try soon("it reads that file") { daemon.bytesRead > 1 << 24 }
    }

    private func daemon(
        _ listener: NotifyListener, _ environment: [String: String] = [:], awaitReady: Bool = true
    ) throws -> DaemonProcess {
        let more = ["NOTIFY_SOCKET": listener.path, "TRACE_SETTLE_TIME": "300ms"]
        return try DaemonProcess(
            in: directory, environment: more.merging(environment) { $1 }, awaitReady: awaitReady)
    }

    // MARK: - Watchdog

    @Test
    func `a daemon whose database hangs stops feeding the watchdog, and feeds it again when it answers`()
        throws
    {
        try scratch.session("a")
        let listener = try NotifyListener(in: directory)
        let daemon = try daemon(listener, ["WATCHDOG_USEC": "2000000"])
        try listener.skip(to: "WATCHDOG=1")
        try listener.skip(to: "WATCHDOG=1")

        // Another process takes the right to write and does not give it back.
        let holder = try scratch.start(
            """
            (echo 'BEGIN EXCLUSIVE;'; echo '.shell touch held'; i=0; while [ ! -e free ]; do
            i=$((i + 1)); [ $i -gt 4000 ] && exit; sleep 0.05; done) | sqlite3 state/index.sqlite
            """, log: "holder.log")
        try soon("the database is held") { scratch.exists("held") }
        try soon("the self-check fails") { daemon.log.contains("self-check failed: the index") }
        try listener.skip(to: "STATUS=self-check failed")
        let status = try scratch.trace("status")
        #expect(status.output.contains("\nhealth:   the self-check failed: the index"), "\(status)")

        try scratch.write("", to: "free")
        _ = try holder.wait()
        // Nothing was said meanwhile.
        var messages = [try listener.next()]
        while messages.last != "STATUS=running again" { messages.append(try listener.next()) }
        #expect(messages.count { $0.contains("WATCHDOG") } == 1, "\(messages)")
        try soon("it says so") { daemon.log.contains("self-check passed again") }
        #expect(!(try scratch.trace("status").output.contains("health:")))
        #expect(daemon.terminate().status == 0)
    }

    @Test func `another process's watchdog is not fed`() throws {
        let listener = try NotifyListener(in: directory)
        let daemon = try daemon(
            listener,
            [
                "WATCHDOG_USEC": "20000", "WATCHDOG_PID": "1", "TRACE_RECONCILE_INTERVAL": "1s",
                "TRACE_LOG_LEVEL": "debug",
            ])
        try listener.skip(to: "READY=1")
        try soon("everything is scanned three times") {
            daemon.log.split(separator: "\n").count { $0.contains(" debug reconciled ") } >= 3
        }
        #expect(listener.empty().filter { $0.contains("WATCHDOG") } == [])
        #expect(daemon.terminate().status == 0)
    }

    // MARK: - Stopping

    @Test func `in the middle of a cold build it asks for more time, and stops when it is asked to`() throws {
        try scratch.session("a", markers: (0..<2000).map { marker(1000 + $0, at: $0) }.joined())
        try makeEndless("sessions/a")
        let listener = try NotifyListener(in: directory)
        let daemon = try daemon(listener, awaitReady: false)
        #expect(try listener.next().hasPrefix("EXTEND_TIMEOUT_USEC=60000000\nSTATUS="))
        try soon("it writes the index") { scratch.exists("state/index.sqlite-wal") }
        try awaitReading(daemon)
        let (status, work) = daemon.terminate()
        #expect(status == 0)
        // To its end, it would read for an hour.
        #expect(work < .seconds(10), "\(work)")
        #expect(!daemon.log.contains(" ready "))
        #expect(!daemon.log.contains("error"), "\(daemon.log)")
        #expect(listener.empty().contains { $0.hasPrefix("STOPPING=1") })
        #expect(try scratch.shell("sqlite3 state/index.sqlite 'SELECT count(*) FROM record'").output == "0\n")
    }

    /// Each rename takes a second, so that the drain has only just begun when it is to stop.
    @Test(.enabled(if: canTrace, "needs strace"))
    func `in the middle of a drain it stops, and nothing is half done`() throws {
        try scratch.session("a")
        try scratch.makeDirectory("state/queue")
        let count = 100
        for id in 0..<count {
            let entry = """
                {"id":"\(number(5000 + id))","kind":"marker","session_id":"\(number(1))",\
                "created_at":"2026-02-04T20:01:00.000Z","payload":{"id":"\(number(5000 + id))","offset_ms":\(id),\
                "created_at":"2026-02-04T20:01:00.000Z","source":"user"}}
                """
            try scratch.write(entry, to: "state/queue/\(number(5000 + id)).json")
        }
        let listener = try NotifyListener(in: directory)
        let first = try DaemonProcess(
            in: directory, under: Self.slow("rename,renameat,renameat2", by: 1_000_000, in: scratch),
            awaitReady: false)
        try soon("the drain is under way") { scratch.exists("state/done/\(number(5000)).json") }
        let done = try scratch.names(in: "state/done").count
        #expect(first.terminate().status == 0)
        // What has begun is ended.
        #expect(try scratch.names(in: "state/done").count <= done + 3)
        #expect(try scratch.names(in: "state/queue").count >= count - done - 3)
        #expect(
            try scratch.names(in: "sessions/a") == [
                "markers.jsonl", "media", "session.json", "timeline.jsonl",
            ])

        let second = try daemon(listener)
        try soon("the queue is empty") { try scratch.names(in: "state/queue").isEmpty }
        let lines = try scratch.text("sessions/a/markers.jsonl", filled: false).split(separator: "\n")
        #expect(lines.count == count && Set(lines).count == count)
        #expect(second.terminate().status == 0)
    }

    /// Each call that lists a directory takes half a second: from the first of a thread on, when the watches are set; or so
    /// late that only the scan, which looks through the second root once more, comes to it.
    @Test(.enabled(if: canTrace, "needs strace"), arguments: [1, 100])
    func `while it looks through a slow disk it stops in time, and forgets nothing`(first: Int) throws {
        try scratch.makeDirectory("sessions/nested")
        for number in 1...20 { try scratch.session("nested/s\(number)", id: number) }
        let roots = ["TRACE_ROOTS": "\(scratch.sessions):\(scratch.sessions)/nested"]
        let quick = try DaemonProcess(in: directory, environment: roots)
        #expect(quick.terminate().status == 0)
        let slow = try DaemonProcess(
            in: directory, environment: roots,
            under: Self.slow("getdents64", by: 500_000, calls: "\(first)+", in: scratch), awaitReady: false)
        func delays() -> Int {
            let calls = (try? scratch.text("calls", filled: false)) ?? ""
            return calls.split(separator: "\n").count { $0.contains("DELAYED") }
        }
        try soon("it is at it") { delays() >= 2 }
        let before = delays()
        #expect(slow.terminate().status == 0)
        // The listing of one directory, which is two calls, can't be ended, nor what it was at meanwhile.
        #expect(delays() <= before + 4)
        #expect(!slow.log.contains(" ready ") && !slow.log.contains("error"), "\(slow.log)")
        let count = try scratch.shell("sqlite3 state/index.sqlite 'SELECT count(*) FROM source'").output
        #expect(count == "20\n")
    }

    /// What starts a daemon some of whose calls take long; `calls` tells of them.
    ///
    /// - Parameter calls: Which ones of each thread, as `strace -e inject=…:when=` takes it.
    private static func slow(
        _ names: String, by microseconds: Int, calls: String = "1+", in scratch: Scratch
    ) -> [String] {
        [
            "/usr/bin/strace", "-D", "-f", "-qq", "-o", "\(scratch.path)/calls", "-e", "trace=\(names)", "-e",
            "inject=\(names):delay_enter=\(microseconds):when=\(calls)",
        ]
    }

    // MARK: - Reloading

    @Test func `a request to reload that comes before the configuration is read does not end it`() throws {
        // So long that reading it takes a while; the mistake at its end is what ends traced.
        let roots = (0..<40_000).map { "  - /r\($0)\n" }.joined()
        try scratch.write("roots:\n\(roots)root: /x\n", to: "long.yaml")
        let traced = try scratch.start(
            "exec '\(Binaries.url("traced").path)' --config long.yaml", log: "traced.log")
        try soon("it ignores the signal, or catches it") {
            let status = (try? scratch.run("/bin/cat", ["/proc/\(traced.id)/status"]).output) ?? ""
            return status.contains(#/^Sig(Ign|Cgt):\t[0-9a-f]*[13579bdf]$/#.anchorsMatchLineEndings())
        }
        kill(traced.id, SIGHUP)
        #expect(try traced.wait() == 78)
        #expect(try scratch.text("traced.log").contains("unknown key 'root'"))
    }

    /// Each listing of a directory takes a while at first, so that the scan lasts.
    @Test(.enabled(if: canTrace, "needs strace"))
    func `a reload in the middle of the first scan does not wait for it`() throws {
        try scratch.makeDirectory("config/trace")
        func configure(_ root: String) throws {
            try scratch.write("roots: [\(scratch.path)/\(root)]\n", to: "config/trace/config.yaml")
        }
        try scratch.session("only", id: 99)
        for name in ["one", "many"] { try scratch.makeDirectory(name) }
        #expect(try scratch.shell("mv sessions/only one/") == Outcome())
        let count = 20
        for number in 1...count { try scratch.session("s\(number)", id: number) }
        #expect(try scratch.shell("mv sessions/s* many/") == Outcome())
        try configure("many")
        let listener = try NotifyListener(in: directory)
        let daemon = try DaemonProcess(
            in: directory, environment: ["NOTIFY_SOCKET": listener.path, "TRACE_ROOTS": ""],
            under: Self.slow("getdents64", by: 60_000, calls: "1..90", in: scratch), awaitReady: false)
        func addedCount() -> Int { daemon.log.split(separator: "\n").count { $0.contains("outcome=added") } }
        try soon("it scans") { addedCount() > 0 }
        try configure("one")
        kill(daemon.id, SIGHUP)
        try listener.skip(to: "RELOADING=1")
        var message = try listener.next()
        while message.hasPrefix("EXTEND_TIMEOUT_USEC=") { message = try listener.next() }
        #expect(message == "READY=1\nSTATUS=watching 1 journal")
        #expect((2...count).contains(addedCount()), "the scan was left: \(addedCount())")

        // What was left is done when it is asked for again.
        try configure("many")
        kill(daemon.id, SIGHUP)
        try listener.skip(to: "RELOADING=1")
        #expect(try listener.next() == "READY=1\nSTATUS=watching \(count) journals")
        #expect(addedCount() == count + 1)
        #expect(daemon.terminate().status == 0)
        #expect(daemon.log.split(separator: "\n").count { $0.contains(" ready ") } == 2)
    }

    @Test func `a good configuration is taken over while it runs, and a bad one is told and left`() throws {
        try scratch.makeDirectory("one")
        try scratch.makeDirectory("two")
        let file = "config/trace/config.yaml"
        try scratch.makeDirectory("config/trace")
        func configure(_ text: String) throws {
            try scratch.write("settle_time: 300ms\n" + text, to: file)
        }
        try configure("roots: [\(scratch.path)/one]\n")
        try scratch.session("a", markers: marker(10, at: 5))
        #expect(try scratch.shell("mv sessions/a one/a") == Outcome())
        try scratch.session("b", id: 2, markers: marker(11, at: 6))
        #expect(try scratch.shell("mv sessions/b two/b") == Outcome())
        let listener = try NotifyListener(in: directory)
        let daemon = try daemon(listener, ["TRACE_ROOTS": ""])
        try listener.skip(to: "READY=1\nSTATUS=watching 1 journal")

        // A root and a spool more, and less in the log.
        try configure(
            "roots: [\(scratch.path)/one, \(scratch.path)/two]\nspools: [\(scratch.path)/phone]\nlog_level: debug\n"
        )
        kill(daemon.id, SIGHUP)
        let reloading = try listener.next()
        #expect(
            reloading.wholeMatch(of: #/RELOADING=1\nMONOTONIC_USEC=\d+\nSTATUS=.*/#) != nil, "\(reloading)")
        #expect(try listener.next() == "READY=1\nSTATUS=watching 2 journals")
        #expect(daemon.log.contains(" debug "))
        let entry = """
            {"id":"\(number(50))","kind":"marker","session_id":"\(number(2))","created_at":"2026-02-04T20:01:00.000Z",\
            "payload":{"id":"\(number(50))","offset_ms":5,"created_at":"2026-02-04T20:01:00.000Z","source":"user"}}
            """
        try scratch.write(entry, to: "phone/\(number(50)).tmp")
        #expect(
            try scratch.shell("mv phone/\(number(50)).tmp phone/\(number(50)).json") == Outcome())
        try soon("the new spool is drained") {
            try scratch.text("two/b/markers.jsonl", filled: false).contains(number(50))
        }

        // A mistake: told with its place, and everything goes on as before.
        try configure("root: [\(scratch.path)/one]\n")
        kill(daemon.id, SIGHUP)
        _ = try listener.skip(to: "RELOADING=1")
        #expect(
            try listener.next().hasPrefix(
                "READY=1\nSTATUS=keeping the previous configuration: \(scratch.path)/config/trace/config.yaml:2: unknown key"
            ))
        #expect(daemon.log.contains("config.yaml:2: unknown key 'root'"))
        #expect(daemon.isRunning)

        // A root less: its sessions get nothing any more.
        try configure("roots: [\(scratch.path)/two]\nspools: [\(scratch.path)/phone]\n")
        kill(daemon.id, SIGHUP)
        _ = try listener.skip(to: "RELOADING=1")
        #expect(try listener.next() == "READY=1\nSTATUS=watching 1 journal")
        let other = entry.replacing(number(50), with: number(51)).replacing(number(2), with: number(1))
        try scratch.write(other, to: "phone/\(number(51)).json")
        let later = entry.replacing(number(50), with: number(52))
        try scratch.write(later, to: "phone/\(number(52)).json")
        try soon("a later entry of another session is written") {
            try scratch.text("two/b/markers.jsonl", filled: false).contains(number(52))
        }
        #expect(try scratch.text("one/a/markers.jsonl", filled: false) == marker(10, at: 5))

        // The state directory stays until the next start.
        try configure("roots: [\(scratch.path)/two]\n")
        #expect(daemon.terminate().status == 0)
    }

    @Test func `a log of JSON keeps the parts of an error apart`() throws {
        try scratch.makeDirectory("sessions")
        try scratch.makeDirectory("config/trace")
        let listener = try NotifyListener(in: directory)
        let daemon = try daemon(listener, ["TRACE_LOG_FORMAT": "json"], awaitReady: false)
        try listener.skip(to: "READY=1")
        try scratch.write("rots: [/x]\n", to: "config/trace/config.yaml")
        kill(daemon.id, SIGHUP)
        try listener.skip(to: "RELOADING=1")
        _ = try listener.next()
        let line = try #require(
            daemon.log.split(separator: "\n").last { $0.contains("keeping the previous configuration") })
        let told = try #require(
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
        #expect(
            told["message"]
                == "keeping the previous configuration: \(scratch.path)/config/trace/config.yaml:1: unknown key 'rots' "
                + "[config-unknown-key]")
        #expect(told["code"] == "config-unknown-key")
        #expect(told["hint"]?.contains("roots") == true)
        #expect(daemon.terminate().status == 0)
    }

    @Test func `a bad configuration during the first scan does not make it ready`() throws {
        try scratch.session("a")
        try makeEndless("sessions/a")
        try scratch.makeDirectory("config/trace")
        let listener = try NotifyListener(in: directory)
        let daemon = try daemon(listener, awaitReady: false)
        try awaitReading(daemon)
        try scratch.write("root: [/x]\n", to: "config/trace/config.yaml")
        kill(daemon.id, SIGHUP)
        try listener.skip(to: "RELOADING=1")
        #expect(
            try listener.next().hasPrefix(
                "STATUS=keeping the previous configuration: \(scratch.path)/config/trace/config.yaml:1: unknown key 'root'"
            ))
        #expect(!daemon.log.contains(" ready "))
        #expect(listener.empty().filter { $0.contains("READY=1") } == [])
        #expect(daemon.terminate().status == 0)
    }

    @Test func `a root that stays away is told once, and when it is back`() throws {
        try scratch.session("a")
        #expect(try scratch.shell("mv sessions away") == Outcome())
        let listener = try NotifyListener(in: directory)
        let daemon = try daemon(
            listener, ["TRACE_RECONCILE_INTERVAL": "1s", "TRACE_LOG_LEVEL": "debug"])
        try soon("everything is scanned three times") {
            daemon.log.split(separator: "\n").count { $0.contains(" debug reconciled ") } >= 3
        }
        #expect(daemon.log.split(separator: "\n").count { $0.contains("root is offline") } == 1)
        #expect(try scratch.shell("mv away sessions") == Outcome())
        try soon("it is back") { daemon.log.contains(" notice root is online again ") }
        #expect(daemon.terminate().status == 0)
    }

    // MARK: - The log

    @Test(arguments: ["json", "journald", "text"])
    func `each line of the log has the form that was asked for`(format: String) throws {
        try scratch.session("a", markers: marker(10, at: 5))
        let daemon = try DaemonProcess(
            in: directory, arguments: ["--log-format", format, "--log-level", "debug"], awaitReady: false)
        try soon("it is ready") { daemon.log.contains("ready") && daemon.log.contains("indexed") }
        #expect(daemon.terminate().status == 0)
        for line in daemon.log.split(separator: "\n") {
            switch format {
            case "json":
                let object = try #require(
                    try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
                #expect(object["time"] is String && object["level"] is String && object["message"] is String)
            case "journald": #expect(line.wholeMatch(of: #/<[2-7]>[A-Za-z].*/#) != nil, "\(line)")
            default: #expect(line.wholeMatch(of: #/\d{4}-\S+Z (debug|info|notice) .*/#) != nil, "\(line)")
            }
        }
    }

    @Test func `a field of the log ends where it seems to end, and a hint stands on the line of its error`()
        throws
    {
        try scratch.session("a")
        try scratch.session("My \"set\" outcome=x")
        let daemon = try DaemonProcess(in: directory)
        try soon("both are told") {
            daemon.log.split(separator: "\n").count { $0.contains(" indexed ") } == 2
        }
        #expect(daemon.log.contains(" journal=\(scratch.path)/sessions/a "), "\(daemon.log)")
        #expect(
            daemon.log.contains(#" journal="\#(scratch.path)/sessions/My \"set\" outcome=x" "#),
            "\(daemon.log)")
        try scratch.makeDirectory("config/trace")
        try scratch.write("root: [/x]\n", to: "config/trace/config.yaml")
        kill(daemon.id, SIGHUP)
        try soon("the mistake is told") { daemon.log.contains("[config-unknown-key]; hint: ") }
        #expect(daemon.terminate().status == 0)
    }

    @Test func `the variable of the journal alone does not make standard error the journal`() throws {
        let daemon = try DaemonProcess(in: directory, environment: ["JOURNAL_STREAM": "8:12345"])
        #expect(daemon.log.hasPrefix("2"), "\(daemon.log)")
        #expect(daemon.terminate().status == 0)
        let journal = try DaemonProcess(
            in: directory,
            under: [
                "/bin/sh", "-c",
                "JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/2) exec \"$0\" \"$@\"",
            ], awaitReady: false)
        try soon("it is ready") { journal.log.contains(">ready ") }
        #expect(journal.log.hasPrefix("<"))
        #expect(journal.terminate().status == 0)
    }

    // MARK: - Metrics

    @Test func `metrics are written in Prometheus' format`() throws {
        try scratch.session("a", markers: marker(10, at: 5) + "{broken\n")
        try scratch.makeDirectory("state/queue")
        try scratch.write(
            """
            {"id":"\(number(50))","kind":"marker","session_id":"\(number(9))","created_at":"2026-02-04T20:01:00.000Z",\
            "payload":{"id":"\(number(50))","offset_ms":5,"created_at":"2026-02-04T20:01:00.000Z","source":"user"}}
            """, to: "state/queue/\(number(50)).json")
        let daemon = try DaemonProcess(
            in: directory,
            environment: [
                "TRACE_METRICS_FILE": "\(scratch.path)/traced.prom", "TRACE_METRICS_INTERVAL": "1s",
                "TRACE_SETTLE_TIME": "300ms",
            ])
        let handle = try FileHandle(forUpdating: URL(filePath: "\(scratch.sessions)/a/markers.jsonl"))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(marker(11, at: 6).utf8))
        _ = try scratch.trace("queue", "add", "marker", "--session", number(1), "--offset", "5")
        try soon("all has been counted") {
            let text = (try? scratch.text("traced.prom", filled: false)) ?? ""
            return text.contains("trace_queue_results_total{result=\"applied\"} 1")
                && text.contains("trace_index_lag_seconds_count")
                && !text.contains("trace_index_lag_seconds_count 0")
        }
        let text = try scratch.text("traced.prom", filled: false)
        for line in [
            "trace_sessions 1", "trace_queue_entries{spool=\"\(scratch.path)/state/queue\"} 1",
            "trace_findings{rule=\"json-syntax\",severity=\"error\"} 1", "trace_watch_overflows_total 0",
            "# TYPE trace_index_lag_seconds histogram", "trace_polled_directories 0",
        ] {
            #expect(text.contains(line + "\n"), "\(line)\n\(text)")
        }
        #expect(text.firstMatch(of: #/trace_fsyncs_total [1-9]/#) != nil)
        #expect(text.firstMatch(of: #/process_resident_memory_bytes [1-9]\d{6}/#) != nil)
        // Each line is a comment, or a name, its labels and a number; each metric has its help and its type once.
        for line in text.split(separator: "\n") {
            #expect(
                line.wholeMatch(of: #/# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"]*",?)+\})? [-+.\deE]+/#) != nil,
                "\(line)")
        }
        let types = text.split(separator: "\n").filter { $0.hasPrefix("# TYPE") }
        #expect(Set(types).count == types.count)
        #expect(
            try FileManager.default.attributesOfItem(atPath: "\(scratch.path)/traced.prom")[.posixPermissions]
                as? Int == 0o644)
        #expect(daemon.terminate().status == 0)
    }
}
