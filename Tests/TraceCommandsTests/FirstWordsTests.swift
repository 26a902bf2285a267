import Foundation
import Testing

/// What a musician types first, besides `trace mark`.
struct FirstWordsTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func moment(_ seconds: Double) -> String {
        Date(timeIntervalSinceNow: seconds).formatted(
            .iso8601.year().month().day().timeZone(separator: .omitted).time(includingFractionalSeconds: true)
        )
    }

    // MARK: - Sessions

    @Test func `a session needs no name`() throws {
        let made = try scratch.trace("session", "init")
        #expect(made.status == 0, "\(made)")
        #expect(try scratch.names(in: "sessions").count == 1)
        #expect(try scratch.names(in: "sessions")[0].hasSuffix("-session"))
        #expect(try scratch.trace("session", "init").status == 0)
        #expect(try scratch.names(in: "sessions").contains { $0.hasSuffix("-session-2") })
    }

    @Test(arguments: [("y", true), ("n", false)])
    func `a bare word outside the roots may be a title, which a terminal asks`(answer: String, isTitle: Bool)
        throws
    {
        let made = try scratch.shell(
            #"printf '\#(answer)\n' | script -qec '"$TRACE" session init Monday' /dev/null"#)
        #expect(made.output.contains("is it the title of a session in <scratch>/sessions?"), "\(made)")
        #expect(scratch.exists("Monday/session.json") != isTitle)
        #expect(try scratch.names(in: "sessions").contains { $0.hasSuffix("-monday") } == isTitle)
    }

    @Test func `elsewhere a bare word is a directory, as scripts call it`() throws {
        let made = try scratch.trace("session", "init", "Monday")
        #expect(made.output == "created: <scratch>/Monday (id <ulid>)\n")
        #expect(made.errors.contains("it is below none of the roots"))
        let within = try scratch.shell(
            #"cd sessions && script -qec '"$TRACE" session init Monday' /dev/null < /dev/null"#)
        #expect(!within.output.contains("is it the title"), "\(within)")
        #expect(scratch.exists("sessions/Monday/session.json"))
    }

    @Test(arguments: ["late-set", "loop", "2026-10-21", "Late Se", "LOOP"])
    func `verbs that read take slugs and beginnings`(name: String) throws {
        try scratch.session("2026-02-04-late-set", id: 1, title: "Late Set")
        try scratch.session("2026-10-21-loop-practice", id: 2, title: "Practice")
        let isLate = name.lowercased().hasPrefix("late")
        let shown = try scratch.trace("session", "show", name)
        #expect(shown.output.hasPrefix("id: \(number(isLate ? 1 : 2))\n"), "\(shown)")
        #expect(try scratch.trace("-s", name, "markers", "list").status == 0)
        // What is written by a name is meant as a whole.
        let closed = try scratch.trace("session", "close", name, "--at", "2026-02-04T21:00Z")
        #expect((closed.status == 0) == (name == "late-set"), "\(closed)")
    }

    @Test func `a beginning that several have lists them`() throws {
        try scratch.session("2026-02-04-late-set", id: 1, title: "Late Set")
        try scratch.session("2026-02-11-loop", id: 2, title: "Loop")
        let told = try scratch.trace("session", "show", "2026-02")
        #expect(told.status == 64 && told.errors.contains("'2026-02' matches several sessions"), "\(told)")
    }

    // MARK: - Voice notes

    @Test func `a voice note without an offset is now, less its length`() throws {
        try scratch.session("a", id: 1, start: moment(-100))
        try scratch.write("sound", to: "memo.wav")
        let told = try scratch.trace("voice-note", "--media-file", "memo.wav", "--duration", "4s")
        #expect(told.status == 0, "\(told)")
        let text = try scratch.text("sessions/a/voice_notes.jsonl", filled: false)
        let offset = try #require(text.firstMatch(of: #/"offset_ms":(\d+)/#).flatMap { Int($0.1) })
        #expect((96_000..<126_000).contains(offset))
        #expect(told.errors.contains(", 4 s before now at "))
        // It can't have begun before the session.
        #expect(
            try scratch.trace("voice-note", "--media-file", "memo.wav", "--duration", "1h").errors.hasPrefix(
                "at 0:00.000 (0 ms)\n"))
    }

    // MARK: - Recordings

    @Test func `a recording may end its session`() throws {
        try scratch.write("RIFF", to: "take.wav")
        #expect(try scratch.trace("session", "init", "--title", "x", "--close").status == 64)
    }

    @Test func `a journal outside the roots is told as a session is`() throws {
        let made = try scratch.trace("journal", "init", "practice", "pinball")
        #expect(made.status == 0, "\(made)")
        #expect(
            made.errors == """
                warning: it is below none of the roots (<scratch>/sessions): 'trace practice' finds it only if the journal is given
                  hint: add the directory above it to 'roots' in the configuration, or create journals below a root

                """, "\(made)")
        #expect(try scratch.trace("journal", "init", "practice", "sessions/pinball").errors == "")
    }

    // MARK: - Where nothing is set up

    @Test(arguments: [
        ["markers", "list"], ["session", "show"], ["session", "close"], ["session", "pause"],
        ["digest", "show"],
        ["session", "show", "monday"], ["session", "show", "last"], ["export"], ["validate"],
        ["mark", "--offset", "2:00"],
        ["mark"], ["mark", "--no-queue"], ["voice-notes", "list"],
        ["marker", "edit", "last", "--label", "x"],
        ["digest", "generate"], ["action", "list"], ["media", "add", "--file", "x.m4a", "--offset", "0"],
        ["transcribe", "--text", "x"], ["import", "labels.txt"], ["tag", "rename", "a", "b"],
    ])
    func `every error leads to the one next command`(command: [String]) throws {
        try scratch.remove("sessions")
        try scratch.write("1.5\t1.5\tx\n", to: "labels.txt")
        try scratch.write("sound", to: "x.m4a")
        let told = try scratch.trace(command)
        #expect(
            told.errors.contains(
                "'trace session init --title Monday' creates a session and starts its clock"), "\(told)")
    }

    @Test(arguments: [
        ["sessions"], ["search", "riff"], ["timeline"], ["tag", "list"], ["markers", "list", "--all"],
        ["doctor"],
    ])
    func `so does every answer that has nothing to show`(command: [String]) throws {
        try scratch.remove("sessions")
        for _ in 0..<2 {
            let told = try scratch.trace(command)
            let text = told.output + told.errors
            #expect(text.contains("'trace session init --title Monday' creates a session"), "\(told)")
            #expect(!text.contains("config show roots"), "\(told)")
        }
        let home = try scratch.shell(
            "env -u TRACE_ROOTS -u XDG_DATA_HOME HOME=$PWD/home $TRACE \(command.joined(separator: " "))")
        #expect((home.output + home.errors).contains("nothing is set up yet"), "\(home)")
    }
}
