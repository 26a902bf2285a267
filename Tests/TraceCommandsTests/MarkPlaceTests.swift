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

    @Test func `a single word is a session, and whoever meant a label is told`() throws {
        try scratch.session("a")
        let told = try scratch.trace("mark", "That groove")
        #expect(told.status == 66 && told.errors.contains("trace mark now 'That groove'\n"), "\(told)")
        #expect(try !scratch.trace("mark", "-s", "b", "0:05").errors.contains("trace mark now"))
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
                == "at 1:20.000 (80000 ms), 10 s before marker 'Too fast' at 1:30.000\n\(place)")
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
