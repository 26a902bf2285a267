import Foundation
import Testing

/// `trace position`.
struct PositionTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.closedSession("a")
    }

    private func set(_ offset: String, _ more: String...) throws -> Outcome {
        try scratch.trace(["position", "sessions/a", "--set", offset, "--person", "ann"] + more)
    }

    @Test func `what is set is shown, and nothing is written into the session`() throws {
        let before = try scratch.tree("sessions")
        #expect(try set("1:30", "--at", "2026-02-05T20:15Z") == Outcome("position: 1:30.000\n"))
        #expect(
            try scratch.trace("position", "sessions/a", "--person", "ann")
                == Outcome("90000\t2026-02-05T20:15:00.000Z\n"))
        #expect(
            try scratch.trace("position", "sessions/a", "--person", "ann", "--json")
                == Outcome(
                    """
                    {"session_path":"<scratch>/sessions/a","session_id":"\(number(1))","person":"ann",\
                    "offset_ms":90000,"at":"2026-02-05T20:15:00.000Z"}

                    """))
        #expect(try scratch.tree("sessions") == before)
        #expect(try scratch.names(in: "state/positions") == ["ann.json"])
    }

    @Test func `the user is the person if nobody else is named, and now the moment`() throws {
        #expect(
            try scratch.trace("position", "--set", "end")
                == Outcome(
                    "position: 2:00.000\n",
                    errors: "no session is active; this is the last one, Set (<scratch>/sessions/a)\n"))
        let user = try scratch.shell("id -un").output.dropLast()
        #expect(
            try scratch.trace("position", "last", "--json")
                == Outcome(
                    """
                    {"session_path":"<scratch>/sessions/a","session_id":"\(number(1))","person":"\(user)",\
                    "offset_ms":120000,"at":"<now>"}

                    """))
        #expect(try scratch.trace("position", "last") == Outcome("120000\t<now>\n"))
    }

    @Test func `where none is known the exit status says so`() throws {
        #expect(
            try scratch.trace("position", "last", "--person", "bob") == Outcome("no position\n", status: 1))
        #expect(
            try scratch.trace("position", "last", "--person", "bob", "--json")
                == Outcome(
                    """
                    {"session_path":"<scratch>/sessions/a","session_id":"\(number(1))","person":"bob"}

                    """, status: 1))
        #expect(!scratch.exists("state/positions"))
    }

    @Test func `an earlier moment is refused`() throws {
        _ = try set("1:30", "--at", "2026-02-05T20:15Z")
        #expect(
            try set("1:00", "--at", "2026-02-05T20:14Z")
                == .failure(
                    1,
                    """
                    a later position is known: 1:30.000, of 2026-02-05T20:15:00.000Z [position-superseded]
                      hint: continue from there, or set a position of a later moment
                    """))
        #expect(try set("0:05", "--at", "2026-02-05T20:16Z") == Outcome("position: 0:05.000\n"))
        #expect(
            try scratch.trace("position", "sessions/a", "--person", "ann").output
                == "5000\t2026-02-05T20:16:00.000Z\n")
    }

    @Test func `the media item is one of the session`() throws {
        try scratch.copySample()
        let item = "01KGN78MX99GRPVT40K82R6N1F"
        let session = ["position", "2026-02-04-late-set", "--person", "ann"]
        let moment = ["--at", "2026-02-05T20:15Z"]
        #expect(
            try scratch.trace(session + ["--set", "2:00", "--media", item.lowercased()] + moment)
                == Outcome("position: 2:00.000\n"))
        #expect(try scratch.trace(session) == Outcome("120000\t2026-02-05T20:15:00.000Z\t\(item)\n"))
        let outcome = try scratch.trace(session + ["--set", "3:00", "--media", number(5)])
        #expect(outcome.status == 66, "\(outcome)")
        #expect(
            outcome.errors.hasPrefix(
                "error: no media item of <scratch>/sessions/2026-02-04-late-set has the id"))
        #expect(try scratch.trace(session + ["--set", "3:00", "--media", "x"]).status == 64)
    }

    @Test(arguments: [
        (["--media", number(5)], "--media needs --set"), (["--at", "today"], "--at needs --set"),
        (["--set", "soon"], "'soon'"), (["--set", "0:01", "--at", "2999-01-01"], "--at '2999-01-01'"),
        (["--set", "0:01", "--at", "x"], "'x' is not a time"),
    ])
    func `what makes no sense is refused`(arguments: [String], message: String) throws {
        let outcome = try scratch.trace(["position", "sessions/a"] + arguments)
        #expect(outcome.errors.hasPrefix("error: \(message)"), "\(outcome)")
        #expect(outcome.status == 64 && outcome.output == "")
        #expect(!scratch.exists("state/positions"))
    }

    @Test func `a name that can't be one is refused`() throws {
        let outcome = try scratch.trace("position", "sessions/a", "--person", " ")
        #expect(outcome.status == 65 && outcome.errors.contains("is not the name of a person"), "\(outcome)")
    }

    @Test func `a damaged file is reported and left alone`() throws {
        try scratch.makeDirectory("state/positions")
        try scratch.write("{\"person\":", to: "state/positions/ann.json")
        let read = try scratch.trace("position", "sessions/a", "--person", "ann")
        let written = try set("1:00")
        for outcome in [read, written] {
            #expect(outcome.status == 74 && outcome.output == "", "\(outcome)")
            #expect(
                outcome.errors.hasPrefix(
                    "error: <scratch>/state/positions/ann.json: the positions can't be read: byte "),
                "\(outcome)")
            #expect(outcome.errors.contains("\n  hint: correct the file in an editor, or move it away"))
        }
        #expect(try scratch.text("state/positions/ann.json") == "{\"person\":")
    }

    @Test func `on a terminal it reads as people write it`() throws {
        _ = try set("1:30", "--at", "2026-02-05T20:15Z")
        scratch.environment = [
            "TERM": "xterm-256color", "SHELL": "/bin/sh", "TRACE_TIME_ZONE": "Europe/Berlin",
        ]
        let script = "\"$TRACE\" position sessions/a --person ann"
        let seen = try scratch.shell("script -qec '\(script)' /dev/null </dev/null").output
        #expect(seen.replacing("\r\n", with: "\n") == "1:30.000, 2026-02-05 21:15:00 CET\n")
    }
}
