import Foundation
import Testing

/// `trace action run` and `trace action list`.
struct ActionTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.session("a")
        try scratch.makeDirectory("config/trace/actions")
    }

    /// Puts a script of `sh` into the actions.
    private func action(_ name: String, _ script: String, mode: Int = 0o755) throws {
        try scratch.writeProgram("#!/bin/sh\n\(script)\n", to: "config/trace/actions/\(name)", mode: mode)
    }

    private func lines() throws -> String {
        scratch.exists("sessions/a/actions.jsonl") ? try scratch.text("sessions/a/actions.jsonl") : ""
    }

    private static func line(
        _ status: String, _ more: String = "", action: String = "export", id: String = "<ulid>"
    ) -> String {
        "{\"id\":\"\(id)\",\"action\":\"\(action)\",\"created_at\":\"<now>\",\"status\":\"\(status)\"\(more)}\n"
    }

    @Test func `an action gets the session and its inputs, and its outputs are written down`() throws {
        try action("export", #"printf '{"directory": "%s", "given": %s}\n' "$1" "$(cat)""#)
        #expect(
            try scratch.trace(
                "action", "run", "sessions/a", "export", "--input", "format=flac", "--input", "bits=24",
                "--input", "odd")
                == Outcome("action: export succeeded (<ulid>)\n"))
        let inputs = #","inputs":{"format":"flac","bits":"24"}"#
        let outputs =
            #","outputs":{"directory":"<scratch>/sessions/a","given":{"format":"flac","bits":"24"}}"#
        #expect(try lines() == Self.line("started", inputs) + Self.line("succeeded", inputs + outputs))
        #expect(try scratch.trace("validate", "sessions/a").status == 0)
        #expect(try scratch.names(in: "state/running") == [])
    }

    @Test func `the session may be left out, and there may be no inputs and no outputs`() throws {
        try action("export", "cat > /dev/null")
        #expect(
            try scratch.trace("action", "run", "export", "--json")
                == Outcome(#"{"id":"<ulid>","action":"export","status":"succeeded"}"# + "\n"))
        #expect(try lines() == Self.line("started") + Self.line("succeeded"))
    }

    @Test(arguments: [
        ("exit 3", "its program ended with exit status 3", ""),
        ("kill -9 $$", "its program was killed by signal 9", ""),
        ("echo hello", "its program printed something that is not one JSON object", ""),
        ("echo '[1]'", "its program printed something that is not one JSON object", ""),
        (
            "yes | head -c 2000000", "its program printed more than 1 MiB",
            "\n  hint: have it write a file into the session and print the name"
        ),
        (
            "trap '' TERM; sleep 60 & wait; sleep 60",
            "its program did not end within 1.0 seconds and was stopped",
            "\n  hint: raise action_timeout in the configuration if it needs longer"
        ),
    ])
    func `a program that does not end well has failed`(script: String, reason: String, hint: String) throws {
        try action("export", script)
        #expect(
            try scratch.trace(
                "action", "run", "sessions/a", "export",
                environment: ["TRACE_ACTION_TIMEOUT": script.contains("trap") ? "1s" : "1m"])
                == .failure(1, "action 'export' failed: \(reason) [action-failed]\(hint)"))
        #expect(try lines() == Self.line("started") + Self.line("failed", ",\"error\":\"\(reason)\""))
        #expect(try scratch.names(in: "state/running") == [])
    }

    @Test func `what can't be run is not begun`() throws {
        try action("export", "true", mode: 0o644)
        let place = "<scratch>/config/trace/actions or /etc/trace/actions"
        #expect(
            try scratch.trace("action", "run", "sessions/a", "export")
                == .failure(
                    77,
                    "<scratch>/config/trace/actions/export: is not an executable file [permission-denied]\n"
                        + "  hint: make it one (chmod +x)"))
        #expect(
            try scratch.trace("action", "run", "sessions/a", "print")
                == .failure(
                    66,
                    "unknown action: print [no-such-action]\n  hint: put an executable with that name into \(place)"
                ))
        #expect(
            try scratch.trace("action", "run", "sessions/a", "../export")
                == .failure(
                    66,
                    "'../export' is not an action name [no-such-action]\n"
                        + "  hint: an action has the name of its file in \(place)"))
        #expect(try lines() == "")
    }

    @Test func `a program that can't be started has failed`() throws {
        try action("export", "true")
        try scratch.writeProgram("#!/nonexistent/interpreter\n", to: "config/trace/actions/export")
        #expect(try scratch.trace("action", "run", "sessions/a", "export").status == 1)
        #expect(
            try lines()
                == Self.line("started")
                + Self.line(
                    "failed", ",\"error\":\"its program could not be started: No such file or directory\""))
    }

    private static let request = """
        {"id":"\(number(31))","action":"export","created_at":"2026-02-04T20:01:00.000Z","status":"started","inputs":{"bits": 24}}

        """

    @Test func `a phone's request is listed, run when a person says so, and only once`() throws {
        try action("export", "cat")
        try scratch.write(Self.request, to: "sessions/a/actions.jsonl")
        #expect(
            try scratch.trace("action", "list", "sessions/a", "--requested")
                == Outcome(
                    """
                    \(number(31))\trequested\texport\t2026-02-04T20:01:00.000Z\t

                    """))
        #expect(
            try scratch.trace("action", "run", "sessions/a", number(31))
                == Outcome("action: export succeeded (\(number(31)))\n"))
        #expect(
            try lines() == Self.request
                + Self.request.replacing("started", with: "succeeded").replacing(
                    "24}}", with: #"24},"outputs":{"bits":24}}"#))
        #expect(
            try scratch.trace("action", "list", "sessions/a", "--requested")
                == Outcome(errors: "no requests\n"))
        #expect(
            try scratch.trace("action", "run", "sessions/a", number(31))
                == .failure(
                    65,
                    "<scratch>/sessions/a/actions.jsonl: the run \(number(31)) has already ended [has-ended]\n"
                        + "  hint: start a new one with the action's name"))
    }

    @Test func `a request that two want to run at once is run once`() throws {
        // The one that runs it ends when the other has been refused.
        try action(
            "export",
            "echo ran >> '\(scratch.path)/ran'; while [ ! -s '\(scratch.path)/run.1' ] && "
                + "[ ! -s '\(scratch.path)/run.2' ]; do sleep 0.02; done")
        try scratch.write(Self.request, to: "sessions/a/actions.jsonl")
        let both = try (1...2).map {
            try scratch.start("exec \"$TRACE\" action run sessions/a \(number(31))", log: "run.\($0)")
        }
        #expect(try Set(both.map { try $0.wait() }).isSubset(of: [0, 65, 75]))
        #expect(try scratch.text("ran") == "ran\n")
        #expect(try lines().split(separator: "\n").count == 2)
    }

    @Test func `the end of a run is written down even if its beginning has vanished`() throws {
        try action("export", #": > "$1/actions.jsonl""#)
        #expect(try scratch.trace("action", "run", "sessions/a", "export").status == 0)
        #expect(try lines() == Self.line("succeeded"))
    }

    @Test func `a run that was killed is marked as failed at the next start, and a living one is not`() throws
    {
        try action(
            "export",
            "touch '\(scratch.path)/begun'; while [ ! -e '\(scratch.path)/go' ]; do sleep 0.05; done; "
                + "touch '\(scratch.path)/gone'")
        let killed = try scratch.start("exec \"$TRACE\" action run sessions/a export", log: "killed.log")
        try soon("the action runs") { scratch.exists("begun") }
        #expect(try scratch.trace("action", "list", "sessions/a").output.contains("running"))
        kill(killed.id, SIGKILL)
        _ = try killed.wait()
        let interrupted = Self.line(
            "failed", ",\"error\":\"interrupted: the process that ran it ended before the result was known\"")
        #expect(
            try scratch.trace("action", "list", "sessions/a", "--json")
                == Outcome(
                    #"[{"id":"<ulid>","action":"export","state":"failed","created_at":"<now>","error":"#
                        + "\"interrupted: the process that ran it ended before the result was known\"}]\n",
                    errors: "the run <ulid> was interrupted and is marked as failed\n"))
        #expect(try lines() == Self.line("started") + interrupted)
        #expect(try scratch.names(in: "state/running") == [])
        // The program itself has outlived the one who ran it.
        try scratch.write("", to: "go")
        try soon("the program ends") { scratch.exists("gone") }
    }

    @Test func `the daemon's start marks a run that was killed, and leaves a living one alone`() throws {
        try action("export", "touch '\(scratch.path)/begun'; sleep 60")
        try action("living", "touch '\(scratch.path)/lives'; sleep 60")
        let killed = try scratch.start("exec \"$TRACE\" action run sessions/a export", log: "killed.log")
        let living = try scratch.start("exec \"$TRACE\" action run sessions/a living", log: "living.log")
        try soon("both run") { scratch.exists("begun") && scratch.exists("lives") }
        kill(killed.id, SIGKILL)
        _ = try killed.wait()
        let daemon = try DaemonProcess(in: URL(filePath: scratch.path))
        #expect(daemon.log.contains("of an action was interrupted and is marked as failed"))
        #expect(daemon.log.components(separatedBy: "interrupted").count == 2)
        #expect(
            try lines().hasSuffix(
                Self.line(
                    "failed",
                    ",\"error\":\"interrupted: the process that ran it ended before the result was known\"")))
        #expect(try scratch.names(in: "state/running").count == 1)
        kill(living.id, SIGINT)
        #expect(try living.wait() == 1)
    }

    @Test func `an interrupt ends the program and is written down`() throws {
        try action("export", "touch '\(scratch.path)/begun'; sleep 60")
        let stopped = try scratch.start("exec \"$TRACE\" action run sessions/a export", log: "stopped.log")
        try soon("the action runs") { scratch.exists("begun") }
        kill(stopped.id, SIGINT)
        #expect(try stopped.wait() == 1)
        #expect(try lines() == Self.line("started") + Self.line("failed", ",\"error\":\"it was stopped\""))
    }

    @Test func `JSON output keeps its contract`() throws {
        try action("export", "echo '{\"a\": 1}'")
        let run = try scratch.trace("action", "run", "sessions/a", "export", "--json")
        #expect(try JSONContract(of: "trace action run").breaches(in: run.output) == [])
        let list = try scratch.trace("action", "list", "sessions/a", "--json")
        #expect(try JSONContract(of: "trace action list").breaches(in: list.output) == [])
    }
}
