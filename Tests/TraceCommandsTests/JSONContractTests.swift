import Testing

/// The keys of every `--json` output are those of docs/cli-json.md.
struct JSONContractTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.copySample()
        try scratch.write("sound", to: "take.m4a")
        try scratch.write("\u{0}sound", to: "past.m4a")
        try scratch.write("1.5\t4.5\tx\n2\t2\t[highlight]\n", to: "labels.txt")
        try scratch.write(
            #"[{"tag":"highlight","offset_ms":5,"created_at":"2026-02-04T20:00:00Z"}]"#, to: "export.json")
    }

    static let marker = "01KH6YQWSYQPYX6N6AHTNTYRQZ"
    static let voiceNote = "01KH6YR93PA9GSCWKPC4MCDKME"
    /// A session that is not here.
    private static let away = ["--session", "01KHET390YJXCMFWAKKNBFCD2P"]

    /// Arguments of a command, the first ones its name.
    static let commands: [(name: String, arguments: [String])] = [
        ("session init", ["sessions/new", "--title", "New"]),
        ("session pause", ["last"]),
        ("session resume", ["last"]),
        ("session init", ["sessions/new", "--start", "2026-02-04T20:00", "--from", "past.m4a"]),
        ("session edit", ["last", "--title", "Other"]),
        ("session edit", ["last", "--start", "2026-02-04T20:00"]),
        ("session close", ["last"]),
        ("session close", ["last", "--at", "2026-02-11T20:00"]),
        ("session reopen", ["sessions/2026-02-04-late-set"]),
        ("session delete", ["last"]),
        ("session restore", ["last"]),
        ("media list", ["sessions/2026-02-04-late-set"]),
        ("session show", ["sessions/2026-02-04-late-set"]),
        ("session show", ["sessions/2026-01-28-rehearsal-broken"]),
        ("sessions", []),
        ("mark", ["--offset", "5"]),
        ("mark", ["01KHET390YJXCMFWAKKNBFCD1M", "--offset", "5"]),
        ("markers list", ["sessions/2026-02-04-late-set"]),
        ("markers list --all", []),
        ("voice-notes list", ["sessions/2026-02-04-late-set"]),
        ("position", ["sessions/2026-02-04-late-set"]),
        (
            "position",
            [
                "sessions/2026-02-04-late-set", "--set", "2:00", "--media", "01KGN78MX99GRPVT40K82R6N1F",
                "--at", "2026-02-05T20:00Z", "--person", "ann",
            ]
        ),
        ("search", ["t*"]),
        ("at", ["2026-02-04T20:52Z"]),
        ("timeline", ["--day", "2026-02-04"]),
        ("journals", []),
        ("journal show", ["sessions/2026-02-04-late-set"]),
        ("index status", []),
        ("index rebuild", []),
        ("index verify", []),
        ("voice-note", ["--offset", "5", "--duration", "7", "--media-file", "take.m4a"]),
        ("media add", ["last", "--file", "take.m4a", "--offset", "0", "--duration", "5s"]),
        (
            "media add-review-audio",
            ["last", "--source", "sessions/2026-02-11-loop-practice/media/01KH6YR93PA9GSCWKPC4MCDKME.m4a"]
        ),
        ("transcribe", ["sessions/2026-02-04-late-set", "--text", "slower"]),
        ("transcribe --voice-notes", ["sessions/2026-02-04-late-set"]),
        ("export", ["sessions/2026-02-04-late-set", "--output", "x.vtt"]),
        ("export", ["sessions/2026-02-04-late-set", "--embed", "x.mka"]),
        ("import", ["labels.txt", "sessions/2026-02-11-loop-practice", "--dry-run"]),
        ("import", ["labels.txt", "sessions/2026-02-11-loop-practice"]),
        ("transcribe", ["sessions/2026-02-04-late-set", "--text", "slower", "--append"]),
        ("tag list", []),
        ("queue check", ["state/queue/01KH6Z79RYNRTV7HECT4EZEFYS.json", "labels.txt"]),
        ("tag rename", ["highlight", "climax", "--all"]),
        ("marker edit", ["sessions/2026-02-11-loop-practice", Self.marker, "--tag", "highlight"]),
        ("marker remove", ["sessions/2026-02-11-loop-practice", Self.marker, "--force"]),
        ("voice-note set-transcript", ["sessions/2026-02-11-loop-practice", Self.voiceNote, "slower"]),
        ("undo", []),
        ("redo", []),
        ("undo", ["--skip"]),
        ("undo --list", []),
        ("restore", []),
        ("validate", ["--all"]),
        ("validate-fixtures", []),
        ("repair", ["sessions/2026-01-28-rehearsal-broken"]),
        ("repair", ["sessions/2026-01-28-rehearsal-broken", "--write"]),
        ("repair", ["--all"]),
        ("explain", []),
        ("explain", ["number-negative"]),
        ("schema", []),
        ("queue add marker", ["--offset", "5", "--device", "phone"]),
        ("queue add voice-note", ["--offset", "5", "--duration", "7", "--media-file", "take.m4a"]),
        ("queue add marker-edit", Self.away + [Self.marker, "--label", "slower", "--was", "{}"]),
        ("queue add marker-remove", Self.away + [Self.marker, "--was", "{}"]),
        ("queue add voice-note-edit", Self.away + [Self.voiceNote, "--text", "slower", "--was", "{}"]),
        ("queue add voice-note-remove", Self.away + [Self.voiceNote, "--was", "{}"]),
        ("queue add session pause", Self.away + ["--device", "phone"]),
        ("queue add session resume", Self.away),
        ("queue add session close", Self.away),
        ("queue add session edit", Self.away + ["--title", "slower", "--was", "{}"]),
        ("queue list", []),
        ("queue show", ["01KH6Z79RYNRTV7HECT4EZEFYS"]),
        ("queue retry", ["01KGN6Z5BMYWHYSNBAH2ZMGQWN"]),
        ("queue drop", ["01KGN6Z5BMYWHYSNBAH2ZMGQWN"]),
        ("queue import", ["export.json", "-s", "01KHET390YJXCMFWAKKNBFCD1M"]),
        ("queue flush", []),
        ("queue add session start", ["--session", "01KHET390YJXCMFWAKKNBFCD2N", "--title", "slower"]),
        ("mark", []),
        ("voice-note", ["--duration", "7", "--media-file", "take.m4a"]),
        ("unplaced list", []),
        ("unplaced place", ["last", "last", "--force"]),
        ("unplaced drop", ["last"]),
        ("action list", ["sessions/2026-02-04-late-set"]),
        (
            "action decline",
            [
                "sessions/2026-02-04-late-set", "01KGQGMJHHCYHD287T4C9SYDVY", "--reason", "later", "--by",
                "ann",
            ]
        ),
        ("digest show", ["sessions/2026-02-04-late-set"]),
        ("digest show", ["sessions/2026-02-11-loop-practice"]),
        ("digest show", ["sessions/2026-01-28-rehearsal-broken"]),
        ("digest show --since", ["2026-01-01"]),
        ("digest write", ["sessions/2026-02-04-late-set", "--file", "take.m4a"]),
        ("digest generate", ["sessions/2026-02-11-loop-practice"]),
        ("digest edit", ["sessions/2026-02-11-loop-practice", "--editor", "echo >>"]),
        ("digest read", ["sessions/2026-02-04-late-set"]),
        ("digest read", ["sessions/2026-02-11-loop-practice"]),
        ("token add", ["--name", "phone", "--scope", "mark"]),
        (
            "token add",
            [
                "--name", "x", "--scope", "read", "--session", "last", "--root", "sessions", "--expires",
                "1d", "--link",
            ]
        ),
        ("token list", []),
        ("token revoke", ["laptop"]),
        ("token rename", ["laptop", "desk"]),
        ("token log", []),
        ("pair", []),
        ("pair", ["--name", "tablet", "--session", "last"]),
        ("status", []),
        ("doctor", []),
        ("config show", []),
        ("config check", []),
        ("config check", ["labels.txt"]),
        ("config path", []),
    ]

    @Test(arguments: commands)
    func `what is printed is what is promised, and nothing else`(name: String, arguments: [String]) throws {
        try scratch.copyQueue()
        if name == "session restore" { _ = try scratch.trace("session", "delete", "last") }
        if ["undo", "undo --list", "redo", "restore"].contains(name) {
            _ = try scratch.trace("mark", "sessions/2026-02-11-loop-practice", "--offset", "5")
        }
        if name == "redo" { _ = try scratch.trace("undo") }
        if name == "restore" {
            try scratch.write("", to: "sessions/2026-02-11-loop-practice/markers.jsonl")
        }
        if name.hasPrefix("unplaced") { _ = try scratch.trace("mark", "now", "Kept") }
        if name == "index status" { _ = try scratch.trace("sessions") }
        if name.hasPrefix("token"), name != "token add" {
            _ = try scratch.trace("token", "add", "--name", "laptop", "--scope", "admin", "--expires", "1h")
        }
        if name == "session resume" { _ = try scratch.trace("session", "pause", "last") }
        let outcome = try scratch.trace(
            name.split(separator: " ").map(String.init) + arguments + ["--json", "-q"],
            environment: ["TRACE_SPEECH_COMMAND": "true {input_wav}"])
        #expect(outcome.output.hasSuffix("\n"))
        #expect(outcome.output.split(separator: "\n").count == 1)
        #expect(try JSONContract(of: "trace \(name)").breaches(in: outcome.output) == [])
    }

    @Test func `a contract that is broken is seen`() throws {
        let contract = try JSONContract(of: "trace session close")
        #expect(
            try contract.breaches(in: #"{"session_path":"x","duration_ms":"1"}"#) == [
                "duration_ms is string, not integer"
            ])
        #expect(try contract.breaches(in: #"{"duration_ms":1}"#) == ["session_path is missing"])
        #expect(
            try contract.breaches(in: #"{"session_path":"x","duration_ms":1,"y":null}"#) == [
                "y is not promised"
            ])
    }
}
