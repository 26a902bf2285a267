import Foundation
import ProgramHarness
import TestSupport
import Testing

/// What clients are told of what happens, by whichever program.
struct EventsOverTheWireTests {
    private let sample: ServedSample

    init() throws { sample = try ServedSample() }

    struct Ended: Error {}

    /// A stream of events, read one by one.
    final class Stream {
        let client: WireClient
        let head: WireAnswer
        private var text = ""
        /// The id of the last event, as a browser remembers it.
        private(set) var lastID = ""

        init(_ sample: ServedSample, _ query: String = "", token: String? = nil, after last: String? = nil)
            throws
        {
            client = try sample.connect()
            let id = last.map { "Last-Event-ID: \($0)\r\n" } ?? ""
            try client.send(
                Array(
                    "GET /api/v1/events\(query) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token ?? sample.token)\r\n\(id)\r\n"
                        .utf8))
            head = try client.head()
            guard head.status == 200 else { return }
            // What is told of the connection itself.
            _ = try block()
        }

        struct Event {
            var kind = "message"
            var data: [String: Any] = [:]
            var isComment = false
        }

        private func block() throws -> [Substring] {
            while true {
                if let end = text.range(of: "\n\n") {
                    let lines = text[..<end.lowerBound].split(separator: "\n")
                    text = String(text[end.upperBound...])
                    for line in lines where line.hasPrefix("id: ") { lastID = String(line.dropFirst(4)) }
                    return lines.map { Substring(String($0)) }
                }
                guard let piece = try client.chunk() else { throw Ended() }
                text += String(decoding: piece, as: UTF8.self)
            }
        }

        /// The next one.
        func next() throws -> Event {
            var event = Event()
            for line in try block() {
                if line.hasPrefix("event: ") { event.kind = String(line.dropFirst(7)) }
                if line.hasPrefix(":") { event.isComment = true }
                if line.hasPrefix("data: ") {
                    event.data =
                        try JSONSerialization.jsonObject(with: Data(line.dropFirst(6).utf8)) as? [String: Any]
                        ?? [:]
                }
            }
            return event
        }

        /// The next one of a kind of thing.
        func next(_ subject: String) throws -> Event {
            while true {
                let event = try next()
                if event.data["kind"] as? String == subject || event.kind == subject { return event }
            }
        }
    }

    private func mark(_ id: String, _ label: String = "from afar") throws {
        let answer = try sample.ask("PUT", ServedSample.markerPath(id), json: ServedSample.marker(label))
        #expect(answer.isWritten, "\(answer)")
    }

    private static let late = "?session=\(ServedSample.lateSetID)"

    @Test func `records of the sessions asked for are told, whoever writes them`() throws {
        let stream = try Stream(sample, Self.late)
        #expect(stream.head["content-type"] == "text/event-stream")
        #expect(stream.head["x-accel-buffering"] == "no" && stream.head["cache-control"] == "no-store")
        try mark(number(1))
        let added = try stream.next("marker")
        #expect(added.kind == "watch" && added.data["event"] as? String == "added", "\(added)")
        #expect(added.data["id"] as? String == number(1))
        #expect(added.data["handle"] as? String == ServedSample.lateSetID)
        #expect((added.data["record"] as? [String: Any])?["label"] as? String == "from afar")
        #expect(added.data["session_path"] == nil)

        // By the command line.
        let directory = sample.copy.directory
        let session = sample.session(ServedSample.lateSet)
        try Binaries.trace(["mark", "--session", session.path, "--offset", "2000", "here"], in: directory)
        #expect((try stream.next("marker").data["record"] as? [String: Any])?["label"] as? String == "here")

        // A name is given by a line of its own.
        let tag = try #require(try sample.ask("GET", ServedSample.markerPath(number(1)))["etag"])
        let named = try sample.send(
            "PATCH", ServedSample.markerPath(number(1)), "application/merge-patch+json",
            Data(#"{"label":"named"}"#.utf8), [("If-Match", tag)])
        #expect(named.status == 200, "\(named)")
        let changed = try stream.next("marker")
        #expect(changed.data["event"] as? String == "changed" && changed.data["id"] as? String == number(1))

        // An editor replaces the file, sed does, and one writes into it.
        let file = session.appending(path: "markers.jsonl")
        let text = try String(contentsOf: file, encoding: .utf8)
        try text.replacing("named", with: "renamed").write(to: file, atomically: true, encoding: .utf8)
        #expect(try stream.next("reset").data["handle"] as? String == ServedSample.lateSetID)
        let sed = try Process.run(
            URL(filePath: "/bin/sed"), arguments: ["-i", "s/renamed/again/", file.path])
        sed.waitUntilExit()
        _ = try stream.next("reset")
        let handle = try FileHandle(forUpdating: file)
        try handle.write(contentsOf: Data(text.replacing("named", with: "NAMED").utf8))
        try handle.close()
        _ = try stream.next("reset")
    }

    /// Ways in which other programs change a file of a session; the shell runs them in its directory.
    private static let changesByOthers = [
        "sed 's/LABEL/NEXT/' markers.jsonl > .editor.tmp && mv .editor.tmp markers.jsonl",
        "sed -i 's/LABEL/NEXT/' markers.jsonl",
        "cp markers.jsonl markers.jsonl~ && sed 's/LABEL/NEXT/' markers.jsonl~ > new && cat new > markers.jsonl && rm new",
        // Syncthing's own way, with the file that lost beside it.
        """
        sed 's/LABEL/NEXT/' markers.jsonl > .syncthing.markers.jsonl.tmp
        mv markers.jsonl markers.sync-conflict-20260205-101112-ABCDEFG.jsonl
        mv .syncthing.markers.jsonl.tmp markers.jsonl
        """,
    ]

    @Test(arguments: changesByOthers)
    func `a file that others replace is one reset to all who watch, and then there within a second`(
        _ change: String
    ) throws {
        try mark(number(1), "before it")
        let watching = try [Stream(sample, Self.late), Stream(sample, Self.late)]
        let script = change.replacing("LABEL", with: "before it").replacing("NEXT", with: "after it")
        let directory = sample.session(ServedSample.lateSet).path
        #expect(try Scratch().shell("set -e; cd '\(directory)'\n\(script)") == Outcome())
        let start = ContinuousClock.now
        for stream in watching {
            #expect(try stream.next("reset").data["handle"] as? String == ServedSample.lateSetID)
        }
        let shown = try sample.ask("GET", ServedSample.markerPath(number(1)))
        #expect(shown.object["label"] as? String == "after it", "\(shown)")
        #expect(start.duration(to: .now) < .seconds(1))
        // Nothing else is to be asked for once more.
        try mark(number(2), "the next")
        for stream in watching {
            var event = try stream.next()
            while event.data["id"] as? String != number(2) {
                #expect(event.kind != "reset", "\(event)")
                event = try stream.next()
            }
        }
        let wanted = script.contains("sync-conflict") ? 1 : 0
        let findings = "/sessions/\(ServedSample.lateSetID)/findings"
        try soon("the copy is told of: \(try sample.ask("GET", findings))") {
            let rows = try sample.ask("GET", findings).rows.flatMap {
                $0["findings"] as? [[String: Any]] ?? []
            }
            return rows.count { $0["rule"] as? String == "conflict-copy" } == wanted
        }
    }

    @Test func `sessions and the queue are told to everybody who sees them`() throws {
        let stream = try Stream(sample)
        let guest = try sample.newToken("--scope", "read", "--session", ServedSample.lateSetID)
        let limited = try Stream(sample, token: guest)
        try mark(number(1))
        let id = number(500)
        #expect(try sample.ask("PUT", "/sessions/\(id)", json: #"{"title":"New one"}"#).status == 201)
        let appeared = try stream.next("session")
        #expect(
            appeared.data["event"] as? String == "appeared" && appeared.data["session_id"] as? String == id)
        #expect(appeared.data["title"] as? String == "New one")
        #expect(try sample.ask("POST", "/sessions/\(id)/close").status == 200)
        #expect(try stream.next("session").data["event"] as? String == "closed")
        let entry = FilledRoutes.entry(number(7), for: number(600))
        #expect(try sample.ask("PUT", "/queue/\(number(7))", json: entry).status == 202)
        let queued = try stream.next("queue")
        #expect(queued.data["event"] as? String == "queued" && queued.data["id"] as? String == number(7))
        // The guest was told of nothing but its own session: nothing of it has changed so that others would be told.
        try Binaries.trace(
            ["session", "edit", sample.session(ServedSample.lateSet).path, "--title", "Renamed"],
            in: sample.copy.directory)
        let own = try limited.next()
        #expect(own.data["session_id"] as? String == ServedSample.lateSetID, "\(own)")
        #expect(try sample.ask("GET", "/events?session=\(id)", token: guest).status == 404)
        let five = (0..<5).map { "session=\(number($0))" }.joined(separator: "&")
        #expect(try sample.ask("GET", "/events?\(five)").status == 400)
    }

    @Test func `what was missed is told to who comes back, or that something was`() throws {
        var stream = try Stream(sample, Self.late)
        try mark(number(1))
        #expect(try stream.next("marker").data["id"] as? String == number(1))
        let last = stream.lastID
        stream = try Stream(sample)
        for other in 2...4 { try mark(number(other)) }
        stream = try Stream(sample, Self.late, after: last)
        for other in 2...4 { #expect(try stream.next("marker").data["id"] as? String == number(other)) }
        // Nobody at all listens meanwhile.
        let end = stream.lastID
        stream = try Stream(sample)
        stream.client.resetWhenClosed()
        try mark(number(5))
        stream = try Stream(sample, Self.late, after: end)
        #expect(try stream.next("marker").data["id"] as? String == number(5))

        let changed = end.dropLast() + (end.last == "0" ? "1" : "0")
        for id in [
            "0.0", "nonsense", "", String(changed), "\(end)0", end.uppercased() + "-", String(end.dropLast()),
        ] {
            let other = try Stream(sample, Self.late, after: id)
            let event = try other.next()
            #expect(event.kind == "reset" && event.data.isEmpty, "\(id): \(event)")
        }
        // Another session was not followed until then.
        let other = try Stream(sample, "?session=\(ServedSample.activeID)", after: stream.lastID)
        #expect(try other.next().kind == "reset")
        try sample.restart()
        let later = try Stream(sample, Self.late, after: stream.lastID)
        #expect(try later.next().kind == "reset")
    }

    @Test func `a stream ends with its token, and says so when the server stops`() throws {
        let token = try sample.newToken("--scope", "read", "--name", "phone")
        let stream = try Stream(sample, token: token)
        let other = try Stream(sample)
        try Binaries.trace(["token", "revoke", "phone"], in: sample.copy.directory)
        let start = ContinuousClock.now
        #expect(throws: (any Error).self) { while true { _ = try stream.next() } }
        #expect(start.duration(to: .now) < .milliseconds(1500))
        _ = sample.daemon.terminate()
        #expect(try other.next().kind == "bye")
        #expect(throws: (any Error).self) { _ = try other.next() }
    }

    @Test func `a token has eight streams, and one that is left is free at once`() throws {
        let token = try sample.newToken("--scope", "read", "--name", "phone")
        var streams = try (0..<8).map { _ in try Stream(sample, token: token) }
        let refused = try Stream(sample, token: token)
        #expect(refused.head.status == 429, "\(refused.head)")
        #expect(try sample.ask("GET", "/status").status == 200)
        streams.removeLast()
        try soon("a place is free") { try Stream(sample, token: token).head.status == 200 }
    }

    @Test func `of six hundred streams 512 are let in, and one that never reads costs nothing but a reset`()
        throws
    {
        let scratch = try Scratch()
        let tokens = try (0..<65).map { _ in try sample.newToken("--scope", "read") }
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Events/crowd.py"
        ).standardized.path
        let crowd = try scratch.start(
            "exec python3 -B \(script) \(sample.port) \(ServedSample.lateSetID) 600 ready read \(tokens.joined(separator: " "))",
            log: "crowd.json")
        try soon("one of them waits") { scratch.exists("ready") }
        let before = try #require(sample.daemon.residentBytes)
        // More than the kernel keeps for a connection, and than the server does for all of them.
        let note = String(repeating: "x", count: 10_000)
        for batch in 0..<12 {
            let lines = (0..<100).map { number in
                let id = String(format: "01KJ2NSG40V5Q0J8VY9E%06d", batch * 100 + number)
                let marker = #"{"note":"\#(note)",\#(ServedSample.marker().dropFirst())"#
                return FilledRoutes.entry(id, for: ServedSample.lateSetID, marker: marker)
            }
            let answer = try sample.ask(
                "POST", "/queue", [("Content-Type", "application/jsonl")], json: lines.joined(separator: "\n")
            )
            #expect(answer.status == 200, "\(answer.text.prefix(500))")
        }
        #expect(try #require(sample.daemon.residentBytes) - before < 48 << 20)
        try scratch.write("", to: "read")
        #expect(try crowd.wait() == 0)
        let told =
            try JSONSerialization.jsonObject(with: Data(scratch.text("crowd.json").utf8)) as? [String: Any]
        let report = try #require(told)
        #expect(report["statuses"] as? [String: Int] == ["200": 512, "429": 88], "\(report)")
        #expect(try #require(report["bytes"] as? Int) < 8_000_000, "\(report)")
        #expect(try #require(report["resets"] as? Int) >= 1, "\(report)")
    }

    @Test func `a comment comes every fifteen seconds`() throws {
        let stream = try Stream(sample)
        let start = ContinuousClock.now
        while true {
            let event = try stream.next()
            guard !event.isComment else { break }
        }
        let time = start.duration(to: .now)
        #expect(time > .seconds(10) && time < .seconds(20), "\(time)")
    }
}
