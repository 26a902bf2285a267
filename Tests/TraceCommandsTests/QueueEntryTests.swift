import Foundation
import Testing

/// `trace queue show|retry|drop|import`, and voice notes that fall back to the queue.
struct QueueEntryTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func entry(_ id: Int, at offset: Int, session: Int = 1) -> String {
        """
        {"id":"\(number(id))","kind":"marker","session_id":"\(number(session))",\
        "created_at":"2026-02-04T20:01:00.000Z","payload":\(marker(id, at: offset).dropLast())}
        """
    }

    @Test func `a refused entry is shown, tried again, and dropped`() throws {
        try scratch.session("a", markers: marker(10, at: 5))
        try scratch.makeDirectory("state/queue")
        try scratch.write(entry(10, at: 6), to: "state/queue/\(number(10)).json")
        _ = try scratch.trace("queue", "flush")
        let payload = marker(10, at: 6)
        let reason = "another marker in the session has this id"
        #expect(
            try scratch.trace("queue", "show", number(10))
                == Outcome(
                    """
                    id: \(number(10))
                    kind: marker
                    session_id: \(number(1))
                    session: <scratch>/sessions/a
                    created_at: 2026-02-04T20:01:00.000Z
                    state: conflict: \(reason)
                    file: <scratch>/state/failed/\(number(10)).json
                    payload: \(payload)
                    """))
        #expect(
            try scratch.trace("queue", "retry", number(10))
                == Outcome(
                    "conflict\t\(number(10))\tmarker in a: \(reason)\n",
                    errors: """
                        error: the entry was refused again
                          hint: 'trace queue drop \(number(10))' drops it

                        """, status: 1))
        #expect(
            try scratch.trace("queue", "drop", number(10))
                == Outcome("dropped: \(number(10)) (kept at <scratch>/state/dropped/\(number(10)).json)\n"))
        #expect(
            try scratch.trace("queue", "list", "--all")
                == Outcome(
                    "dropped\t\(number(10))\tmarker\t\(number(1))\t<scratch>/sessions/a\t'trace queue retry' queues it again\n"
                ))
        #expect(
            try scratch.trace("queue", "drop", number(10))
                == .failure(
                    66,
                    """
                    entry \(number(10)) was already dropped [no-such-entry]
                      hint: see 'trace queue show \(number(10))'
                    """))
    }

    @Test func `a record that vanished is found and put back`() throws {
        try scratch.session("a")
        try scratch.makeDirectory("state/queue")
        try scratch.write(entry(10, at: 6), to: "state/queue/\(number(10)).json")
        _ = try scratch.trace("queue", "flush")
        try scratch.write("", to: "sessions/a/markers.jsonl")
        #expect(
            try scratch.trace("queue", "list", "--all")
                == Outcome(
                    """
                    record-vanished\t\(number(10))\tmarker\t\(number(1))\t<scratch>/sessions/a\tits record is no longer in the session; \
                    'trace queue retry' restores it

                    """))
        #expect(
            try scratch.trace("queue", "retry", number(10))
                == Outcome("applied\t\(number(10))\tmarker in a\n"))
        #expect(try scratch.text("sessions/a/markers.jsonl") == marker(10, at: 6))
    }

    @Test func `one that must wait is told to`() throws {
        try scratch.makeDirectory("state/queue")
        try scratch.write(entry(10, at: 6), to: "state/queue/\(number(10)).json")
        #expect(
            try scratch.trace("queue", "retry", number(10))
                == Outcome(
                    "waiting\t\(number(10))\tmarker: its session \(number(1)) was not found\n",
                    errors: "error: the entry stays in the queue\n", status: 75))
    }

    @Test func `on a terminal an entry is dropped only if the answer is yes`() throws {
        try scratch.makeDirectory("state/queue")
        try scratch.write(entry(10, at: 5), to: "state/queue/\(number(10)).json")
        let drop = "script -qec '\"$TRACE\" queue drop \(number(10))' /dev/null"
        let kept = try scratch.shell("printf 'n\\n' | \(drop)")
        // The terminal shows the answer as soon as it comes, which may be after the question.
        #expect(
            kept.output.replacing("n\r\n", with: "")
                .contains("drop entry \(number(10))? [y/N] error: nothing was dropped\r\n"))
        #expect(kept.status == 1)
        #expect(try scratch.names(in: "state/queue") == ["\(number(10)).json"])
        let dropped = try scratch.shell("printf 'y\\n' | \(drop)")
        #expect(
            dropped.output.replacing("y\r\n", with: "").contains("[y/N] dropped: \(number(10)) "))
        #expect(dropped.status == 0)
        #expect(try scratch.names(in: "state/queue") == [])
        #expect(try scratch.names(in: "state/dropped") == ["\(number(10)).json"])
    }

    @Test(arguments: ["show", "retry", "drop"]) func `an entry must be named, and be there`(verb: String)
        throws
    {
        #expect(
            try scratch.trace("queue", verb, "x")
                == .failure(
                    64,
                    """
                    'x' is not the id of a queue entry
                      hint: write its 26 characters, or 4 or more from its beginning or end; 'trace queue list' shows them
                    """))
        #expect(
            try scratch.trace("queue", verb, number(10))
                == .failure(
                    66,
                    """
                    there is no entry \(number(10)) in the queue [no-such-entry]
                      hint: 'trace queue list --all' shows all entries
                    """))
    }

    // MARK: - Import

    @Test func `what the phone exported is queued once`() throws {
        try scratch.session("a")
        try scratch.makeDirectory("export")
        try scratch.write("sound", to: "export/memo.m4a")
        try scratch.write(
            """
            [{"tag":"highlight","offset_ms":1200,"created_at":"2026-02-04T20:00:01.200Z"}]
            """, to: "export/markers.json")
        try scratch.write(
            """
            [{"id":"\(number(20))","created_at":"2026-02-04T20:00:03Z","media_path":"media/\(number(20)).m4a",
              "offset_ms":3000,"duration_ms":700,"localFileName":"memo.m4a","mood":"x"},
             {"id":"\(number(21))","created_at":"2026-02-04T20:00:03Z","media_path":"media/\(number(21)).m4a",
              "offset_ms":3000,"duration_ms":700,"localFileName":"gone.m4a"}]
            """, to: "export/notes.json")
        let files = ["export/markers.json", "export/notes.json"]
        func outcome(_ results: [String], _ summary: String) -> Outcome {
            Outcome(
                """
                \(results[0])\t01KGN3V1NGKPFEEWWQXE2PJVMM\tmarker at 0:01.200
                \(results[1])\t\(number(20))\tvoice note at 0:03.000
                audio-missing\t\(number(21))\tvoice note at 0:03.000: its audio '<scratch>/export/gone.m4a' is missing
                \(summary)

                """,
                errors: """
                    warning: <scratch>/export/notes.json:1:2 (byte 1): 'mood' can't be in a session and is omitted
                    error: 1 of 3 can't be queued
                      hint: fix the reasons shown, then import the file again: nothing is queued twice

                    """, status: 1)
        }
        func imported(_ more: String...) throws -> Outcome {
            var outcome = try scratch.trace(["queue", "import"] + files + more)
            outcome.output = outcome.output.replacing(
                #/01KGN3V1NG[0-9A-Z]{16}/#, with: "01KGN3V1NGKPFEEWWQXE2PJVMM")
            return outcome
        }
        let new = ["queued", "queued"]
        #expect(try imported("--dry-run") == outcome(new, "would import: 2 queued, 1 audio-missing"))
        #expect(!scratch.exists("state/queue"))
        #expect(try imported() == outcome(new, "imported: 2 queued, 1 audio-missing"))
        #expect(
            try imported()
                == outcome(
                    ["already-queued", "already-queued"], "imported: 2 already-queued, 1 audio-missing"))
        _ = try scratch.trace("queue", "flush")
        #expect(
            try imported()
                == outcome(
                    ["already-applied", "already-applied"], "imported: 2 already-applied, 1 audio-missing"))
        #expect(try scratch.trace("validate", "sessions/a") == Outcome("ok: sessions/a\n"))
    }

    private static let canTrace =
        (try? Scratch().run("/usr/bin/strace", ["-o", "/dev/null", "true"]).status) == 0

    @Test(.enabled(if: canTrace, "needs strace"))
    func `an import looks through the queue as often for many markers as for few`() throws {
        func listings(_ offsets: Range<Int>) throws -> Int {
            let markers = offsets.map {
                #"{"tag":"highlight","offset_ms":\#($0),"created_at":"2026-02-04T20:00:01.200Z"}"#
            }
            try scratch.write("[\(markers.joined(separator: ","))]", to: "export.json")
            let outcome = try scratch.run(
                "/usr/bin/strace",
                [
                    "-f", "-qq", "--seccomp-bpf", "-o", "calls", "-e", "trace=getdents64",
                    Binaries.url("trace").path, "queue", "import", "export.json", "-s",
                    "01KHET390YJXCMFWAKKNBFCD1M",
                ])
            #expect(outcome.status == 0, "\(outcome)")
            return try scratch.text("calls").split(separator: "\n").count { $0.contains("getdents64(") }
        }
        let few = try listings(0..<5)
        #expect(try listings(5..<85) < few + 20)
    }

    @Test func `what is wrong in an export is told with its place`() throws {
        try scratch.write("[\n{\"tag\":\"x\",}]", to: "export.json")
        #expect(
            try scratch.trace("queue", "import", "export.json", "-s", "01KHET390YJXCMFWAKKNBFCD1M")
                == .failure(
                    65,
                    """
                    <scratch>/export.json:2:12 (byte 13): expected a member name in quotes
                      hint: use the file as the app exported it: JSON arrays of pending markers or voice notes
                    """))
    }

    // MARK: - Voice notes

    @Test func `a voice note that can't be written waits with its audio, and is written later`() throws {
        try scratch.session("a")
        try scratch.write("sound", to: "take.m4a")
        try scratch.makeDirectory("sessions/a/voice_notes.jsonl")
        let arguments = ["voice-note", "--offset", "5ms", "--duration", "7", "--media-file", "take.m4a"]
        let reason = """
            <scratch>/sessions/a/voice_notes.jsonl: cannot open for appending: Is a directory [not-regular-file]
              hint: put a regular file in its place

            """
        #expect(
            try scratch.trace(arguments + ["--no-queue"])
                == Outcome("", errors: "at 0:00.005 (5 ms)\nerror: \(reason)", status: 74))
        #expect(
            try scratch.trace(arguments)
                == Outcome(
                    "voice-note: <ulid>\n", errors: "at 0:00.005 (5 ms)\nqueued (1 pending): \(reason)"))
        try scratch.remove("sessions/a/voice_notes.jsonl")
        #expect(
            try scratch.trace("queue", "flush")
                == Outcome("applied\t<ulid>\tvoice note in a\nflushed: 1 applied\n"))
        #expect(try scratch.trace("validate", "sessions/a") == Outcome("ok: sessions/a\n"))
    }

    @Test func `a voice note for a session that is not here waits, unless its audio lies there`() throws {
        try scratch.write("sound", to: "take.m4a")
        let absent = "01KHET390YJXCMFWAKKNBFCD1M"
        let arguments = ["voice-note", absent, "--offset", "5ms", "--duration", "7"]
        #expect(
            try scratch.trace(arguments + ["--media-file", "take.m4a"])
                == Outcome(
                    "voice-note: <ulid>\n",
                    errors: "at 0:00.005 (5 ms)\nqueued (1 pending): the session was not found\n"))
        #expect(try scratch.names(in: "state/queue").count == 2)
        let outcome = try scratch.trace(arguments + ["--media", "x.m4a"])
        #expect(outcome.status == 66)
        #expect(outcome.errors.contains("the session was not found, so neither was 'media/x.m4a'"))
    }
}
