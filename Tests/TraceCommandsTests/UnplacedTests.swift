import Foundation
import Testing

/// Moments for which no session could be chosen: kept, listed, placed and dropped.
struct UnplacedTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Makes a session that began so many seconds ago.
    private func open(_ name: String, id: Int, title: String? = nil, secondsAgo: Double = 100) throws {
        try scratch.session(name, id: id, start: moment(-secondsAgo), title: title ?? name)
    }

    private func moment(_ seconds: Double) -> String {
        Date(timeIntervalSinceNow: seconds).formatted(
            .iso8601.year().month().day().timeZone(separator: .omitted).time(includingFractionalSeconds: true)
        )
    }

    private func markers(_ session: String) throws -> [[String: Any]] {
        try scratch.text("sessions/\(session)/markers.jsonl", filled: false).split(separator: "\n").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    private func offset(_ session: String) throws -> Int {
        try markers(session).last?["offset_ms"] as? Int ?? -1
    }

    private func kept() throws -> [[String: Any]] {
        let text = try scratch.trace("unplaced", "list", "--json").output
        return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    }

    private func keptID() throws -> String {
        let names = try scratch.names(in: "state/unplaced").filter { $0.hasSuffix(".json") }
        return String(try #require(names.first).dropLast(5))
    }

    @Test func `a moment that was kept is taken back, and kept again by redo`() throws {
        #expect(try scratch.trace("mark", "Nice groove").status == 0)
        let id = try keptID()
        #expect(try scratch.trace("undo").status == 0)
        #expect(try kept().isEmpty)
        let told = try scratch.trace("redo")
        #expect(told.status == 0, "\(told)")
        #expect(try keptID() == id)
        #expect(try scratch.trace("queue", "list").output == "")
    }

    // MARK: - Which session

    @Test func `a session that was forgotten does not compete with a live one`() throws {
        try scratch.session("friday", id: 1, title: "Friday")
        try open("monday", id: 2, title: "Monday")
        let told = try scratch.trace("mark")
        #expect(told.status == 0 && told.errors.contains("in Monday (<scratch>/sessions/monday)"), "\(told)")
        #expect(!told.errors.contains("Friday"))
        #expect((100_000..<130_000).contains(try offset("monday")))
        #expect(try scratch.trace("session", "pause").output.hasPrefix("paused: <scratch>/sessions/monday"))
        #expect(try scratch.trace("session", "close").output.hasPrefix("closed: <scratch>/sessions/monday"))
        #expect(try markers("friday").isEmpty)
    }

    @Test func `what is in doubt and is not of the present is refused`() throws {
        try scratch.session("friday", id: 1, title: "Friday")
        try open("monday", id: 2, title: "Monday")
        try scratch.write("1.5\t1.5\tx\n", to: "labels.txt")
        #expect(try scratch.trace("import", "labels.txt").status == 64)
        try open("more", id: 3)
        let told = try scratch.trace("mark", "--offset", "2:00")
        #expect(told.status == 64 && told.errors.contains("and 2 are active"), "\(told)")
        #expect(try scratch.trace("mark", "--offset", "+5s").status == 64)
        #expect(try scratch.trace("mark", "--no-queue").status == 64)
        #expect(try kept().isEmpty)
    }

    @Test func `an offset from the start is that of the only open session, live or not`() throws {
        try scratch.session("friday", id: 1, title: "Friday")
        #expect(try scratch.trace("mark", "2:00").status == 0)
        #expect(try offset("friday") == 120_000)
    }

    @Test func `an offset from the start is not that of a forgotten session beside a live one`() throws {
        try scratch.session("friday", id: 1, title: "Friday")
        try open("monday", id: 2)
        #expect(try scratch.trace("mark", "--offset", "0:05").status == 0)
        #expect(try offset("monday") == 5000)
    }

    @Test func `of two live sessions none is guessed, and the moment is kept`() throws {
        try open("a", id: 1, title: "Monday")
        try open("b", id: 2, title: "Take two")
        let told = try scratch.trace("mark", "now-10s", "Drop", "--tag", "highlight")
        #expect(told.status == 0 && told.output == "marker: <ulid>\n", "\(told)")
        #expect(
            told.errors == """
                kept: 2 sessions are open: Monday (<scratch>/sessions/a), Take two (<scratch>/sessions/b)
                  hint: 'trace unplaced place <ulid> a' puts it into the first of them

                """)
        let id = try keptID()
        let record = try #require(try kept().first)
        #expect(record["kind"] as? String == "marker")
        let list = try scratch.trace("unplaced", "list").output
        #expect(list.wholeMatch(of: #/<ulid>\tmarker\t<now>\tDrop\t\n/#) != nil, "\(list)")
        #expect(
            try scratch.trace("status").output.contains(
                "\nunplaced: 1 moment whose session is not known ('trace unplaced list')\n"))
        #expect(try scratch.trace("status", "--json").output.contains(#""unplaced":1"#))
        #expect(
            try scratch.trace("doctor").output.contains(
                "warning unplaced      1 moment whose session is not known"))
        // Two cover it, so a person has to say.
        #expect(try scratch.trace("unplaced", "place", id).status == 64)
        _ = try scratch.trace("queue", "flush")
        #expect(try kept().count == 1)

        let placed = try scratch.trace("unplaced", "place", String(id.prefix(20)), "b")
        #expect(placed.status == 0 && placed.output == "placed: <ulid>\n", "\(placed)")
        #expect(placed.errors.contains("in Take two (<scratch>/sessions/b)"), "\(placed)")
        let marker = try #require(try markers("b").last)
        #expect(marker["id"] as? String == id && marker["label"] as? String == "Drop")
        #expect((89_000..<120_000).contains(try offset("b")))
        #expect(try scratch.trace("unplaced", "list") == Outcome("", errors: "no moment is kept\n"))
        #expect(try scratch.trace("unplaced", "place", id, "b").status == 66)
        #expect(try scratch.trace("validate", "sessions/b").status == 0)

        #expect(try scratch.trace("undo").status == 0)
        #expect(try markers("b").isEmpty)
        // The mark and its placing are one to the person.
        #expect(try scratch.trace("undo").status == 1)
    }

    @Test func `a kept moment is taken back like any mark`() throws {
        let kept = try scratch.trace("mark", "Drop")
        #expect(kept.status == 0, "\(kept)")
        let list = try scratch.trace("undo", "--list")
        #expect(list.output.contains("\tmark\t1\tmarker\t<ulid>\t\tDrop\t0\t"), "\(list)")
        let undone = try scratch.trace("undo")
        #expect(undone.output.contains("moved kept moment <ulid> to <scratch>/state/dropped"), "\(undone)")
        #expect(try scratch.trace("unplaced", "list") == Outcome("", errors: "no moment is kept\n"))
    }

    @Test func `where nothing is open, the hint is the one next command`() throws {
        let told = try scratch.trace("mark")
        #expect(told.status == 0 && told.output == "marker: <ulid>\n")
        #expect(
            told.errors == """
                kept: no session is open in <scratch>/sessions
                  hint: 'trace session init --title Monday' creates a session and starts its clock; 'trace unplaced list' shows what is kept

                """)
        #expect(try scratch.trace("mark", "--no-queue").status == 66)
        let json = try scratch.trace("mark", "--json").output
        #expect(json == #"{"id":"<ulid>","queued":false,"kept":true,"wall_time":"<now>"}"# + "\n")
    }

    @Test func `the only open session is not guessed when it was forgotten`() throws {
        try scratch.session("friday", id: 1, title: "Friday")
        let told = try scratch.trace("mark")
        #expect(told.status == 0, "\(told)")
        #expect(
            told.errors.contains(
                #/kept: nothing has happened in session 'Friday' for \d+ days, and it was never closed\n  hint: 'trace session close <scratch>\/sessions\/friday --at last' ends it/#
            ),
            "\(told)")
        #expect(try markers("friday").isEmpty && kept().count == 1)
        let refused = try scratch.trace("mark", "--no-queue")
        #expect(refused.status == 66 && refused.errors.contains("was never closed"), "\(refused)")
        // Who names it means it.
        #expect(try scratch.trace("mark", "-s", "friday").status == 0)
        #expect(try scratch.trace("mark", in: "sessions/friday").status == 0)
        #expect(try scratch.trace("mark", environment: ["TRACE_SESSION": "friday"]).status == 0)
        #expect(try markers("friday").count == 3)
    }

    @Test func `when the session comes that covers the moment, a drain puts it there`() throws {
        #expect(try scratch.trace("mark", "Drop").status == 0)
        try open("synced", id: 5, secondsAgo: 60)
        let flushed = try scratch.trace("queue", "flush")
        #expect(flushed.output.contains("applied\t<ulid>\tmarker in synced"), "\(flushed)")
        // It was made before the session that began a minute before it came.
        #expect((1...60_000).contains(try offset("synced")))
        #expect(try kept().isEmpty)
        let undone = try scratch.trace("undo")
        #expect(undone.status == 0, "\(undone)")
        #expect(try markers("synced").isEmpty)
    }

    @Test func `a moment before the start of a session, or after its end, is refused with the cure`() throws {
        _ = try scratch.trace("mark")
        try open("later", id: 5, secondsAgo: -100)
        let early = try scratch.trace("unplaced", "place", "last", "later")
        #expect(early.status == 64 && early.errors.contains("before the session's start"), "\(early)")
        try open("over", id: 6, secondsAgo: 1000)
        #expect(try scratch.trace("session", "close", "over", "--at", moment(-500)).status == 0)
        let late = try scratch.trace("unplaced", "place", "last", "over")
        #expect(late.status == 64 && late.errors.contains("after the session's end"), "\(late)")
        #expect(try scratch.trace("unplaced", "place", "last", "over", "--force").status == 0)
        #expect(try kept().isEmpty)
    }

    @Test func `a moment that nobody wants is dropped, and kept for some time`() throws {
        _ = try scratch.trace("mark", "Drop")
        let dropped = try scratch.trace("unplaced", "drop", "last")
        #expect(
            dropped.output == "dropped: <ulid> (kept at <scratch>/state/dropped/<ulid>.json)\n", "\(dropped)")
        #expect(try scratch.trace("unplaced", "drop", "last").status == 66)
        #expect(try scratch.names(in: "state/dropped").count == 1)
    }

    @Test func `a voice note is kept with its audio`() throws {
        try scratch.write("sound", to: "memo.wav")
        let told = try scratch.trace(
            "voice-note", "--media-file", "memo.wav", "--duration", "4s", "--offset", "now")
        #expect(told.status == 0 && told.output == "voice-note: <ulid>\n", "\(told)")
        #expect(told.errors.hasPrefix("kept: no session is open"))
        #expect(
            try scratch.trace("voice-note", "--media", "memo.wav", "--duration", "4s", "--offset", "now")
                .status
                == 66)
        try scratch.remove("memo.wav")
        try open("synced", id: 5, secondsAgo: 60)
        #expect(try scratch.trace("unplaced", "place", "last").status == 0)
        let id = try #require(
            try scratch.text("sessions/synced/voice_notes.jsonl", filled: false).firstMatch(
                of: #/"id":"(\w+)"/#)?.1)
        #expect(try scratch.text("sessions/synced/media/\(id).wav") == "sound")
        #expect(try scratch.names(in: "state/unplaced") == [])
    }

    // MARK: - On a terminal

    @Test(arguments: [("2", "b", 0), ("", "", 1), ("7", "", 1)])
    func `of two live sessions a terminal asks`(answer: String, session: String, count: Int) throws {
        try open("a", id: 1, title: "Monday")
        try open("b", id: 2, title: "Take two")
        let outcome = try scratch.shell(#"printf '\#(answer)\n' | script -qec '"$TRACE" mark' /dev/null"#)
        #expect(outcome.output.contains("  2  Take two (<scratch>/sessions/b)"), "\(outcome)")
        #expect(try markers("a").isEmpty && markers("b").isEmpty == (session != "b"))
        #expect(try kept().count == count)
    }

    @Test(arguments: [("n", 1), ("y", 0)]) func `whether the forgotten one is meant, a terminal asks`(
        answer: String, count: Int
    ) throws {
        try scratch.session("friday", id: 1, title: "Friday")
        let outcome = try scratch.shell(#"printf '\#(answer)\n' | script -qec '"$TRACE" mark' /dev/null"#)
        #expect(outcome.output.contains("never closed"), "\(outcome)")
        #expect(try kept().count == count && markers("friday").count == 1 - count)
    }

    // MARK: - A session is made

    @Test func `a new session names what is still open, and how to end it`() throws {
        try scratch.session("friday", id: 1, title: "Friday")
        try open("b", id: 2, title: "Take two")
        let made = try scratch.trace("session", "init", "--title", "Monday")
        #expect(
            made.errors.contains(
                "Take two (<scratch>/sessions/b) is still open, too; 'trace session close <scratch>/sessions/b' ends it\n"
            ),
            "\(made)")
        #expect(
            made.errors.contains(
                #/Friday \(<scratch>\/sessions\/friday\) is still open, though nothing has happened in it for \d+ days; 'trace session close <scratch>\/sessions\/friday --at last' ends it\n/#
            ),
            "\(made)")
    }

    // MARK: - A mistake in the configuration

    @Test func `a mistake in a setting that marking does not need is said, and passed over`() throws {
        try open("a", id: 1, title: "Monday")
        try scratch.write("http_connections: 0\nlog_levl: debug\n", to: "config.yaml")
        let told = try scratch.trace("mark", environment: ["TRACE_CONFIG": "config.yaml"])
        #expect(told.status == 0, "\(told)")
        #expect(told.errors.contains("warning: <scratch>/config.yaml:1: http_connections"), "\(told)")
        #expect(told.errors.contains("warning: <scratch>/config.yaml:2: unknown key 'log_levl'"), "\(told)")
        #expect(try markers("a").count == 1)
        #expect(
            try scratch.trace("markers", "list", environment: ["TRACE_CONFIG": "config.yaml"]).status == 78)
    }

    @Test(arguments: [
        "root: ~/music\n", "roots: [~/music\n", "library: ~/music\n", "state_directory: [a, b]\n", "roots:\n",
    ])
    func `one that may be about the roots keeps the moment in the default state directory`(config: String)
        throws
    {
        try open("a", id: 1, title: "Monday")
        try scratch.write(config, to: "config.yaml")
        // The variables that name the directories in tests would hide what the file says.
        let broken = [
            "TRACE_CONFIG": "config.yaml", "TRACE_ROOTS": "", "TRACE_STATE_DIRECTORY": "",
            "XDG_STATE_HOME": "\(scratch.path)/home-state",
        ]
        let told = try scratch.trace("mark", "Drop", environment: broken)
        #expect(told.status == 0 && told.output == "marker: <ulid>\n", "\(told)")
        #expect(told.errors.hasPrefix("kept: the configuration can't be used: "), "\(told)")
        #expect(try scratch.names(in: "home-state/trace/unplaced").count == 1)
        #expect(try scratch.trace("mark", "--offset", "2:00", environment: broken).status == 78)
        #expect(try scratch.trace("mark", "--no-queue", environment: broken).status == 78)
        // A path needs no root.
        #expect(try scratch.trace("mark", "sessions/a", "here", environment: broken).status == 0)
        #expect(try markers("a").count == 1)

        let corrected = ["XDG_STATE_HOME": "\(scratch.path)/home-state"]
        #expect(try scratch.trace("unplaced", "list", environment: corrected).output.contains("\tDrop\t"))
        #expect(
            try scratch.trace("queue", "flush", environment: corrected).output.contains("applied\t<ulid>"))
        #expect(try markers("a").count == 2)
        #expect(try scratch.names(in: "home-state/trace/unplaced") == [])
    }

    @Test func `config check tells all mistakes at once`() throws {
        try scratch.write(
            "http_connections: 0\nlog_levl: debug\nquiet_period: soon\n", to: "config.yaml")
        let told = try scratch.trace("config", "check", "config.yaml")
        #expect(told.status == 78)
        for key in ["http_connections", "log_levl", "quiet_period"] {
            #expect(
                told.errors.split(separator: "\n").filter { $0.hasPrefix("error: ") && $0.contains(key) }
                    .count == 1, "\(told)")
        }
        #expect(told.errors.split(separator: "\n").filter { $0.hasPrefix("error: ") }.count == 3)
        let json = try scratch.trace("config", "check", "config.yaml", "--json").output
        let object = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect((object["problems"] as? [Any])?.count == 3 && object["problem"] != nil)
    }
}
