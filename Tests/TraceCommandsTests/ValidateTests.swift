import Foundation
import TestSupport
import Testing

struct ValidateTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private let broken = "sessions/2026-01-28-rehearsal-broken"

    @Test func `each of the defects of the broken sample is reported at its place, and with its cure`() throws
    {
        try scratch.copySample()
        let outcome = try scratch.trace("validate", broken)
        try expectGolden(outcome.output, "validate-broken.txt")
        #expect(outcome.errors == "error: the session does not conform to the format\n")
        #expect(outcome.status == 1)
    }

    @Test func `every session of the roots is checked, in the order of their paths`() throws {
        try scratch.copySample()
        let broken = try scratch.trace("validate", scratch.sessions + "/2026-01-28-rehearsal-broken").output
        let findings = broken.split(separator: "\n").dropLast().joined(separator: "\n")
        #expect(
            try scratch.trace("validate", "--all")
                == Outcome(
                    """
                    \(findings)
                    ok: <scratch>/sessions/2026-02-04-late-set
                    ok: <scratch>/sessions/2026-02-11-loop-practice
                    15 errors and 3 warnings in 3 sessions

                    """,
                    errors: "error: not every session conforms to the format\n", status: 1))
    }

    @Test(arguments: ["sessions/a", "sessions/a/", "."])
    func `a session in order is ok, as it was typed`(typed: String) throws {
        try scratch.session("a")
        let directory = typed == "." ? "sessions/a" : ""
        #expect(try scratch.trace("validate", typed, in: directory) == Outcome("ok: \(typed)\n"))
    }

    @Test func `what is not named by its directory is shown by its path`() throws {
        try scratch.session("a")
        for arguments in [
            ["validate"], ["validate", "set"], ["validate", "last"], ["validate", number(1)],
        ] {
            #expect(try scratch.trace(arguments) == Outcome("ok: <scratch>/sessions/a\n"))
        }
    }

    @Test func `warnings are shown and the session is ok, unless they are not wanted`() throws {
        try scratch.session("a")
        try scratch.write("notes", to: "sessions/a/digest.md")
        let output = """
            ok: sessions/a
              warning: session.json: digest_path is null, but digest.md exists [path-null]
                hint: write the file's name as the value of that key in session.json
            0 errors and 1 warning in 1 session

            """
        #expect(try scratch.trace("validate", "sessions/a") == Outcome(output))
        #expect(
            try scratch.trace("validate", "sessions/a", "--fail-on", "warning")
                == Outcome(output, errors: "error: the session does not conform to the format\n", status: 1))
    }

    @Test func `records under a name by which they are not read are reported, and a second file says so`()
        throws
    {
        try scratch.session("half", markers: marker(10, at: 5))
        _ = try scratch.shell("mv sessions/half/markers.jsonl sessions/half/Markers.jsonl")
        let alone = try scratch.trace("validate", "sessions/half")
        #expect(alone.output.contains("Markers.jsonl: it is not read: case counts"), "\(alone)")
        let marked = try scratch.trace("mark", "-s", "sessions/half", "0:05", "y")
        #expect(
            marked.errors.contains(
                "markers.jsonl was made beside Markers.jsonl, which is not read, because case counts: to join them, "
                    + "rename that to 'markers 2.jsonl' and run 'trace repair'"), "\(marked)")
        #expect(try !scratch.trace("mark", "-s", "sessions/half", "0:06", "z").errors.contains("made beside"))
        #expect(try scratch.trace("validate", "sessions/half").output.contains("[record-file-name]"))
        // As the warning says.
        _ = try scratch.shell("mv sessions/half/Markers.jsonl 'sessions/half/markers 2.jsonl'")
        try scratch.letRest("sessions/half")
        #expect(try scratch.trace("repair", "sessions/half", "--write").status == 0)
        #expect(try scratch.text("sessions/half/markers.jsonl").split(separator: "\n").count == 3)
        #expect(try scratch.trace("validate", "sessions/half") == Outcome("ok: sessions/half\n"))
    }

    @Test(arguments: [
        ("markers (In Konflikt stehende Kopie von Ann 2026-02-04).jsonl", "conflict-copy"),
        ("markers (conflicting copy 2026-02-04).jsonl", "conflict-copy"),
        ("markers-HOMESERVER.jsonl", "record-file-name"),
    ])
    func `what any sync tool leaves is reported, and joined where its name is known`(
        name: String, rule: String
    ) throws {
        try scratch.session("a", markers: marker(10, at: 5))
        try scratch.write(marker(10, at: 5) + marker(11, at: 6), to: "sessions/a/\(name)")
        try scratch.letRest("sessions/a")
        #expect(try scratch.trace("validate", "sessions/a").output.contains("\(name): "))
        #expect(try scratch.trace("validate", "sessions/a").output.contains("[\(rule)]"))
        _ = try scratch.trace("sessions")
        let doctor = try scratch.trace("doctor")
        #expect(
            doctor.output.contains("what is in <scratch>/sessions/a/\(name) is not read, for its name"),
            "\(doctor)")
        _ = try scratch.trace("repair", "sessions/a", "--write")
        let isJoined = try scratch.text("sessions/a/markers.jsonl").contains(number(11))
        #expect(isJoined == (rule == "conflict-copy"))
    }

    @Test(arguments: [
        (
            "\u{DC}bersee.m4a", "U\u{308}bersee.m4a",
            "a file whose name has its accents encoded otherwise (NFC, NFD): rename that"
        ),
        ("Take.WAV", "take.wav", "'take.wav', and case counts: rename that"),
    ])
    func `audio that is there under another spelling of its name is named`(
        name: String, there: String, said: String
    ) throws {
        try scratch.session("a")
        let note =
            #"{"id":"\#(number(30))","created_at":"2026-02-04T20:01:00.000Z","media_path":"media/\#(name)","offset_ms":5,"duration_ms":5}"#
        try scratch.write(note + "\n", to: "sessions/a/voice_notes.jsonl")
        try scratch.write("sound", to: "sessions/a/media/\(there)")
        let outcome = try scratch.trace("validate", "sessions/a")
        #expect(
            outcome.output.contains("'media/\(name)' does not exist, but \(said) [media-missing]"),
            "\(outcome)")
        // As the index has it, which keeps what it saw.
        for _ in 1...2 { #expect(try scratch.trace("index", "verify").status == 0) }
        _ = try scratch.shell("mv 'sessions/a/media/\(there)' 'sessions/a/media/\(name)'")
        #expect(try !scratch.trace("validate", "sessions/a").output.contains("media-missing"))
        #expect(try scratch.trace("index", "verify").status == 0)
    }

    @Test func `as JSON each finding has its rule, place and cure, and the failure is still told`() throws {
        try scratch.session("a", markers: marker(10, at: 5) + "{\"id\":1}\n")
        let outcome = try scratch.trace("validate", "sessions/a", "--json")
        #expect(outcome.errors == "error: the session does not conform to the format\n")
        #expect(outcome.status == 1)
        #expect(
            outcome.output.hasPrefix(
                "[{\"session_path\":\"<scratch>/sessions/a\",\"session_id\":\"\(number(1))\",\"findings\":[{")
        )
        #expect(
            outcome.output.contains(
                """
                {"rule":"type-mismatch","severity":"error","file":"markers.jsonl","line":2,"column":7,"byte_offset":122,\
                "message":"id is 1, but must be a string","cure":"write a value of the required type; an integer is written without quotes, such as 90000"}
                """))
        try scratch.session("a")
        #expect(
            try scratch.trace("validate", "--json", "sessions/a")
                == Outcome(
                    "[{\"session_path\":\"<scratch>/sessions/a\",\"session_id\":\"\(number(1))\",\"findings\":[]}]\n"
                ))
    }

    @Test func `one file can be checked from standard input`() throws {
        #expect(
            try scratch.shell(
                #"printf '{"id":"01J00000000000000000000001"}\n' | "$TRACE" validate --kind marker"#)
                == Outcome(
                    """
                    standard input
                      error: markers.jsonl:1 (byte 0): created_at is missing [key-missing]
                        hint: add the key
                      error: markers.jsonl:1 (byte 0): offset_ms is missing [key-missing]
                        hint: add the key
                      error: markers.jsonl:1 (byte 0): source is missing [key-missing]
                        hint: add the key
                    3 errors and 0 warnings in 1 session

                    """, errors: "error: the session does not conform to the format\n", status: 1))
        try scratch.closedSession("a")
        let header = try scratch.shell(#""$TRACE" validate --kind session <sessions/a/session.json"#)
        #expect(header == Outcome("ok: standard input\n"))
        #expect(try scratch.trace("validate", "--kind", "song").status == 64)
        #expect(try scratch.trace("validate", "--kind", "marker", "--all").status == 64)
    }

    @Test func `for editors there is SARIF`() throws {
        try scratch.copySample()
        let outcome = try scratch.trace("validate", "--format", "sarif", broken)
        #expect(
            outcome.output.hasPrefix(
                #"{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"#))
        #expect(
            outcome.output.contains(
                #"{"artifactLocation":{"uri":"file://<scratch>/\#(broken)/markers.jsonl"},"region":{"startLine":5,"startColumn":146,"byteOffset":785}}"#
            ))
        #expect(outcome.status == 1)
    }

    @Test func `a line that is still being written is no error yet`() throws {
        try scratch.session("a", markers: "{\"id\":")
        #expect(try scratch.trace("validate", "sessions/a").output.contains("[line-torn]"))
        try scratch.write("{\"id\":", to: "sessions/a/markers.jsonl")
        let outcome = try scratch.trace("validate", "sessions/a", environment: ["TRACE_SETTLE_TIME": "1h"])
        #expect(outcome.output.contains("warning: markers.jsonl"))
        #expect(outcome.output.contains("[line-in-transit]"))
        #expect(outcome.status == 0)
    }

    @Test func `a session.json that is none is told with everything else`() throws {
        try scratch.session("a", markers: "{}\n")
        try scratch.write("{\"id\":", to: "sessions/a/session.json")
        let outcome = try scratch.trace("validate", "sessions/a")
        #expect(outcome.output.contains("error: session.json"))
        #expect(outcome.output.contains("error: markers.jsonl:1"))
        #expect(outcome.status == 1)
    }

    @Test func `what can't be searched is told, and the rest is checked all the same`() throws {
        try scratch.session("a")
        #expect(
            try scratch.trace("validate", "--all", "--root", "no", "--root", "sessions")
                == Outcome(
                    "ok: <scratch>/sessions/a\n",
                    errors: """
                        error: <scratch>/no: this root does not exist [not-found]
                          hint: 'trace config show roots' says where it is set; if it is on a removable or network disk, mount the disk
                        error: not everything could be checked

                        """, status: 66))
    }

    @Test func `without any session there is a summary of nothing`() throws {
        #expect(try scratch.trace("validate", "--all") == Outcome("0 errors and 0 warnings in 0 sessions\n"))
    }

    @Test func `nothing is changed by being looked at`() throws {
        try scratch.copySample()
        let before = try scratch.tree("sessions")
        _ = try scratch.trace("validate", "--all")
        _ = try scratch.trace("sessions")
        _ = try scratch.trace("markers", "list", "last")
        _ = try scratch.trace("digest", "show", "last")
        _ = try scratch.trace("session", "show", "last")
        _ = try scratch.trace("status")
        #expect(try scratch.tree("sessions") == before)
    }

    @Test func `the examples of the format break no rule`() throws {
        #expect(
            try scratch.trace("validate-fixtures")
                == Outcome(
                    "ok: session\nok: timeline\nok: markers\nok: voice_notes\nok: transcript\nok: actions\n"))
        #expect(
            try scratch.trace("validate-fixtures", "--json").output.hasPrefix(
                #"[{"file":"session.json","findings":[]},{"file":"timeline.jsonl","findings":[]},"#))
        #expect(try scratch.trace("validate-fixtures", "--sarif").status == 64)
    }
}
