import Foundation
import Testing

/// What `traced` does about entries that can't be written yet: when it tries again, what it logs, and what goes on meanwhile.
@Suite(.serialized) struct QueueRecoveryTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.session("a")
        try scratch.session("b", id: 2)
    }

    private func daemon(under wrapper: [String] = [], _ more: [String: String] = [:]) throws -> DaemonProcess
    {
        let settings = ["TRACE_LOG_LEVEL": "debug", "TRACE_RECONCILE_INTERVAL": "1h"]
        return try DaemonProcess(
            in: URL(filePath: scratch.path), environment: settings.merging(more) { $1 }, under: wrapper)
    }

    /// Delivers a marker for a session as a sync tool does.
    private func deliver(_ id: Int, to session: Int = 1) throws {
        try scratch.write(
            """
            {"id":"\(number(id))","kind":"marker","session_id":"\(number(session))",\
            "created_at":"2026-02-04T20:01:00.000Z","payload":{"id":"\(number(id))","offset_ms":5,\
            "created_at":"2026-02-04T20:01:00.000Z","source":"user"}}
            """, to: "state/queue/.incoming.tmp")
        let queue = "\(scratch.state)/queue"
        guard rename("\(queue)/.incoming.tmp", "\(queue)/\(number(id)).json") == 0 else {
            throw POSIXError(.EIO)
        }
    }

    private func awaitApplied(_ id: Int, to session: String = "a") throws {
        try soon("\(id) stands in \(session)") {
            (try? scratch.text("sessions/\(session)/markers.jsonl", filled: false))?.contains(number(id))
                == true
        }
        try soon("\(id) is done with") { scratch.exists("state/done/\(number(id)).json") }
    }

    private func lines(_ daemon: DaemonProcess, with part: String) -> [Substring] {
        daemon.log.split(separator: "\n").filter { $0.contains(part) }
    }

    /// Tries that failed, as the log tells them at its most talkative.
    private func tries(_ daemon: DaemonProcess) -> Int { lines(daemon, with: "result=failed").count }

    // MARK: - Trying again

    /// A name in session `a`, and how it is broken and mended.
    enum Damage: String, CaseIterable {
        case directoryForMarkers = "rm markers.jsonl && mkdir markers.jsonl"
        case tornHeader = "cp session.json ../../whole && printf '{\"id\":' > session.json"

        var cure: String {
            switch self {
            case .directoryForMarkers: "rmdir markers.jsonl && : > markers.jsonl"
            case .tornHeader: "mv ../../whole session.json"
            }
        }
    }

    @Test(arguments: Damage.allCases)
    func `an entry that failed is written when its session is repaired`(_ damage: Damage) throws {
        #expect(try scratch.shell("cd sessions/a && \(damage.rawValue)") == Outcome())
        let daemon = try daemon()
        try deliver(50)
        // A session whose header can't be read has no id, so the entry waits for it. How soon the next try comes is told
        // by `RetryScheduleTests`.
        try soon("it was tried") {
            tries(daemon) >= 1 || damage == .tornHeader && daemon.log.contains("result=waiting")
        }
        #expect(try scratch.shell("cd sessions/a && \(damage.cure)") == Outcome())
        try awaitApplied(50)
        #expect(daemon.terminate().status == 0)
    }

    @Test(.enabled(if: getuid() == 0, "needs another user"), arguments: ["a", "a/markers.jsonl", "."])
    func `an entry that failed is written when permissions are given back`(_ name: String) throws {
        try scratch.makeDirectory("run")
        try scratch.makeDirectory("state/queue")
        #expect(try scratch.shell("chown -R 65534:65534 . && chmod 000 sessions/\(name)") == Outcome())
        let wrapper = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        // What can't be read can't be known either; the index knows it from before.
        #expect(try scratch.shell("chmod 755 sessions/\(name)") == Outcome())
        let daemon = try daemon(under: wrapper)
        #expect(try scratch.shell("chmod 000 sessions/\(name)") == Outcome())
        try deliver(50)
        try soon("it was tried") { tries(daemon) >= 1 }
        #expect(try scratch.shell("chmod 755 sessions/\(name)") == Outcome())
        try awaitApplied(50)
        #expect(daemon.terminate().status == 0)
    }

    @Test func `what no event tells of is tried again by itself`() throws {
        let daemon = try daemon()
        try scratch.write("in the way", to: "state/done")
        try deliver(50)
        try soon("it was tried several times") { tries(daemon) >= 3 }
        try scratch.remove("state/done")
        try awaitApplied(50)
        #expect(try scratch.text("sessions/a/markers.jsonl", filled: false).split(separator: "\n").count == 1)
        // And then it rests.
        try soon("that it is over is told") { daemon.log.contains("queue entries can be written again") }
        let quiet = tries(daemon)
        try deliver(51)
        try awaitApplied(51)
        #expect(tries(daemon) == quiet)
        #expect(daemon.terminate().status == 0)
    }

    @Test func `of two directories of one session one goes, and what waited is written`() throws {
        try scratch.session("copy")
        let daemon = try daemon()
        try deliver(50)
        try soon("it waits") { daemon.log.contains("several directories hold session") }
        try scratch.remove("sessions/copy")
        try awaitApplied(50)
    }

    @Test func `a session that takes the id of what waits gets it`() throws {
        let daemon = try daemon()
        try deliver(50, to: 7)
        try soon("it waits") { daemon.log.contains("was not found") }
        #expect(
            try scratch.shell("sed -i 's/\(number(2))/\(number(7))/' sessions/b/session.json") == Outcome())
        try awaitApplied(50, to: "b")
    }

    // MARK: - The log

    @Test func `entries that fail are told once, when the reason changes, and when it is over`() throws {
        // Each step is one rename, so that there is never a file that could be written.
        #expect(
            try scratch.shell("cd sessions/a && ln -s loop loop && ln -s loop new && mv -T new markers.jsonl")
                == Outcome())
        let daemon = try daemon(["TRACE_LOG_LEVEL": "info"])
        for id in 0..<40 { try deliver(500 + id) }
        for id in 0..<10 {
            try deliver(600 + id, to: 2)
            try awaitApplied(600 + id, to: "b")
        }
        let first = lines(daemon, with: " error ")
        #expect(first.count == 1, "\(first)")
        #expect(
            first.allSatisfy {
                $0.contains("markers.jsonl") && $0.contains("session=\(scratch.path)/sessions/a")
            })

        #expect(
            try scratch.shell("cd sessions/a && ln -s media new && mv -T new markers.jsonl") == Outcome())
        try soon("the new reason is told") { lines(daemon, with: " error ").count == 2 }
        let second = lines(daemon, with: " error ").last ?? ""
        // Of as many entries as are due then, be it one: under load they are tried again in several drains.
        #expect(second.contains("Is a directory"), "\(second)")

        #expect(try scratch.shell("cd sessions/a && : > new && mv -T new markers.jsonl") == Outcome())
        for id in 0..<40 { try awaitApplied(500 + id) }
        try soon("that it is over is told") {
            daemon.log.contains(" notice queue entries can be written again ")
        }
        #expect(lines(daemon, with: " error ").count == 2, "\(daemon.log)")
        #expect(daemon.terminate().status == 0)
    }

    @Test func `a directory that can't be read is told once`() throws {
        try scratch.makeDirectory("run")
        try scratch.makeDirectory("state/queue")
        #expect(
            try scratch.shell(
                "mkdir sessions/private && chown -R 65534:65534 . && chmod 000 sessions/private") == Outcome()
        )
        let wrapper = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        let daemon = try daemon(under: getuid() == 0 ? wrapper : [], ["TRACE_RECONCILE_INTERVAL": "1s"])
        try soon("everything is scanned four times") { lines(daemon, with: " debug reconciled ").count >= 4 }
        let told = lines(daemon, with: "cannot list the directory")
        #expect(told.count == 1, "\(told)")
        #expect(try scratch.shell("chmod 755 sessions/private") == Outcome())
        #expect(daemon.terminate().status == 0)
    }

    // MARK: - What takes long

    @Test func `a file that takes an hour to read holds up no stop`() throws {
        let daemon = try daemon()
        // A hole of a terabyte takes no room on the disk.
        #expect(try scratch.shell("truncate -s 1T sessions/a/markers.jsonl") == Outcome())
        try deliver(50)
        let before = daemon.bytesRead
        try soon("it reads that file") { daemon.bytesRead > before + 1 << 23 }
        let (status, work) = daemon.terminate()
        #expect(status == 0)
        #expect(work < .seconds(10), "\(work)")
        #expect(daemon.log.contains("stopped"))
        #expect(scratch.exists("state/queue/\(number(50)).json"))
    }

    // MARK: - A lock that somebody holds

    /// A process that holds the lock of a directory until the file `free` is there.
    private func hold(_ directory: String) throws -> ChildProcess {
        let holder = try scratch.start(
            """
            exec flock '\(directory)' /bin/sh -c ': > held; i=0
            while [ ! -e free ] && [ $i -lt 12000 ]; do i=$((i + 1)); sleep 0.05; done'
            """, log: "holder.log")
        try soon("the lock is held") { scratch.exists("held") }
        return holder
    }

    private func append(_ id: Int, to session: String) throws {
        let handle = try FileHandle(
            forUpdating: URL(filePath: "\(scratch.sessions)/\(session)/markers.jsonl"))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(marker(id, at: id).utf8))
        try handle.close()
    }

    @Test(arguments: ["sessions/a", "state"])
    func `while somebody holds a lock that a drain needs, the rest goes on`(_ directory: String) throws {
        let first = try daemon()
        let holder = try hold(directory)
        try deliver(50)
        try append(60, to: "b")
        try soon("the append is indexed") {
            !lines(first, with: "indexed").filter {
                $0.contains("outcome=updated") && $0.contains("journal=\(scratch.sessions)/b")
            }.isEmpty
        }
        if directory != "state" {
            try deliver(51, to: 2)
            try awaitApplied(51, to: "b")
        }
        try soon("the drain meets the lock") { tries(first) >= 1 }
        #expect(!scratch.exists("state/done/\(number(50)).json"))
        #expect(first.terminate().status == 0)
        #expect(lines(first, with: " error ").isEmpty, "\(first.log)")

        let second = try daemon()
        try scratch.write("", to: "free")
        try awaitApplied(50)
        _ = try holder.wait()
        #expect(second.terminate().status == 0)
    }
}
