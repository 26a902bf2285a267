import Foundation
import Testing

struct MarkTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func line(_ offset: Int, _ more: String = "", tags: String = "") -> String {
        "{\"id\":\"<ulid>\",\"offset_ms\":\(offset),\"created_at\":\"<now>\",\"source\":\"user\",\(more)\"tags\":[\(tags)]}\n"
    }

    /// A marker that went into the session `a`.
    private func marked(_ echo: String) -> Outcome {
        Outcome("marker: <ulid>\n", errors: "at \(echo)\nin Set (<scratch>/sessions/a)\n")
    }

    // MARK: - Writing

    @Test
    func `a marker is one line, of session.json only the time changes, and the id is on standard output`()
        throws
    {
        try scratch.session("a")
        let header = try scratch.text("sessions/a/session.json")
        #expect(
            try scratch.trace("mark", "sessions/a", "--offset", "120000") == marked("2:00.000 (120000 ms)"))
        #expect(try scratch.text("sessions/a/markers.jsonl") == line(120_000))
        let updated = #""updated_at": "<now>""#
        #expect(
            try scratch.text("sessions/a/session.json")
                == header.replacing(#/"updated_at": "[^"]+"/#, with: updated))
        #expect(
            try scratch.names(in: "sessions/a") == [
                "markers.jsonl", "media", "session.json", "timeline.jsonl",
            ])
    }

    @Test func `everything that a marker can say is kept as it was typed`() throws {
        try scratch.copySample()
        let before = try scratch.text("sessions/2026-02-11-loop-practice/markers.jsonl")
        let outcome = try scratch.trace(
            "mark", "last", "--offset", "1:02:03.250", "--label", "Größe \"A\"\t", "--note", "- slow\\er",
            "--tag",
            "fix-review", "--tag", "", "--tag=highlight", "--duration", "1.5s", "--voice-note-id",
            "01KH6YR93PA9GSCWKPC4MCDKME")
        #expect(outcome.output == "marker: <ulid>\n")
        #expect(
            outcome.errors
                == "at 1:02:03.250 (3723250 ms)\nin Loop practice (<scratch>/sessions/2026-02-11-loop-practice)\n"
        )
        let added = """
            {"id":"<ulid>","offset_ms":3723250,"created_at":"<now>","source":"user","label":"Größe \\"A\\"\\t",\
            "note":"- slow\\\\er","tags":["fix-review","highlight"],"duration_ms":1500,\
            "voice_note_id":"01KH6YR93PA9GSCWKPC4MCDKME"}

            """
        #expect(try scratch.text("sessions/2026-02-11-loop-practice/markers.jsonl") == before + added)
    }

    @Test func `empty words are kept, empty names count as absent`() throws {
        try scratch.session("a")
        _ = try scratch.trace(
            "mark", "sessions/a", "--offset", "0", "--label", "", "--note", "", "--voice-note-id", "",
            "--tag", "")
        #expect(try scratch.text("sessions/a/markers.jsonl") == line(0, "\"label\":\"\",\"note\":\"\","))
    }

    @Test func `a value behind an equals sign may be empty, or look like anything`() throws {
        try scratch.session("a")
        let outcome = try scratch.trace(
            "mark", "--label=", "--note=--help", "--tag=", "--offset", "5ms", "--duration=", "-q",
            "sessions/a")
        #expect(outcome.errors.hasPrefix("error: '' is not an offset: it is empty\n"))
        _ = try scratch.trace("mark", "--label=", "--note=--help", "--tag=", "--offset", "5ms", "sessions/a")
        #expect(
            try scratch.text("sessions/a/markers.jsonl") == line(5, "\"label\":\"\",\"note\":\"--help\","))
    }

    @Test func `a word that looks like an option is a word`() throws {
        try scratch.session("a")
        _ = try scratch.trace("mark", "sessions/a", "--offset", "0", "--label", "--note", "--note", "-5 dBs")
        #expect(
            try scratch.text("sessions/a/markers.jsonl")
                == line(0, "\"label\":\"--note\",\"note\":\"-5 dBs\","))
    }

    @Test func `markers.jsonl is made where it is missing`() throws {
        try scratch.session("a")
        try scratch.remove("sessions/a/markers.jsonl")
        _ = try scratch.trace("mark", "sessions/a", "--offset", "7ms")
        #expect(try scratch.text("sessions/a/markers.jsonl") == line(7))
    }

    @Test func `a torn line is left alone, and told`() throws {
        try scratch.session("a", markers: "{\"id\":\"01")
        #expect(
            try scratch.trace("mark", "sessions/a", "--offset", "7ms")
                == Outcome(
                    "marker: <ulid>\n",
                    errors: """
                        at 0:00.007 (7 ms)
                        in Set (<scratch>/sessions/a)
                        warning: markers.jsonl (byte 0): the last line was already incomplete (9 bytes); it was left unchanged, and the new line was written after it; 'trace validate' shows it

                        """))
        #expect(try scratch.text("sessions/a/markers.jsonl") == "{\"id\":\"01\n" + line(7))
    }

    @Test func `as JSON it is the id, the place and where it went`() throws {
        try scratch.session("a")
        #expect(
            try scratch.trace("mark", "--offset", "90s", "--json", "--quiet")
                == Outcome(
                    #"{"id":"<ulid>","offset_ms":90000,"session_path":"<scratch>/sessions/a","session_id":"\#(number(1))","queued":false}"#
                        + "\n"
                ))
        #expect(
            try scratch.trace("mark", number(9), "--offset", "90s", "--json", "--quiet")
                == Outcome(
                    "{\"id\":\"<ulid>\",\"offset_ms\":90000,\"session_id\":\"\(number(9))\",\"queued\":true}\n"
                ))
    }

    @Test func `the session is named that it went to, which may be another than was made last`() throws {
        try scratch.session("a", title: #"Se\u001b[31mt\n练习"#)
        let made = try scratch.trace("session", "init", "new", "--title", "New")
        #expect(
            made.errors.hasPrefix("warning: it is below none of the roots (<scratch>/sessions)"), "\(made)")
        let marked = try scratch.trace("mark", "--offset", "5ms")
        #expect(marked.errors.hasPrefix("at 0:00.005 (5 ms)\nin Se"), "\(marked)")
        #expect(marked.errors.hasSuffix("练习 (<scratch>/sessions/a)\n"), "\(marked)")
        #expect(marked.errors.split(separator: "\n").count == 2 && !marked.errors.contains("\u{1B}"))
        #expect(
            try scratch.trace("mark", "new", "--offset", "5ms").errors.hasSuffix("\nin New (<scratch>/new)\n")
        )
        try scratch.session("b", id: 2, title: nil)
        let untitled = try scratch.trace("mark", "sessions/b", "--offset", "5ms", "--json")
        #expect(untitled.errors.hasSuffix("\nin <scratch>/sessions/b\n"), "\(untitled)")
    }

    // MARK: - Offsets

    @Test(arguments: [
        ("0", "0:00.000 (0 ms)"), ("2:00", "2:00.000 (120000 ms)"), ("90s", "1:30.000 (90000 ms)"),
        ("1h2m3s", "1:02:03.000 (3723000 ms)"), ("250ms", "0:00.250 (250 ms)"),
        ("+5s", "1:05.000 (65000 ms), 5 s after marker at 1:00.000"),
        ("-10s", "0:50.000 (50000 ms), 10 s before marker at 1:00.000 ('now-10s' counts from now)"),
        ("120000.0", "2:00.000 (120000 ms)"),
    ])
    func `an offset is echoed as it was read, whichever way it is given`(text: String, echo: String) throws {
        try scratch.session("a", markers: marker(10, at: 90000) + marker(11, at: 60000))
        #expect(try scratch.trace("mark", "--offset", text) == marked(echo))
        try scratch.session("a", markers: marker(10, at: 90000) + marker(11, at: 60000))
        #expect(try scratch.trace("mark", "--offset=\(text)", "sessions/a") == marked(echo))
    }

    @Test func `now is the time that has passed, and the end of what is closed is its length`() throws {
        try scratch.session("a", start: "2999-01-01T00:00:00.000Z")
        try scratch.closedSession("b", id: 2, title: "Closed")
        let closed = "at 2:00.000 (120000 ms)\nin Closed (<scratch>/sessions/b)\n"
        // That the clock is before such a start is said.
        let early = marked(
            """
            0:00.000 (0 ms)
            warning: the clock is at <now>, before the session's start at 2999-01-01T00:00:00.000Z
              hint: set the clock if it is wrong; if the start is wrong, correct it with 'trace session edit <scratch>/sessions/a --start TIME'
            """)
        #expect(try scratch.trace("mark", "--offset", "now") == early)
        #expect(try scratch.trace("mark", "--offset", "end") == early)
        #expect(try scratch.trace("mark", "closed", "--offset", "end").errors == closed)
        #expect(
            try scratch.trace("mark", "closed", "--offset", "now")
                == .failure(
                    64,
                    """
                    'now' is valid only in an active session
                      hint: write an offset, or 'end'
                    """))
    }

    @Test(arguments: [
        ("", "'' is not an offset: it is empty"),
        ("2:60", "'2:60' is not an offset: seconds must be below 60, not '60'"),
        ("90x", "'90x' is not an offset: 'x' is not h, m, s or ms"),
        ("-5", "'-5' is not an offset: a unit is missing"),
        ("+5", "'+5' is not an offset: a unit is missing"),
    ])
    func `an offset that is none says how it was read`(text: String, message: String) throws {
        try scratch.session("a")
        #expect(
            try scratch.trace("mark", "--offset", text)
                == .failure(
                    64,
                    """
                    \(message)
                      hint: write milliseconds (120000), a time (2:00, 1:02:03.250), units (90s, 1h2m3s, 250ms), now, now-10s, end, or +5s and -10s from the last marker
                    """))
        #expect(try scratch.text("sessions/a/markers.jsonl") == "")
    }

    @Test func `a place before the start or after the end is an error that shows how it was read`() throws {
        try scratch.closedSession("a", markers: marker(10, at: 3000))
        #expect(
            try scratch.trace("mark", "set", "--offset", "-10s")
                == .failure(64, "'-10s' means -0:07.000 (-7000 ms), which is before the session's start"))
        #expect(
            try scratch.trace("mark", "set", "--offset", "3:00")
                == .failure(
                    64,
                    """
                    '3:00' means 3:00.000 (180000 ms), but the session ends at 2:00.000
                      hint: write an offset up to 2:00.000, such as 5s (seconds) or 5m (minutes), or add --force to mark after the end
                    """))
        #expect(try scratch.text("sessions/a/markers.jsonl") == marker(10, at: 3000))
        #expect(
            try scratch.trace("mark", "set", "--offset", "3:00", "--force") == marked("3:00.000 (180000 ms)"))
    }

    @Test func `a bare number that looks like seconds raises a doubt`() throws {
        try scratch.closedSession("a")
        #expect(
            try scratch.trace("mark", "set", "--offset", "90")
                == Outcome(
                    "marker: <ulid>\n",
                    errors: """
                        at 0:00.090 (90 ms)
                        warning: '90' is milliseconds; did you mean 90s?
                        in Set (<scratch>/sessions/a)

                        """))
    }

    @Test func `from the last marker there must be one`() throws {
        try scratch.session("a")
        #expect(
            try scratch.trace("mark", "--offset", "+5s")
                == .failure(
                    64,
                    """
                    '+5s' counts from the last marker, but there is none
                      hint: write an offset
                    """))
    }

    // MARK: - What is refused

    @Test func `a marker that would break the format is not written`() throws {
        try scratch.session("a")
        let before = try scratch.tree("sessions")
        // Nothing is said before it that is said of a marker which was written.
        #expect(
            try scratch.trace("mark", "--offset", "5ms", "--tag", "Two Words")
                == .failure(
                    64,
                    """
                    'Two Words' is not a valid tag; nothing was written
                      hint: use lower-case letters, digits, - and _, beginning with a letter or digit, such as 'two-words'
                    """))
        #expect(
            try scratch.trace("mark", "--offset", "5ms", "--voice-note-id", "x")
                == .failure(64, "voice_note_id 'x' is not a ULID"))
        #expect(
            try scratch.trace("mark", "--offset", "5ms", "--duration", "x").errors.hasPrefix("error: "))
        #expect(try scratch.tree("sessions") == before)
    }

    @Test func `a voice note that is not there is an error, and nothing is queued`() throws {
        try scratch.session("a")
        let before = try scratch.tree("sessions")
        #expect(
            try scratch.trace("mark", "--offset", "5ms", "--voice-note-id", number(20), "--quiet")
                == .failure(
                    66,
                    """
                    <scratch>/sessions/a/voice_notes.jsonl: voice note not found: \(number(20)) [no-such-record]
                      hint: 'trace voice-notes list' lists the ids; if it is in another session, give that with --session
                    """))
        #expect(try scratch.tree("sessions") == before)
        #expect(!scratch.exists("state/queue"))
    }

    // MARK: - Queueing

    /// The one entry that waits.
    private func queued() throws -> String {
        let names = try scratch.names(in: "state/queue")
        try #require(names.count == 1)
        return try scratch.text("state/queue/\(names[0])")
    }

    @Test(arguments: ["01KHET390YJXCMFWAKKNBFCD1M", "01khet390yjxcmfwakknbfcd1m"])
    func `a whole id of a session that is nowhere is queued`(id: String) throws {
        #expect(
            try scratch.trace("mark", id, "--offset", "1:27.2", "--label", "First loop")
                == Outcome(
                    "marker: <ulid>\n",
                    errors: "at 1:27.200 (87200 ms)\nqueued (1 pending): the session was not found\n"))
        #expect(
            try queued() == """
                {"id":"<ulid>","kind":"marker","session_id":"01KHET390YJXCMFWAKKNBFCD1M","created_at":"<now>","payload":\
                {"id":"<ulid>","offset_ms":87200,"created_at":"<now>","source":"user","label":"First loop","tags":[]}}

                """)
    }

    @Test func `so is a session whose disk is gone, if the index knows it`() throws {
        try scratch.session("a")
        _ = try scratch.trace("sessions")
        #expect(try scratch.shell("mv sessions away") == Outcome())
        #expect(
            try scratch.trace("mark", "sessions/a", "--offset", "5ms")
                == Outcome(
                    "marker: <ulid>\n",
                    errors: "at 0:00.005 (5 ms)\nqueued (1 pending): the session was not found\n"))
        #expect(try queued().contains("\"session_id\":\"\(number(1))\""))
        #expect(try scratch.trace("mark", "sessions/b", "--offset", "5ms").status == 66)
        try scratch.makeDirectory("sessions")
        #expect(
            try scratch.trace("mark", "sessions/a", "--offset", "5ms").status == 66,
            "its root is here, and it is not")
    }

    @Test
    func `a word that begins like an offset is told to be none, and a mistyped session to be not there`()
        throws
    {
        try scratch.session("a")
        #expect(
            try scratch.trace("mark", "12x", "Too fast")
                == .failure(
                    66,
                    """
                    '12x' is not an offset, and no session is named '12x' in <scratch>/sessions [no-such-session]
                      hint: write an offset such as 12s, 2:00 or 1h2m3s; for a session, give a directory, an id, a title or 'last'; \
                    'trace sessions' lists them
                    """))
        #expect(
            try scratch.trace("mark", "2026-02-04-lat", "2:00", "Too fast").errors.hasPrefix(
                "error: no session is named '2026-02-04-lat' in "))
    }

    @Test func `but not where that is not wanted`() throws {
        #expect(
            try scratch.trace("mark", number(9), "--offset", "1", "--no-queue")
                == .failure(
                    66,
                    """
                    no session is named '\(number(9))' in <scratch>/sessions [no-such-session]
                      hint: 'trace session init --title Monday' creates a session and starts its clock
                    """))
        #expect(!scratch.exists("state/queue"))
    }

    /// The id that a command printed and the one that it queued; what is the same in both.
    private func idIsTheSame(_ arguments: String...) throws -> Bool {
        let script = (["\"$TRACE\" -q"] + arguments.map { "'\($0)'" }).joined(separator: " ")
        let check = "id=$(\(script)) && [ -f state/queue/\"${id#marker: }\".json ]"
        return try scratch.shell(check).status == 0
    }

    @Test func `a session that can't be written keeps its markers in the queue, and gets them when it can`()
        throws
    {
        try scratch.session("a")
        try scratch.remove("sessions/a/markers.jsonl")
        try scratch.makeDirectory("sessions/a/markers.jsonl")
        let reason = """
            <scratch>/sessions/a/markers.jsonl: cannot open for appending: Is a directory [not-regular-file]
              hint: put a regular file in its place
            """
        let failed = try scratch.trace("mark", "--offset", "5ms", "--no-queue")
        #expect(failed == Outcome(errors: "at 0:00.005 (5 ms)\nerror: \(reason)\n", status: 74))
        #expect(!scratch.exists("state/queue"))
        #expect(
            try scratch.trace("mark", "--offset", "5ms")
                == Outcome("marker: <ulid>\n", errors: "at 0:00.005 (5 ms)\nqueued (1 pending): \(reason)\n"))
        try scratch.remove("state/queue")
        #expect(try idIsTheSame("mark", "--offset", "5ms"))
        try scratch.remove("sessions/a/markers.jsonl")
        #expect(try scratch.trace("queue", "flush").status == 0)
        #expect(try scratch.text("sessions/a/markers.jsonl") == line(5))
        #expect(try scratch.trace("validate", "sessions/a") == Outcome("ok: sessions/a\n"))
    }

    @Test(.enabled(if: ImmutableFiles.canBeMade, "chattr +i needs root and a file system that has it"))
    func `so does one whose files are read-only`() throws {
        try scratch.session("a")
        try #require(try scratch.shell("chattr +i sessions/a/markers.jsonl") == Outcome())
        let outcome = try scratch.trace("mark", "--offset", "5ms", "-q")
        _ = try scratch.shell("chattr -i sessions/a/markers.jsonl")
        #expect(outcome == Outcome("marker: <ulid>\n"))
        #expect(try scratch.text("sessions/a/markers.jsonl") == "")
        #expect(try scratch.trace("queue", "flush").status == 0)
        #expect(try scratch.text("sessions/a/markers.jsonl") == line(5))
    }

    @Test(.enabled(if: ImmutableFiles.canBeMade, "chattr +i needs root and a file system that has it"))
    func `a marker that stands while session.json can't be updated is told, and session.json follows later`()
        throws
    {
        try scratch.session("a")
        try #require(try scratch.shell("chattr +i sessions/a/session.json") == Outcome())
        let outcome = try scratch.trace("mark", "--offset", "5ms")
        _ = try scratch.shell("chattr -i sessions/a/session.json")
        #expect(outcome.output == "marker: <ulid>\n" && outcome.status == 0)
        #expect(
            outcome.errors.contains(
                "warning: the marker was written, but session.json is out of date: cannot"))
        #expect(try scratch.text("sessions/a/markers.jsonl") == line(5))
        #expect(try scratch.trace("queue", "flush").output == "flushed: nothing waited\n")
        #expect(try scratch.text("sessions/a/markers.jsonl") == line(5))
        #expect(try scratch.text("sessions/a/session.json").contains(#""updated_at": "<now>""#))
    }

    @Test func `a marker that stands is no failure where session.json is torn, and is not queued`() throws {
        try scratch.session("a")
        let header = try scratch.text("sessions/a/session.json")
        try scratch.write("", to: "sessions/a/session.json")
        let outcome = try scratch.trace("mark", "sessions/a", "--offset", "2ms", "--json")
        #expect(
            outcome.output
                == #"{"id":"<ulid>","offset_ms":2,"session_path":"<scratch>/sessions/a","queued":false}"#
                + "\n")
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("warning: the marker was written, but session.json is out of date"))
        #expect(try scratch.text("sessions/a/markers.jsonl") == line(2))
        #expect(!scratch.exists("state/queue"))
        try scratch.write(header, to: "sessions/a/session.json")
        #expect(try scratch.trace("queue", "flush").status == 0)
        #expect(try scratch.text("sessions/a/session.json").contains(#""updated_at": "<now>""#))
        #expect(try scratch.names(in: "state/headers") == [])
    }

    @Test func `links that go round in circles keep a marker in the queue`() throws {
        try scratch.session("a")
        try #require(
            try scratch.shell("ln -sf markers.jsonl sessions/a/markers.jsonl") == Outcome())
        let outcome = try scratch.trace("mark", "sessions/a", "--offset", "2ms", "-q")
        #expect(outcome == Outcome("marker: <ulid>\n"))
        #expect(try queued().contains("\"session_id\":\"\(number(1))\""))
    }

    @Test func `a directory that is exchanged all the time gets no marker that is meant for another session`()
        throws
    {
        try scratch.session("a")
        try scratch.session("b", id: 2)
        let link = "\(scratch.path)/here"
        let isStopping = DispatchSemaphore(value: 0)
        let hasStopped = DispatchSemaphore(value: 0)
        let sessions = scratch.sessions
        try #require(symlink("\(sessions)/a", link) == 0)
        Thread.detachNewThread {
            while isStopping.wait(timeout: .now()) == .timedOut {
                for name in ["a", "b"] {
                    symlink("\(sessions)/\(name)", link + ".new")
                    rename(link + ".new", link)
                }
            }
            hasStopped.signal()
        }
        defer {
            isStopping.signal()
            hasStopped.wait()
        }
        let script = """
            for n in $(seq 25); do "$TRACE" mark here/ --offset $n --json -q || echo failed; done
            """
        let outcome = try scratch.shell(script)
        var strangers: [Substring] = []
        for answer in outcome.output.split(separator: "\n") where !answer.contains(#""queued":true"#) {
            let offset = try #require(answer.firstMatch(of: #/"offset_ms":(\d+)/#)?.1)
            let id = try #require(answer.firstMatch(of: #/"session_id":"(\w+)"/#)?.1)
            let own = id == number(1) ? "a" : "b"
            let other = own == "a" ? "b" : "a"
            let wanted = "\"offset_ms\":\(offset),"
            if try !scratch.text("sessions/\(own)/markers.jsonl").contains(wanted)
                || scratch.text("sessions/\(other)/markers.jsonl").contains(wanted)
            {
                strangers.append(answer)
            }
        }
        #expect(strangers == [])
        #expect(outcome.output.split(separator: "\n").count == 25)
    }

    @Test func `so does one that another program has locked`() throws {
        try scratch.session("a")
        let directory = open("\(scratch.sessions)/a", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(directory) }
        try #require(flock(directory, LOCK_EX) == 0)
        #expect(
            try scratch.trace("mark", "--offset", "5ms")
                == Outcome(
                    "marker: <ulid>\n",
                    errors: """
                        at 0:00.005 (5 ms)
                        queued (1 pending): <scratch>/sessions/a: is being written by another process, and still was \
                        after 10.0 seconds [session-locked]
                          hint: wait for that process to finish (fuser -v shows which one it is), then try again

                        """))
        #expect(try scratch.text("sessions/a/markers.jsonl") == "")
    }

    @Test func `where not even the session's id can be read, the error says so`() throws {
        try scratch.session("a")
        for file in ["session.json", "markers.jsonl"] {
            try scratch.remove("sessions/a/\(file)")
            try scratch.makeDirectory("sessions/a/\(file)")
        }
        #expect(
            try scratch.trace("mark", "sessions/a", "--offset", "5ms", "-q")
                == .failure(
                    65,
                    """
                    the marker can't be queued: the session's id can't be read \
                    (<scratch>/sessions/a/markers.jsonl: cannot open for appending: Is a directory [not-regular-file]
                      hint: put a regular file in its place)
                    """))
    }
}

/// Files that not even root can write, where the file system has them.
enum ImmutableFiles {
    static let canBeMade: Bool = {
        guard getuid() == 0, let scratch = try? Scratch() else { return false }
        return (try? scratch.shell(": >x && chattr +i x && chattr -i x"))?.status == 0
    }()
}
