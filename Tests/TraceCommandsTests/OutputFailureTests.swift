import ProgramHarness
import Testing

/// What is said where standard output can't take what a command has to say.
struct OutputFailureTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.session("a", markers: marker(10, at: 5, tags: ["drop"]))
        try scratch.write("sound", to: "take.m4a")
        try scratch.write("7\t7\tSolo\n", to: "labels.txt")
        #expect(try scratch.trace("-q", "mark", "--offset", "1", "--label", "first").status == 0)
    }

    private static let cause = "cannot write to standard output: No space left on device"

    /// A script would repeat a command that failed, and write twice.
    @Test(arguments: [
        ("session init b", "created: <scratch>/b (id <ulid>)"),
        ("mark --offset 5", "marker: <ulid>"),
        ("mark --offset 5 --json", "marker: <ulid>"),
        ("marker edit \(number(10)) --label x", "marker: \(number(10))"),
        ("marker remove \(number(10))", "removed: \(number(10))"),
        ("voice-note --offset 5 --duration 5 --media-file take.m4a", "voice-note: <ulid>"),
        (
            "media add --file take.m4a --kind audio --mime audio/mp4 --offset 0",
            "media: <ulid> (media/<ulid>.m4a)"
        ),
        ("import labels.txt --yes --json", "imported: 1 added"),
        ("tag rename drop climax", "renamed: 1 marker in <scratch>/sessions/a"),
        ("undo", "undone: mark 0:00.001 \"first\" in <scratch>/sessions/a, written <now>"),
        ("undo --json", "undone: mark 0:00.001 \"first\" in <scratch>/sessions/a, written <now>"),
        ("queue add marker --session a --offset 5", "queued: <ulid>"),
        ("queue flush", "flushed: nothing waited"),
        ("digest write --file labels.txt", "digest: updated"),
        ("digest generate", "digest: updated"),
        ("export --format csv -o out.csv", "exported: 2 markers to <scratch>/out.csv"),
    ])
    func `a write that can't be told on standard output is told by the error`(
        _ command: String, _ said: String
    ) throws {
        let outcome = try scratch.shell(#""$TRACE" -q \#(command) >/dev/full"#)
        #expect(
            outcome
                == .failure(
                    74, "\(Self.cause)\n  hint: don't repeat the command, it has completed: \(said)"))
    }

    @Test(arguments: [
        "import labels.txt --yes --dry-run", "undo --dry-run", "tag rename drop x --dry-run",
        // It shows first what it would add.
        "import labels.txt --yes",
    ])
    func `what was only shown is not called done`(_ command: String) throws {
        let before = try scratch.tree("sessions")
        #expect(try scratch.shell(#""$TRACE" -q \#(command) >/dev/full"#) == .failure(74, Self.cause))
        #expect(try scratch.tree("sessions") == before)
    }

    @Test func `a repair that can't be told is told by the error`() throws {
        try scratch.write(marker(10, at: 5) + "{\"id\":\"01J000", to: "sessions/a/markers.jsonl")
        try scratch.letRest("sessions")
        let outcome = try scratch.shell(#""$TRACE" -q repair --write a >/dev/full"#)
        #expect(outcome.status == 74, "\(outcome)")
        #expect(outcome.errors.contains("it has completed: "), "\(outcome)")
    }
}
