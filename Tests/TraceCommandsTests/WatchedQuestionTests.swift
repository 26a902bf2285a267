import Foundation
import Glibc
import Synchronization
import Testing

/// Questions while `traced` watches: what was written before a question is in its answer, whatever happens to the daemon and to the
/// index.
@Suite(.serialized) struct WatchedQuestionTests {
    private let scratch: Scratch
    private static let watched = "answered from the index, which the daemon keeps up to date\n"

    init() throws {
        scratch = try Scratch()
        try scratch.session("a", id: 1, title: "Early", markers: marker(10, at: 5, #""label":"riff","#))
    }

    private func start(_ environment: [String: String] = [:]) throws -> DaemonProcess {
        let settings = ["TRACE_RECONCILE_INTERVAL": "1h"].merging(environment) { $1 }
        return try DaemonProcess(in: URL(filePath: scratch.path), environment: settings)
    }

    private func append(_ text: String, to name: String) throws {
        let file = try FileHandle(forWritingTo: URL(filePath: "\(scratch.path)/\(name)"))
        try file.seekToEnd()
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }

    /// The titles of all sessions, and where they come from.
    private func sessions() throws -> (titles: [String], origin: String) {
        let outcome = try scratch.trace("sessions", "--json", "-v")
        let rows = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]]
        return (try #require(rows).compactMap { $0["title"] as? String }.sorted(), outcome.errors)
    }

    /// The names of sockets in the runtime directory.
    private func sockets() throws -> [String] {
        try scratch.names(in: "run").filter { $0.hasSuffix(".sock") }
    }

    @Test func `each command sees what was written before it, without comparing everything`() throws {
        let daemon = try start()
        #expect(try sessions() == (["Early"], Self.watched))
        try scratch.session("b", id: 2, title: "Late", markers: marker(11, at: 7, #""label":"coda","#))
        #expect(try sessions() == (["Early", "Late"], Self.watched))
        try append(marker(12, at: 9, #""label":"bridge","#), to: "sessions/a/markers.jsonl")
        let found = try scratch.trace("search", "bridge", "-v")
        #expect(found.output.contains("bridge") && found.errors == Self.watched)
        try append(marker(13, at: 11, #""label":"outro","#), to: "sessions/a/markers.jsonl")
        let all = try scratch.trace("markers", "list", "--all", "-v")
        #expect(all.output.contains(number(13)) && all.errors == Self.watched)
        try append(marker(14, at: 13, #""label":"applause","#), to: "sessions/a/markers.jsonl")
        let at = try scratch.trace("at", "2026-02-04T20:00Z", "-v")
        #expect(at.output.contains("applause") && at.errors.contains(Self.watched))
        #expect(try scratch.shell("mv sessions/b moved") == Outcome())
        #expect(try scratch.trace("status", "--json").output.contains(#""sessions":1,"#))
        #expect(try scratch.trace("doctor").output.contains("<scratch>/sessions: 1 session,"))

        #expect(try sockets().count == 1)
        #expect(daemon.terminate().status == 0)
        #expect(try sockets() == [])
        try scratch.session("c", id: 3, title: "After")
        #expect(try sessions().titles == ["After", "Early"])
    }

    @Test func `while another program writes, an answer has all that was written before it began`() throws {
        let daemon = try start()
        let count = WrittenCount()
        let path = "\(scratch.path)/sessions/a/markers.jsonl"
        Thread.detachNewThread {
            let file = open(path, O_WRONLY | O_APPEND)
            while file >= 0, !count.isDone {
                let line = marker(1000 + count.value, at: 100 + count.value, #""label":"take","#)
                guard write(file, line, line.utf8.count) == line.utf8.count else { break }
                count.add()
                // A hundred lines a second.
                usleep(10_000)
            }
            close(file)
        }
        defer { count.end() }
        for round in 0..<6 {
            let before = count.value
            let outcome =
                round.isMultiple(of: 2)
                ? try scratch.trace("markers", "list", "--all")
                : try scratch.trace("search", "take", "--limit", "100000")
            #expect(outcome.status == 0, "\(outcome)")
            #expect(outcome.output.split(separator: "\n").count >= before, "round \(round)")
        }
        #expect(daemon.isRunning)
    }

    @Test func `a daemon that stands still, starts, was killed or loses events costs no answer`() throws {
        var daemon = try start()
        #expect(try sessions().origin == Self.watched)
        try daemon.pause()
        try scratch.session("b", id: 2, title: "Paused")
        let paused = try sessions()
        #expect(paused.titles == ["Early", "Paused"] && paused.origin != Self.watched)
        // More than the kernel keeps for it.
        let limit = try #require(
            Int(
                String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
                    .trimmingCharacters(in: .whitespacesAndNewlines)))
        // Of each file, three events of its creation and one of its end.
        let names = "seq \(limit / 3) | xargs"
        #expect(try scratch.shell("cd sessions && \(names) touch && \(names) rm").status == 0)
        try scratch.session("c", id: 3, title: "Overflow")
        daemon.resume()
        #expect(try sessions().titles == ["Early", "Overflow", "Paused"])
        try append(marker(20, at: 20), to: "sessions/c/markers.jsonl")
        #expect(try scratch.trace("markers", "list", "--all").output.contains(number(20)))
        try soon("it watches again") { try sessions().origin == Self.watched }

        daemon.kill()
        #expect(try sockets().count == 1)
        try scratch.session("d", id: 4, title: "Killed")
        #expect(try sessions().titles == ["Early", "Killed", "Overflow", "Paused"])
        daemon = try DaemonProcess(in: URL(filePath: scratch.path), awaitReady: false)
        try scratch.session("e", id: 5, title: "Starting")
        #expect(try sessions().titles == ["Early", "Killed", "Overflow", "Paused", "Starting"])
        try soon("it watches") { try sessions().origin == Self.watched }
        #expect(try sockets().count == 1)
    }

    @Test
    func
        `an index that is deleted, emptied, damaged or rebuilt under the daemon never answers with what it lacks`()
        throws
    {
        let daemon = try start()
        try scratch.session("b", id: 2, title: "Late", markers: marker(11, at: 7))
        let all = ["Early", "Late"]
        #expect(try sessions().titles == all)
        for damage in [
            "rm state/index.sqlite*", "rm state/index.sqlite", ": > state/index.sqlite",
            "dd if=/dev/urandom of=state/index.sqlite bs=4096 seek=1 count=20 conv=notrunc 2> dd",
            "$TRACE index rebuild > /dev/null",
        ] {
            #expect(try scratch.shell(damage).status == 0, "\(damage)")
            for _ in 0..<2 {
                #expect(try sessions().titles == all, "\(damage)")
                #expect(
                    try scratch.trace("markers", "list", "--all").output.contains(number(11)), "\(damage)")
            }
            try append(marker(100 + damage.count, at: 50), to: "sessions/a/markers.jsonl")
            #expect(
                try scratch.trace("markers", "list", "--all").output.contains(number(100 + damage.count)),
                "\(damage)")
            #expect(try scratch.trace("status", "--json").output.contains(#""sessions":2,"#), "\(damage)")
            try soon("the daemon has its index again") { try sessions().origin == Self.watched }
            #expect(try sessions().titles == all, "\(damage)")
        }
        #expect(daemon.isRunning)
    }

    @Test func `an index that the daemon has made again by itself answers with everything`() throws {
        // With the API, the daemon sees every few seconds to it that the index answers.
        let daemon = try start(["TRACE_HTTP_LISTEN": "127.0.0.1:0"])
        #expect(try sessions() == (["Early"], Self.watched))
        #expect(try scratch.shell("rm state/index.sqlite") == Outcome())
        try soon("it is made again") { try scratch.names(in: "state").contains("index.sqlite") }
        #expect(try sessions().titles == ["Early"])
        #expect(try scratch.trace("markers", "list", "--all").output.contains(number(10)))
        try soon("the daemon has its index again") { try sessions() == (["Early"], Self.watched) }
        #expect(daemon.isRunning)
    }

    @Test func `a root of the user's own is compared, and that of the daemon is not`() throws {
        let daemon = try start()
        try scratch.makeDirectory("own")
        let roots = ["TRACE_ROOTS": "\(scratch.path)/sessions:\(scratch.path)/own"]
        #expect(try scratch.shell("cp -r sessions/a own/b").status == 0)
        let listed = try scratch.trace(["sessions", "--json", "-v"], environment: roots)
        #expect(listed.output.split(separator: #""title":"Early""#).count == 3)
        #expect(listed.errors.hasPrefix("answered from the index; 1 session"))
        #expect(daemon.isRunning)
    }
}

/// How many lines a thread has written.
private final class WrittenCount: Sendable {
    private let state = Mutex((count: 0, isDone: false))

    var value: Int { state.withLock { $0.count } }
    var isDone: Bool { state.withLock { $0.isDone } }
    func add() { state.withLock { $0.count += 1 } }
    func end() { state.withLock { $0.isDone = true } }
}
