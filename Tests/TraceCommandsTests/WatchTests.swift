import Foundation
import Testing

/// `trace watch`
struct WatchTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.session("a", markers: marker(10, at: 5))
    }

    /// Starts to watch, and waits until that is so.
    private func watch(_ arguments: String, of count: Int = 1) throws -> ChildProcess {
        let child = try scratch.start("exec $TRACE watch \(arguments) 2>errors", log: "log")
        try awaitWatching(of: count)
        return child
    }

    private func awaitWatching(of count: Int) throws {
        try soon("it is watched") {
            try scratch.exists("errors")
                && scratch.text("errors") == "watching \(count) session\(count == 1 ? "" : "s")\n"
        }
    }

    private func log() throws -> [String] {
        try scratch.text("log").split(separator: "\n").map { line in
            String(line).replacing(#/^\d\d:\d\d:\d\d/#, with: "<time>")
        }
    }

    private func append(_ text: String, to file: String) throws {
        #expect(try scratch.run("/bin/sh", ["-c", "printf '%s' '\(text)' >> \(file)"]) == Outcome())
    }

    @Test func `whoever writes a marker, it is told; an edit and a removal too`() throws {
        let watching = try watch("sessions/a --count 4")
        _ = try scratch.trace("mark", "--offset", "2:00", "--label", "Drop", "--tag", "highlight")
        try soon("the mark is told") { try log().count == 1 }
        try append(marker(11, at: 7, tags: ["x"]), to: "sessions/a/markers.jsonl")
        try soon("the line is told") { try log().count == 2 }
        _ = try scratch.trace("marker", "edit", number(11), "--label", "Here")
        try soon("the edit is told") { try log().count == 3 }
        _ = try scratch.trace("marker", "remove", number(10))
        #expect(try watching.wait() == 0)
        #expect(
            try log() == [
                "<time>  Set  marker  2:00.000  Drop (highlight)", "<time>  Set  marker  0:00.007  (x)",
                "<time>  Set  marker  changed  0:00.007  Here (x)", "<time>  Set  marker  removed",
            ])
    }

    @Test func `a file that is replaced is followed on, and findings come and go`() throws {
        let watching = try watch("--json --count 5")
        let replaced = marker(10, at: 5) + marker(12, at: 9)
        try scratch.write(replaced, to: "markers.new")
        #expect(try scratch.run("/bin/mv", ["markers.new", "sessions/a/markers.jsonl"]) == Outcome())
        try soon("the new line is told") { try log().count == 1 }
        try append(marker(13, at: -1), to: "sessions/a/markers.jsonl")
        try soon("the broken line is told") { try log().count == 3 }
        try scratch.write(replaced, to: "markers.new")
        #expect(try scratch.run("/bin/mv", ["markers.new", "sessions/a/markers.jsonl"]) == Outcome())
        #expect(try watching.wait() == 0)
        let lines = try log()
        for line in lines { #expect(try JSONContract(of: "trace watch").breaches(in: line) == []) }
        let start = "{\"at\":\"<now>\",\"kind\":"
        let session =
            "\"session_path\":\"<scratch>/sessions/a\",\"session_id\":\"\(number(1))\",\"title\":\"Set\""
        #expect(
            lines.first
                == "\(start)\"marker\",\"event\":\"added\",\(session),\"id\":\"\(number(12))\",\"offset_ms\":9,\"record\":\(marker(12, at: 9).dropLast())}"
        )
        #expect(
            lines.contains {
                $0.hasPrefix("\(start)\"finding\",\"event\":\"found\"") && $0.contains("number-negative")
            })
        #expect(lines.contains { $0.hasPrefix("\(start)\"finding\",\"event\":\"resolved\"") })
        #expect(lines.contains { $0.hasPrefix("\(start)\"marker\",\"event\":\"removed\"") })
    }

    @Test func `the one session that is followed goes and comes back`() throws {
        let watching = try watch("sessions/a --count 3")
        #expect(try scratch.run("/bin/mv", ["sessions/a", "sessions/b"]) == Outcome())
        try soon("it is told") { try log().count == 1 }
        try append(marker(11, at: 7), to: "sessions/b/markers.jsonl")
        #expect(try scratch.run("/bin/mv", ["sessions/b", "sessions/a"]) == Outcome())
        #expect(try watching.wait() == 0)
        #expect(
            try log() == [
                "<time>  Set  session  vanished", "<time>  Set  session  appeared",
                "<time>  Set  marker  0:00.007",
            ])
    }

    @Test func `sessions that come, voice notes, the end, and the queue`() throws {
        let watching = try watch("--count 6")
        _ = try scratch.trace("session", "init", "sessions/b", "--title", "New")
        try soon("the session is told") { try log().count == 1 }
        try scratch.write("sound", to: "note.m4a")
        let noted = try scratch.trace(
            "voice-note", "sessions/b", "--offset", "5", "--duration", "7", "--media-file", "note.m4a",
            "--text", "hm")
        try soon("the note is told: \(noted), \(log())") { try log().count == 2 }
        _ = try scratch.trace("session", "close", "sessions/b")
        try soon("the end is told: \(log())") { try log().count == 3 }
        _ = try scratch.trace("queue", "add", "marker", "-s", number(1), "--offset", "5")
        try soon("the entry is told") { try log().count == 4 }
        _ = try scratch.trace("queue", "flush")
        #expect(try watching.wait() == 0)
        let lines = try log()
        #expect(
            lines.prefix(4) == [
                "<time>  New  session  appeared", "<time>  New  voice note  0:00.005  hm",
                "<time>  New  session  closed", "<time>  queue  queued  marker <ulid>",
            ])
        #expect(
            Set(lines.suffix(2)) == [
                "<time>  Set  marker  0:00.005", "<time>  queue  applied  marker <ulid>",
            ])
    }

    @Test func `a practice journal is followed by its path, by its title and with everything else`() throws {
        let made = try scratch.trace("journal", "init", "practice", "sessions/pins", "--title", "Pins")
        #expect(made.status == 0, "\(made)")
        for (number, (name, what)) in [
            ("sessions/pins", "1 practice journal"), ("Pins", "1 practice journal"),
            ("", "1 session, 1 practice journal"),
        ].enumerated() {
            let watching = try scratch.start("exec $TRACE watch \(name) --count 1 2>errors", log: "log")
            try soon("it is watched: \(try scratch.text("errors"))") {
                try scratch.exists("errors") && scratch.text("errors") == "watching \(what)\n"
            }
            try scratch.write(
                #"{"schemaVersion":4,"x":"\#(String(repeating: "x", count: number))"}"#,
                to: "sessions/pins/practice-state.json")
            #expect(try watching.wait() == 0)
            #expect(try log() == ["<time>  Pins  journal  changed"])
            for file in ["errors", "log"] { try scratch.remove(file) }
        }
    }

    @Test func `it ends when nobody reads any more`() throws {
        let child = try scratch.start("{ $TRACE watch 2>errors; echo ended > end; } | head -n 1", log: "log")
        try awaitWatching(of: 1)
        try soon("it has ended") {
            _ = try scratch.trace("mark", "--offset", "5", "-q")
            return scratch.exists("end")
        }
        #expect(try child.wait() == 0)
    }

    @Test func `a daemon beside it changes nothing`() throws {
        let daemon = try DaemonProcess(in: URL(filePath: scratch.path))
        let watching = try watch("--count 1")
        _ = try scratch.trace("mark", "--offset", "2:00", "--label", "Drop")
        #expect(try watching.wait() == 0)
        #expect(try log() == ["<time>  Set  marker  2:00.000  Drop"])
        #expect(daemon.isRunning)
    }
}
