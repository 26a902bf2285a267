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

    /// Many markers, so that reading them takes some seconds.
    private func longMarkers(_ count: Int = 400_000) -> String {
        (0..<count).map { marker(1_000_000 + $0, at: $0, "\"label\":\"riff\",") }.joined()
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
            i=$((i + 1)); [ $i -gt 400 ] && exit; sleep 0.05; done) | sqlite3 state/index.sqlite
            """, log: "holder.log")
        try soon("the database is held") { scratch.exists("held") }
        try soon("the self-check fails") { daemon.log.contains("self-check failed: the index") }
        listener.empty()
        let silence = ContinuousClock.now
        while silence.duration(to: .now) < .seconds(2) {
            #expect(listener.nextIfAny()?.hasPrefix("WATCHDOG") != true)
            usleep(20_000)
        }
        let status = try scratch.trace("status")
        #expect(status.output.contains("\nhealth:   the self-check failed: the index"), "\(status)")

        try scratch.write("", to: "free")
        _ = try holder.wait()
        try listener.skip(to: "WATCHDOG=1")
        try soon("it says so") { daemon.log.contains("self-check passed again") }
        #expect(!(try scratch.trace("status").output.contains("health:")))
        #expect(daemon.terminate().status == 0)
    }

    @Test func `another process's watchdog is not fed`() throws {
        let listener = try NotifyListener(in: directory)
        let daemon = try daemon(listener, ["WATCHDOG_USEC": "200000", "WATCHDOG_PID": "1"])
        try listener.skip(to: "READY=1")
        usleep(600_000)
        #expect(listener.empty().filter { $0.contains("WATCHDOG") } == [])
        #expect(daemon.terminate().status == 0)
    }

    // MARK: - Stopping

    @Test func `in the middle of a cold build it asks for more time, and stops within a second`() throws {
        try scratch.session("a", markers: longMarkers())
        let listener = try NotifyListener(in: directory)
        let daemon = try daemon(listener, awaitReady: false)
        #expect(try listener.next().hasPrefix("EXTEND_TIMEOUT_USEC=60000000\nSTATUS="))
        try soon("it writes the index") { scratch.exists("state/index.sqlite-wal") }
        usleep(500_000)
        let (status, took) = daemon.terminate()
        #expect(status == 0)
        #expect(took < .seconds(1), "\(took)")
        #expect(!daemon.log.contains(" ready "), "it was too fast for this test")
        #expect(!daemon.log.contains("error"), "\(daemon.log)")
        #expect(listener.empty().contains { $0.hasPrefix("STOPPING=1") })
        #expect(try scratch.shell("sqlite3 state/index.sqlite 'SELECT count(*) FROM record'").output == "0\n")
    }

    @Test func `in the middle of a drain it stops within a second, and nothing is half done`() throws {
        try scratch.session("a")
        try scratch.makeDirectory("state/queue")
        for id in 0..<300 {
            let entry = """
                {"id":"\(number(5000 + id))","kind":"marker","session_id":"\(number(1))",\
                "created_at":"2026-02-04T20:01:00.000Z","payload":{"id":"\(number(5000 + id))","offset_ms":\(id),\
                "created_at":"2026-02-04T20:01:00.000Z","source":"user"}}
                """
            try scratch.write(entry, to: "state/queue/\(number(5000 + id)).json")
        }
        let listener = try NotifyListener(in: directory)
        let first = try daemon(listener, awaitReady: false)
        try soon("the drain is under way") { scratch.exists("state/done/\(number(5000)).json") }
        let (status, took) = first.terminate()
        #expect(status == 0)
        #expect(took < .seconds(1), "\(took)")
        #expect(try scratch.names(in: "state/queue").count > 0, "it was too fast for this test")
        #expect(
            try scratch.names(in: "sessions/a") == [
                "markers.jsonl", "media", "session.json", "timeline.jsonl",
            ])

        let second = try daemon(listener)
        try soon("the queue is empty") { try scratch.names(in: "state/queue").isEmpty }
        let lines = try scratch.text("sessions/a/markers.jsonl", filled: false).split(separator: "\n")
        #expect(lines.count == 300 && Set(lines).count == 300)
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
            under: [
                "/usr/bin/strace", "-D", "-f", "-qq", "-o", "\(scratch.path)/calls", "-e", "trace=getdents64",
                "-e", "inject=getdents64:delay_enter=500000:when=\(first)+",
            ], awaitReady: false)
        try soon("it is at it") {
            let calls = (try? scratch.text("calls", filled: false)) ?? ""
            return calls.split(separator: "\n").count { $0.contains("DELAYED") } >= 2
        }
        let (status, took) = slow.terminate()
        #expect(status == 0)
        // The listing of one directory, which is two calls, can't be ended.
        #expect(took < .seconds(2), "\(took)")
        #expect(!slow.log.contains(" ready ") && !slow.log.contains("error"), "\(slow.log)")
        let count = try scratch.shell("sqlite3 state/index.sqlite 'SELECT count(*) FROM source'").output
        #expect(count == "20\n")
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

    @Test func `a reload in the middle of the first scan does not wait for it`() throws {
        try scratch.makeDirectory("config/trace")
        func configure(_ root: String) throws {
            try scratch.write("roots: [\(scratch.path)/\(root)]\n", to: "config/trace/config.yaml")
        }
        try scratch.session("only", id: 99)
        for name in ["one", "many"] { try scratch.makeDirectory(name) }
        #expect(try scratch.shell("mv sessions/only one/") == Outcome())
        for number in 1...12 {
            try scratch.session("s\(number)", id: number, markers: longMarkers(10_000))
        }
        #expect(try scratch.shell("mv sessions/s* many/") == Outcome())
        try configure("many")
        let listener = try NotifyListener(in: directory)
        let daemon = try daemon(listener, ["TRACE_ROOTS": ""], awaitReady: false)
        func addedCount() -> Int { daemon.log.split(separator: "\n").count { $0.contains("outcome=added") } }
        try soon("it scans") { addedCount() > 0 }
        try configure("one")
        kill(daemon.id, SIGHUP)
        try listener.skip(to: "RELOADING=1")
        var message = try listener.next()
        while message.hasPrefix("EXTEND_TIMEOUT_USEC=") { message = try listener.next() }
        #expect(message == "READY=1\nSTATUS=watching 1 session")
        #expect((2..<13).contains(addedCount()), "the scan was left: \(addedCount())")

        // What was left is done when it is asked for again.
        try configure("many")
        kill(daemon.id, SIGHUP)
        try listener.skip(to: "RELOADING=1")
        #expect(try listener.next() == "READY=1\nSTATUS=watching 12 sessions")
        #expect(addedCount() == 13)
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
        try listener.skip(to: "READY=1\nSTATUS=watching 1 session")

        // A root and a spool more, and less in the log.
        try configure(
            "roots: [\(scratch.path)/one, \(scratch.path)/two]\nspools: [\(scratch.path)/phone]\nlog_level: debug\n"
        )
        kill(daemon.id, SIGHUP)
        let reloading = try listener.next()
        #expect(
            reloading.wholeMatch(of: #/RELOADING=1\nMONOTONIC_USEC=\d+\nSTATUS=.*/#) != nil, "\(reloading)")
        #expect(try listener.next() == "READY=1\nSTATUS=watching 2 sessions")
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
        #expect(try listener.next() == "READY=1\nSTATUS=watching 1 session")
        let other = entry.replacing(number(50), with: number(51)).replacing(number(2), with: number(1))
        try scratch.write(other, to: "phone/\(number(51)).json")
        usleep(500_000)
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
        try scratch.session("a", markers: longMarkers())
        try scratch.makeDirectory("config/trace")
        let listener = try NotifyListener(in: directory)
        let daemon = try daemon(listener, awaitReady: false)
        try soon("it writes the index") { scratch.exists("state/index.sqlite-wal") }
        try scratch.write("root: [/x]\n", to: "config/trace/config.yaml")
        kill(daemon.id, SIGHUP)
        try listener.skip(to: "RELOADING=1")
        #expect(
            try listener.next().hasPrefix(
                "STATUS=keeping the previous configuration: \(scratch.path)/config/trace/config.yaml:1: unknown key 'root'"
            ))
        #expect(!daemon.log.contains(" ready "), "it was too fast for this test")
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
        #expect(daemon.log.contains(" session=\(scratch.path)/sessions/a\n"), "\(daemon.log)")
        #expect(
            daemon.log.contains(#" session="\#(scratch.path)/sessions/My \"set\" outcome=x""# + "\n"),
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
