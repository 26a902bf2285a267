import Foundation
import Testing

/// `trace mark` with as few words as can be, and offsets that are told back.
struct MarkPlaceTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Makes the session's `start_time` so many seconds ago.
    private func start(_ session: String, secondsAgo: Double) throws {
        let moment = Date(timeIntervalSinceNow: -secondsAgo).formatted(
            .iso8601.year().month().day().timeZone(separator: .omitted).time(includingFractionalSeconds: true)
        )
        for (name, keys) in [
            ("session.json", "created_at|updated_at|start_time"), ("timeline.jsonl", "wall_time|created_at"),
        ] {
            let file = "sessions/\(session)/\(name)"
            let pattern = try Regex("\"(\(keys))\":( ?)\"[^\"]+\"")
            let text = try scratch.text(file, filled: false).replacing(pattern) { match in
                "\"\(match[1].substring ?? "")\":\(match[2].substring ?? "")\"\(moment)\""
            }
            try scratch.write(text, to: file)
        }
    }

    /// What stands in the last line of a session's markers.
    private func last(_ session: String = "a") throws -> [String: Any] {
        let line = try scratch.text("sessions/\(session)/markers.jsonl", filled: false).split(separator: "\n")
            .last
        return try #require(
            JSONSerialization.jsonObject(with: Data((line ?? "{}").utf8)) as? [String: Any])
    }

    private func offset(_ session: String = "a") throws -> Int {
        try last(session)["offset_ms"] as? Int ?? -1
    }

    // MARK: - Words

    @Test func `alone it marks now in the active session`() throws {
        try scratch.session("a")
        try start("a", secondsAgo: 100)
        #expect(try scratch.trace("mark").status == 0)
        #expect((100_000..<130_000).contains(try offset()))
        #expect(try last()["label"] == nil)
    }

    @Test(arguments: [
        ["2:00", "That groove"], ["sessions/a", "2:00", "That groove"],
        ["sessions/a", "That groove", "--offset", "2:00"],
        ["2:00", "--label", "That groove"], ["sessions/a", "--offset", "2:00", "--label", "That groove"],
        [number(1), "120s", "That groove"],
    ])
    func `session, offset and label need no option`(words: [String]) throws {
        try scratch.session("a")
        #expect(try scratch.trace(["mark"] + words).status == 0)
        #expect(try offset() == 120_000)
        #expect(try last()["label"] as? String == "That groove")
    }

    @Test func `a label needs no offset behind a session`() throws {
        try scratch.session("a")
        try start("a", secondsAgo: 50)
        #expect(try scratch.trace("mark", "sessions/a", "That groove").status == 0)
        #expect((50_000..<80_000).contains(try offset()))
        #expect(try last()["label"] as? String == "That groove")
    }

    @Test func `a word that is an offset and a session is neither`() throws {
        try scratch.session("2:00")
        let told = try scratch.trace("mark", "2:00")
        #expect(told.status == 64)
        #expect(
            told.errors.contains("'2:00' is an offset, but also the session <scratch>/sessions/2:00")
                && told.errors.contains("--offset 2:00") && told.errors.contains("./2:00"))
        #expect(try scratch.text("sessions/2:00/markers.jsonl") == "")
        #expect(try scratch.trace("mark", "--session", "sessions/2:00", "--offset", "2:00").status == 0)
        #expect(try offset("2:00") == 120_000)
    }

    @Test func `a directory outside of the roots is a session, too, where a word is an offset`() throws {
        try scratch.session("2:00")
        try FileManager.default.moveItem(atPath: "\(scratch.sessions)/2:00", toPath: "\(scratch.path)/2:00")
        let told = try scratch.trace("mark", "2:00")
        #expect(told.status == 64 && told.errors.contains("also the session <scratch>/2:00"), "\(told)")
        try scratch.makeDirectory("3:00")
        #expect(try !scratch.trace("mark", "3:00").errors.contains("also the session"))
    }

    @Test(arguments: [["2:60"], ["sessions/a", "2:60"], ["sessions/a", "1.2345s", "x"], ["+5"]])
    func `an offset with a slip in it is neither a session nor a label`(words: [String]) throws {
        try scratch.session("a")
        let told = try scratch.trace(["mark"] + words)
        #expect(told.status == 64 && told.errors.contains("is not an offset: "), "\(told)")
        #expect(try scratch.text("sessions/a/markers.jsonl") == "")
        try scratch.session("2:60", id: 2)
        #expect(try scratch.trace("mark", "2:60", "0:05").status == 0)
    }

    @Test(arguments: [["That groove"], ["That groove", "now-10s"], ["now-10s", "That groove"]])
    func `a word that is no session is the label`(words: [String]) throws {
        try scratch.session("a")
        try start("a", secondsAgo: 100)
        let told = try scratch.trace(["mark"] + words)
        #expect(told.status == 0 && !told.errors.contains("is the label"), "\(told)")
        #expect(try last()["label"] as? String == "That groove")
        let isEarlier = words.contains("now-10s")
        #expect(try (isEarlier ? 90_000..<120_000 : 100_000..<130_000).contains(offset()))
    }

    @Test(arguments: ["sessions/nobody", "./nobody", number(9)])
    func `a path and a whole id are the session`(word: String) throws {
        try scratch.session("a")
        try start("a", secondsAgo: 100)
        let told = try scratch.trace("mark", word)
        #expect(try scratch.text("sessions/a/markers.jsonl") == "", "\(told)")
        #expect(
            word == number(9)
                || told.status == 66
                    && told.errors.contains("for a marker of that name: trace mark now \(word)")
        )
    }

    @Test(arguments: ["2026-02-04-late-set", "late-set", "Late Night", "late night"])
    func `the name of an open session is that session, by directory, slug or title`(word: String) throws {
        try scratch.session("2026-02-04-late-set", id: 1, title: "Late Night")
        try scratch.session("other", id: 2, title: "Other")
        for name in ["2026-02-04-late-set", "other"] { try start(name, secondsAgo: 100) }
        #expect(try scratch.trace("mark", word, "Drop").status == 0)
        #expect(try last("2026-02-04-late-set")["label"] as? String == "Drop")
        #expect(try scratch.text("sessions/other/markers.jsonl") == "")
    }

    @Test func `a closed session of that name is meant where an offset or another label is given`() throws {
        try scratch.session("2026-02-04-late-set", id: 1, title: "Late")
        #expect(
            try scratch.trace("session", "close", "2026-02-04-late-set", "--at", "2026-02-04T21:00Z").status
                == 0)
        try scratch.session("live", id: 2, title: "Live")
        try start("live", secondsAgo: 100)
        let told = try scratch.trace("mark", "late-set")
        #expect(told.status == 0, "\(told)")
        #expect(
            told.errors.contains(
                "'late-set' is the label: Late (<scratch>/sessions/2026-02-04-late-set) is closed; an offset or '--session 2026-02-04-late-set' means that session\n"
            ),
            "\(told)")
        #expect(try last("live")["label"] as? String == "late-set")
        #expect(try scratch.trace("mark", "late-set", "2:00").status == 0)
        #expect(try scratch.trace("mark", "late-set", "--offset", "3:00", "--label", "x").status == 0)
        #expect(try offset("2026-02-04-late-set") == 180_000)
        #expect(try scratch.text("sessions/live/markers.jsonl").split(separator: "\n").count == 1)
    }

    @Test func `a name that two sessions have had is the open one's`() throws {
        try scratch.session("2026-02-04-monday", id: 1, title: "Monday")
        #expect(
            try scratch.trace("session", "close", "2026-02-04-monday", "--at", "2026-02-04T21:00Z").status
                == 0)
        try scratch.session("2026-02-11-monday", id: 2, title: "Monday")
        try start("2026-02-11-monday", secondsAgo: 100)
        #expect(try scratch.trace("mark", "monday", "Drop").status == 0)
        #expect(try last("2026-02-11-monday")["label"] as? String == "Drop")
    }

    @Test func `what is nearly the name of an open session is the label, and that is said`() throws {
        try scratch.session("2026-02-11-monday", id: 2, title: "Monday")
        try start("2026-02-11-monday", secondsAgo: 100)
        for word in ["mondy", "mond"] {
            let told = try scratch.trace("mark", word)
            #expect(
                told.errors.contains(
                    "'\(word)' is the label; '--session 2026-02-11-monday' means Monday (<scratch>/sessions/2026-02-11-monday)\n"
                ),
                "\(told)")
            #expect(try last("2026-02-11-monday")["label"] as? String == word)
        }
        let asked = try scratch.shell(#"printf 'y\n' | script -qec '"$TRACE" mark mondy' /dev/null"#)
        #expect(asked.output.contains("is the session Monday"), "\(asked)")
        #expect(try last("2026-02-11-monday")["label"] == nil)
        #expect(try scratch.trace("mark", "--session", "mond").status == 0)
    }

    @Test func `a word with a sign is an offset from the last marker`() throws {
        try scratch.session("a")
        try start("a", secondsAgo: 100)
        _ = try scratch.trace("mark", "0:30", "Too fast")
        let told = try scratch.trace("mark", "-5s", "late")
        #expect(told.status == 0, "\(told)")
        #expect(
            told.errors.hasPrefix(
                "at 0:25.000 (25000 ms), 5 s before marker 'Too fast' at 0:30.000 ('now-5s' counts from now)\n"
            ),
            "\(told)")
        #expect(try last()["label"] as? String == "late")
        #expect(try scratch.trace("mark", "+10s", "later").status == 0)
        #expect(try offset() == 35_000 && last()["label"] as? String == "later")
        #expect(try scratch.trace("--quiet", "mark", "sessions/a", "-5s", "x").status == 0)
        #expect(try offset() == 30_000)
        #expect(try scratch.trace("mark", "-5").errors.contains("a unit is missing"))
        #expect(try scratch.trace("mark", "--label", "-5s").status == 0)
        #expect(try last()["label"] as? String == "-5s")
    }

    @Test func `before the first marker the other spelling is the cure`() throws {
        try scratch.session("a")
        try start("a", secondsAgo: 100)
        #expect(
            try scratch.trace("mark", "-5s")
                == .failure(
                    64,
                    """
                    '-5s' counts from the last marker, but there is none
                      hint: write an offset, or now-5s for as long before now
                    """))
    }

    @Test func `words that are left over are not dropped`() throws {
        try scratch.session("a")
        for words in [
            ["2:00", "That", "groove"], ["sessions/a", "2:00", "x", "y"], ["2:00", "x", "--label", "y"],
        ] {
            let told = try scratch.trace(["mark"] + words)
            #expect(told.status == 64 && told.errors.contains("too many words"), "\(words)")
        }
        #expect(try scratch.text("sessions/a/markers.jsonl") == "")
    }

    // MARK: - Places

    private let place = "in Set (<scratch>/sessions/a)\n"

    @Test func `ten seconds ago is ten seconds before now`() throws {
        try scratch.session("a")
        try start("a", secondsAgo: 100)
        let told = try scratch.trace("mark", "now-10s")
        #expect(told.status == 0)
        #expect((90_000..<120_000).contains(try offset()))
        #expect(told.errors.contains(#/, 10 s before now at 1:[0-9.]+\n/#))
        #expect(try scratch.trace("mark", "now-1h").errors.contains("before the session's start"))
        for typed in ["now-10", "now+5s", "now-", "now-x"] {
            let told = try scratch.trace("mark", "--offset", typed)
            #expect(told.status == 64 && told.errors.contains("'\(typed)' is not an offset"), "\(typed)")
        }
    }

    @Test func `an offset from the last marker tells which one that is`() throws {
        try scratch.session("a")
        _ = try scratch.trace("mark", "1:30", "Too fast")
        #expect(
            try scratch.trace("mark", "--offset", "-10s").errors
                == "at 1:20.000 (80000 ms), 10 s before marker 'Too fast' at 1:30.000 ('now-10s' counts from now)\n\(place)"
        )
        #expect(
            try scratch.trace("mark", "--offset", "+1.5s").errors
                == "at 1:21.500 (81500 ms), 1.5 s after marker at 1:20.000\n\(place)")
        #expect(
            try scratch.trace("mark", "--offset", "+2m5s").errors
                == "at 3:26.500 (206500 ms), 2:05 after marker at 1:21.500\n\(place)")
    }

    @Test func `what is likely to be a slip is told, and written all the same`() throws {
        try scratch.session("a")
        try start("a", secondsAgo: 60)
        #expect(
            try scratch.trace("mark", "--offset", "90").errors
                == "at 0:00.090 (90 ms)\nwarning: '90' is milliseconds; did you mean 90s?\n\(place)")
        let told = try scratch.trace("mark", "10:00").errors
        #expect(
            told.wholeMatch(
                of:
                    #/at 10:00\.000 \(600000 ms\)\nwarning: 10:00\.000 is in the session's future: its clock is at 1:[0-9.]+\nin .*\n/#
            ) != nil, "\(told)")
        #expect(try scratch.text("sessions/a/markers.jsonl").split(separator: "\n").count == 2)
        #expect(try scratch.trace("mark", "--offset", "0.5s").errors == "at 0:00.500 (500 ms)\n\(place)")
    }

    @Test func `while a session is paused now stands still`() throws {
        try scratch.session("a")
        try start("a", secondsAgo: 100)
        let paused = try scratch.trace("session", "pause", "sessions/a")
        #expect(paused.output.wholeMatch(of: #/paused: sessions\/a \(at 10\d{4}ms\)\n/#) != nil, "\(paused)")
        _ = try scratch.trace("mark")
        let first = try offset()
        _ = try scratch.trace("mark", "sessions/a", "later")
        #expect(try offset() == first)
        #expect(try scratch.trace("session", "pause", "sessions/a").status == 65)
        let resumed = try scratch.trace("session", "resume", "sessions/a")
        #expect(resumed.output.hasPrefix("resumed: sessions/a (at \(first)ms, paused for "), "\(resumed)")
        #expect(try scratch.trace("session", "resume", "sessions/a").status == 65)
        #expect(try scratch.trace("validate", "sessions/a").status == 0)
        #expect(try scratch.trace("session", "close", "sessions/a").status == 0)
        #expect(try scratch.trace("validate", "sessions/a").status == 0)
    }
}
