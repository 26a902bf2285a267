import Foundation
import Testing

/// `trace action decline`.
struct ActionDeclineTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.session("a")
        try scratch.write(Self.request, to: "sessions/a/actions.jsonl")
    }

    private static let request = """
        {"id":"\(number(31))","action":"export","created_at":"2026-02-04T20:01:00.000Z","status":"started","inputs":{"bits": 24}}

        """

    private static func declined(_ error: String) -> String {
        request.replacing("started", with: "failed").replacing("24}}", with: #"24},"error":"\#(error)"}"#)
    }

    private func lines() throws -> String { try scratch.text("sessions/a/actions.jsonl") }

    @Test func `a request that is declined is not listed any more, and undo opens it again`() throws {
        #expect(
            try scratch.trace(
                "action", "decline", "sessions/a", number(31), "--reason", "not yet", "--by", "ann")
                == Outcome("declined: \(number(31))\n"))
        #expect(try lines() == Self.request + Self.declined("declined by ann: not yet"))
        #expect(try scratch.trace("action", "list", "--requested") == Outcome(errors: "no requests\n"))
        #expect(try scratch.trace("validate", "sessions/a") == Outcome("ok: sessions/a\n"))
        let undone = try scratch.trace("undo")
        #expect(
            undone.output.hasPrefix("undone: action decline in <scratch>/sessions/a, written "), "\(undone)")
        #expect(try lines() == Self.request)
        #expect(try scratch.trace("action", "list", "--requested").output.contains(number(31)))
    }

    @Test func `the user declines it if nobody else is named`() throws {
        let user = try scratch.shell("id -un").output.dropLast()
        #expect(
            try scratch.trace(
                "action", "decline", number(31).lowercased(), "-s", "sessions/a", "--reason", "a \"b\"",
                "--json")
                == Outcome(
                    """
                    {"id":"\(number(31))","action":"export","status":"failed","error":"declined by \(user): a \\"b\\"",\
                    "session_path":"<scratch>/sessions/a","session_id":"\(number(1))"}

                    """))
        #expect(try lines() == Self.request + Self.declined(#"declined by \#(user): a \"b\""#))
    }

    @Test func `what has ended, or is not there, can't be declined`() throws {
        _ = try scratch.trace("action", "decline", number(31), "--reason", "no")
        let before = try lines()
        #expect(
            try scratch.trace("action", "decline", number(31), "--reason", "no")
                == .failure(
                    65,
                    """
                    <scratch>/sessions/a/actions.jsonl: the run \(number(31)) has already ended [has-ended]
                      hint: only a request that has not been run can be declined; 'trace action list' shows how it ended
                    """))
        #expect(
            try scratch.trace("action", "decline", number(32), "--reason", "no")
                == .failure(
                    66,
                    """
                    <scratch>/sessions/a/actions.jsonl: action run not found: \(number(32)) [no-such-record]
                      hint: 'trace action list' lists the ids; if it is in another session, give that with --session
                    """))
        #expect(
            try scratch.trace("action", "decline", "export", "--reason", "no")
                == .failure(
                    64,
                    """
                    'export' is not the id of a request
                      hint: list the ids with 'trace action list --requested'
                    """))
        #expect(try lines() == before)
    }

    @Test(arguments: [
        [number(31)], [number(31), "--reason", " "], ["--reason", "no"],
        [number(31), "--reason", "no", "--by", ""], ["a", "b", "c", "--reason", "no"],
    ])
    func `a reason, a name and one request are needed`(arguments: [String]) throws {
        let outcome = try scratch.trace(["action", "decline"] + arguments)
        #expect(outcome.status == 64 && outcome.errors.hasPrefix("error: "), "\(outcome)")
        #expect(try lines() == Self.request)
    }

    @Test func `what is running here can't be declined, and what was killed has ended`() throws {
        try scratch.makeDirectory("config/trace/actions")
        try scratch.writeProgram(
            "#!/bin/sh\ntouch '\(scratch.path)/begun'\nsleep 60\n", to: "config/trace/actions/export")
        let run = try scratch.start("exec \"$TRACE\" action run sessions/a \(number(31))", log: "run.log")
        try soon("the action runs") { scratch.exists("begun") }
        #expect(
            try scratch.trace("action", "decline", number(31), "--reason", "no")
                == .failure(
                    75,
                    """
                    <scratch>/sessions/a/actions.jsonl: the run \(number(31)) is in progress [already-running]
                      hint: wait until it ends, or interrupt the 'trace action run' that runs it
                    """))
        #expect(try lines() == Self.request)
        kill(run.id, SIGKILL)
        _ = try run.wait()
        let outcome = try scratch.trace("action", "decline", number(31), "--reason", "no")
        #expect(outcome.status == 65, "\(outcome)")
        #expect(
            outcome.errors.hasPrefix("the run \(number(31)) was interrupted and is marked as failed\n"),
            "\(outcome)")
        #expect(
            try lines() == Self.request
                + Self.declined("interrupted: the process that ran it ended before the result was known"))
    }

    @Test func `a request that is declined is not run`() throws {
        try scratch.makeDirectory("config/trace/actions")
        try scratch.writeProgram(
            "#!/bin/sh\ntouch '\(scratch.path)/begun'\n", to: "config/trace/actions/export")
        _ = try scratch.trace("action", "decline", number(31), "--reason", "no")
        #expect(try scratch.trace("action", "run", "sessions/a", number(31)).status == 65)
        #expect(!scratch.exists("begun"))
    }
}
