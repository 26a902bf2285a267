import Foundation
import ProgramHarness
import Testing

/// What `traced` does for the index while nobody asks.
@Suite(.serialized) struct DaemonIndexTests {
    private let scratch: Scratch
    private let settings = ["TRACE_SETTLE_TIME": "300ms"]

    init() throws { scratch = try Scratch() }

    private func start(_ more: [String: String] = [:]) throws -> DaemonProcess {
        try DaemonProcess(in: URL(filePath: scratch.path), environment: settings.merging(more) { $1 })
    }

    private func trace(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
        try scratch.trace(arguments, environment: settings.merging(environment) { $1 })
    }

    /// Waits until nothing of the index lags, which is only looked at here.
    private func awaitRest(_ environment: [String: String] = [:]) throws {
        try soon("the index is up to date") {
            let status = try trace("index", "status", "--json", environment: environment).output
            return status.contains("\"lagging\":false},\"lagging\":0,")
        }
    }

    private func append(_ text: String, to name: String) throws {
        let file = try FileHandle(forWritingTo: URL(filePath: "\(scratch.path)/\(name)"))
        try file.seekToEnd()
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }

    @Test func `the search text is filled in when nothing changes any more`() throws {
        try scratch.session("a", markers: marker(10, at: 5, "\"label\":\"riff\","))
        let daemon = try start()
        try append(marker(11, at: 6, "\"label\":\"bridge\","), to: "sessions/a/markers.jsonl")
        try scratch.session("b", id: 2, title: "Late", markers: marker(12, at: 7, "\"note\":\"coda\","))
        try awaitRest()
        let status = try trace("index", "status").output
        #expect(status.contains("search:   3 of 3 lines filled in\n"))
        // One row for each text; the words themselves can be asked for with our own tokenizer alone.
        let filled = "SELECT count(*) FROM search_docsize"
        #expect(try scratch.shell("sqlite3 -readonly state/index.sqlite \"\(filled)\"").output == "5\n")
        #expect(daemon.isRunning)
    }

    @Test func `a session that comes into another one, or leaves it, leaves none of them behind`() throws {
        for (index, name) in ["a", "b"].enumerated() {
            try scratch.session(name, id: index + 1, markers: marker(10 + index, at: 5))
        }
        let daemon = try start(["TRACE_RECONCILE_INTERVAL": "1h"])
        try awaitRest()
        for move in ["mv sessions/b sessions/a/b", "mv sessions/a/b sessions/c", "mkdir sessions/a/takes"] {
            #expect(try scratch.shell(move) == Outcome())
            try awaitRest()
        }
        #expect(daemon.isRunning)
    }

    @Test func `what the daemon writes itself is read once, and what others write at that moment too`() throws
    {
        try scratch.session("a")
        let daemon = try start()
        try awaitRest()
        _ = try trace("queue", "add", "marker", "--session", number(1), "--offset", "5")
        try append(marker(11, at: 6), to: "sessions/a/markers.jsonl")
        try soon("the queue is empty") { try scratch.names(in: "state/queue").isEmpty }
        try awaitRest()
        let records = daemon.log.matches(of: #/indexed .*records=(\d+)/#).map { $0.output.1 }
        #expect(
            records.first == "1" && records.dropFirst().reduce(0) { $0 + (Int($1) ?? 0) } == 2,
            "\(daemon.log)")
        // Besides, `session.json` alone may be looked at, which the queue writes after the line.
        #expect(records.filter { $0 != "0" }.count <= 3, "\(daemon.log)")
        #expect(try trace("index", "verify", "-v").errors == "answered from the index\n")
    }

    @Test func `a session that is written meanwhile is not called different, and one with a changed row is`()
        throws
    {
        try scratch.session("a", markers: (0..<300).map { marker(1000 + $0, at: $0) }.joined())
        let daemon = try start()
        try awaitRest()
        try scratch.write("", to: "go")
        let line = marker(0, at: 5).replacing(number(0), with: "01J%023d")
        #expect(
            try scratch.shell(
                """
                i=10000
                while [ -e go ] && [ $i -lt 20000 ]; do
                  i=$((i + 1)); printf '\(line.replacing("\n", with: "\\n"))' $i >> sessions/a/markers.jsonl; sleep 0.005
                done >/dev/null 2>&1 &
                """) == Outcome())
        for _ in 1...6 {
            let count = try scratch.text("sessions/a/markers.jsonl").count { $0 == "\n" }
            try soon("another line is written") {
                try scratch.text("sessions/a/markers.jsonl").count { $0 == "\n" } > count
            }
            let verified = try trace("index", "verify")
            #expect(verified == Outcome("ok: 1 sessions match their files\n"))
        }
        #expect(try scratch.shell("rm go") == Outcome())
        try awaitRest()
        #expect(daemon.terminate().status == 0)
        let change =
            "UPDATE record SET offset_ms = offset_ms + 1 WHERE rowid = (SELECT max(rowid) FROM record)"
        #expect(try scratch.shell("sqlite3 state/index.sqlite \"\(change)\"") == Outcome())
        let verified = try trace("index", "verify")
        #expect(verified.status == 1)
        #expect(
            verified.errors.contains(
                "the index differs from the files of 1 sessions:\n  <scratch>/sessions/a"))
    }

    @Test func `several roots, one in another, and a session in a session`() throws {
        let roots = [
            "TRACE_ROOTS": ["sessions", "other", "sessions/inner"].map { "\(scratch.path)/\($0)" }.joined(
                separator: ":")
        ]
        let sessions = ["sessions/a", "sessions/a/nested", "sessions/inner/b", "other/c"]
        for (index, name) in sessions.enumerated() {
            try scratch.session("made", id: index + 1, title: name)
            try scratch.makeDirectory((name as NSString).deletingLastPathComponent)
            #expect(try scratch.shell("mv sessions/made '\(name)'") == Outcome())
        }
        let daemon = try start(roots)
        for (index, name) in sessions.enumerated() {
            try append(marker(10 + index, at: index), to: "\(name)/markers.jsonl")
        }
        try awaitRest(roots)
        let counts = try trace("index", "status", environment: roots).output.split(separator: "\n").suffix(3)
        #expect(
            counts == [
                "root:     <scratch>/sessions: online, 2 sessions",
                "root:     <scratch>/other: online, 1 session",
                "root:     <scratch>/sessions/inner: online, 1 session",
            ])
        let listed = try trace("markers", "list", "--all", "-v", environment: roots)
        #expect(listed.errors == "answered from the index, which the daemon keeps up to date\n")
        #expect(
            listed.output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }.sorted()
                == sessions.map { $0[...] }.sorted())

        #expect(try scratch.shell("mv other gone") == Outcome())
        try soon("the root is offline") { daemon.log.contains("root is offline") }
        let offline = try trace("sessions", "-q", environment: roots).output.split(separator: "\n")
        #expect(offline.count == 4 && offline.filter { $0.hasSuffix("\tfalse") }.count == 1, "\(offline)")
        try append(marker(20, at: 9), to: "gone/c/markers.jsonl")
        #expect(try scratch.shell("mv gone other") == Outcome())
        try soon("the root is online again") {
            try trace("index", "status", environment: roots).output.contains("records:  9\n")
        }
        try awaitRest(roots)
        #expect(
            try trace("index", "verify", environment: roots).output
                == "ok: 4 sessions match their files\n")
    }

    @Test func `the mount point that a disk leaves bare is no root without sessions`() throws {
        try scratch.session("a", markers: marker(10, at: 5))
        let daemon = try start(["TRACE_RECONCILE_INTERVAL": "1s"])
        #expect(try scratch.shell("mv sessions disk && mkdir sessions") == Outcome())
        try soon("the root is offline") { daemon.log.contains("root is offline") }
        let listed = try trace("sessions", "-q")
        #expect(listed.output.contains("\tactive\t") && listed.output.hasSuffix("\tfalse\n"), "\(listed)")
        #expect(try trace("status").output.contains("root:     <scratch>/sessions (offline)\n"))
        #expect(try trace("markers", "list", "--all", "-q").output.hasPrefix("Set (offline)\t"))
        #expect(try scratch.shell("rmdir sessions && mv disk sessions") == Outcome())
        try append(marker(11, at: 6), to: "sessions/a/markers.jsonl")
        try soon("the root is online again") { try trace("index", "status").output.contains("records:  3\n") }
        #expect(try trace("sessions").output.hasSuffix("\ttrue\n"))
    }

    @Test func `what a sync tool keeps for itself is not indexed`() throws {
        try scratch.session("a")
        let daemon = try start()
        #expect(
            try scratch.shell("mkdir sessions/.stversions && cp -a sessions/a sessions/.stversions/old")
                == Outcome())
        #expect(
            try scratch.shell(
                "cp -a sessions/a sessions/.b.trace-new && touch sessions/.b.trace-new/session.json")
                == Outcome())
        try scratch.session("later", id: 3)
        try soon("a later session is indexed") {
            try trace("index", "status").output.contains("sessions: 2\n")
        }
        try awaitRest()
        #expect(daemon.isRunning)
        #expect(try trace("index", "verify", "-v").errors == "answered from the index\n")
    }

    @Test func `an edit in the middle of a long file that never rests is found by the scan`() throws {
        let lines = (0..<7000).map {
            marker(100_000 + $0, at: $0 * 10, "\"label\":\"\(String(repeating: "la ", count: 20))\",")
        }
        try scratch.session("a", markers: lines.joined())
        let daemon = try start(["TRACE_RECONCILE_INTERVAL": "3s", "TRACE_SETTLE_TIME": "1h"])
        // The daemon looks at both changes at once.
        try daemon.pause()
        let edited = lines[3500].replacing("la la", with: "xy la")
        let file = try FileHandle(forUpdating: URL(filePath: "\(scratch.sessions)/a/markers.jsonl"))
        try file.seek(toOffset: UInt64(lines[..<3500].reduce(0) { $0 + $1.utf8.count }))
        try file.write(contentsOf: Data(edited.utf8))
        try append(marker(10, at: 5), to: "sessions/a/markers.jsonl")
        daemon.resume()
        let query = "SELECT count(*) FROM record WHERE text LIKE 'xy la%'"
        try soon("the edit is found") {
            try scratch.shell("sqlite3 -readonly -cmd '.timeout 5000' state/index.sqlite \"\(query)\"").output
                == "1\n"
        }
    }
}
