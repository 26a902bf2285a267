/// The examples at the end of each command's help.
enum CommandExamples {
    /// The section of a command's help; of a command that has others below it, the first example of each.
    static func section(for commandPath: CommandPath) -> String {
        let name = commandPath.words.joined(separator: " ")
        var lines = examples.filter { $0.name == name }.flatMap(\.lines)
        if lines.isEmpty {
            let below = examples.filter {
                name.isEmpty ? overview.contains($0.name) : $0.name.hasPrefix(name + " ")
            }
            lines = below.compactMap(\.lines.first)
        }
        return lines.isEmpty ? "" : "\n\nEXAMPLES:\n" + lines.map { "  trace \($0)" }.joined(separator: "\n")
    }

    /// Of which commands the help of `trace` itself shows an example.
    private static let overview = [
        "session init", "mark", "markers list", "search", "digest show", "export", "validate", "queue flush",
        "doctor",
    ]

    /// What is typed after `trace`.
    private static let examples = listed + AllKindCommands.examples

    private static let listed: [(name: String, lines: [String])] = [
        (
            "session init",
            [
                "session init --title Monday", "session init ~/music/sessions/late-set --title 'Late set'",
                "session init --title Monday --start 2026-02-04T20:15 --from take.wav --close",
            ]
        ),
        ("session pause", ["session pause"]),
        ("session resume", ["session resume", "session resume 'Late set'"]),
        (
            "session close",
            [
                "session close", "session close 'Late set' --at 2026-02-04T21:40",
                "session close 'Late set' --at last",
            ]
        ),
        ("media list", ["media list", "media list last --json"]),
        ("session reopen", ["session reopen late-set", "session reopen last --running"]),
        ("session delete", ["session delete late-set"]),
        ("session restore", ["session restore", "session restore late-set"]),
        ("session show", ["session show", "session show last --json"]),
        (
            "session edit",
            ["session edit --title 'Late set'", "session edit 'Late set' --start 2026-02-04T20:15"]
        ),
        ("sessions", ["sessions", "sessions --since monday --tag highlight", "sessions --status active"]),
        (
            "mark",
            [
                "mark", "mark 'Nice groove'", "mark 12:30 'Too fast' --tag fix-review",
                "mark 'Late set' now-10s 'Listen to this again'",
                "mark 'Late set' --offset 90s --duration 4s --note 'too fast from here'",
            ]
        ),
        (
            "markers list",
            [
                "markers list", "markers list last --category highlight --offset-min 10:00",
                "markers list --all --since monday --format csv",
            ]
        ),
        ("marker edit", ["marker edit last --label 'The drop' --tag highlight"]),
        ("marker remove", ["marker remove last", "marker remove 01KH6YFAHC3750NMF8NEWY3N6G"]),
        (
            "voice-note",
            [
                "voice-note --media-file memo.m4a",
                "voice-note --offset 12:40 --duration 4s --media-file memo.m4a --text 'without the pedal'",
            ]
        ),
        ("unplaced list", ["unplaced list", "unplaced list --json"]),
        ("unplaced place", ["unplaced place last monday"]),
        ("unplaced drop", ["unplaced drop last"]),
        ("voice-note add", ["voice-note add --offset 12:40 --duration 4s --media-file memo.m4a"]),
        (
            "voice-note set-transcript",
            ["voice-note set-transcript 01KH6YR93PA9GSCWKPC4MCDKME 'without the pedal'"]
        ),
        ("voice-notes list", ["voice-notes list", "voice-notes list last --offset-min 10:00 --json"]),
        ("tag list", ["tag list", "tag list last"]),
        ("tag rename", ["tag rename drop climax", "tag rename drop climax --all --dry-run"]),
        ("undo", ["undo", "undo --list"]),
        ("redo", ["redo", "redo --dry-run"]),
        ("restore", ["restore --dry-run", "restore last"]),
        ("journals", ["journals"]),
        ("journal show", ["journal show Pinball", "journal show last --json"]),
        ("journal adopt", ["journal adopt practice-state.json"]),
        ("journal retention", ["journal retention --dry-run"]),
        ("timeline", ["timeline", "timeline --day 2026-03-01", "timeline --since monday"]),
        ("search", ["search 'groov*'", "search \"too fast\" --since monday"]),
        ("at", ["at 20:15", "at 2026-02-04T20:15", "at 2026-02-04T20:15:30Z --within 30s"]),
        ("digest show", ["digest show last", "digest show --since monday --html --output week.html"]),
        ("digest generate", ["digest generate last"]),
        ("digest edit", ["digest edit last"]),
        ("digest read", ["digest read last"]),
        ("digest write", ["digest write last --file digest.md"]),
        ("watch", ["watch", "watch last --json --count 10"]),
        ("position", ["position last", "position last --set 12:30", "position --person ann --json"]),
        ("media add", ["media add last --file take.mp4 --offset 0"]),
        ("media add-review-audio", ["media add-review-audio last --source take.mkv"]),
        (
            "transcribe",
            ["transcribe last", "transcribe last --file said.jsonl", "transcribe --voice-notes last"]
        ),
        (
            "export",
            [
                "export last --format audacity --output labels.txt",
                "export last --embed take.m4a --media review",
            ]
        ),
        ("import", ["import labels.txt last --dry-run", "import markers.csv last --tag take-2"]),
        ("validate", ["validate last", "validate --all --fail-on warning"]),
        ("validate-fixtures", ["validate-fixtures"]),
        ("repair", ["repair last", "repair last --write"]),
        ("explain", ["explain tag-malformed", "explain"]),
        ("schema", ["schema marker", "schema queue-entry", "schema --all"]),
        ("queue list", ["queue list", "queue list --all"]),
        ("queue show", ["queue show 01KH6Z79RYNRTV7HECT4EZEFYS"]),
        ("queue add marker", ["queue add marker --session last --offset 2:00 --label 'That groove'"]),
        ("queue add voice-note", ["queue add voice-note --offset 2:00 --duration 4s --media-file memo.m4a"]),
        ("queue add marker-edit", ["queue add marker-edit last --label 'Second chorus' --offset 2:01"]),
        ("queue add marker-remove", ["queue add marker-remove last"]),
        ("queue add voice-note-edit", ["queue add voice-note-edit 01KH6YR93PA9GSCWKPC4MCDKME --text slower"]),
        ("queue add voice-note-remove", ["queue add voice-note-remove 01KH6YR93PA9GSCWKPC4MCDKME"]),
        (
            "queue add session start",
            ["queue add session start --session 01KHET390YJXCMFWAKKNBFCD2N --title Monday"]
        ),
        ("queue add session pause", ["queue add session pause"]),
        ("queue add session resume", ["queue add session resume"]),
        ("queue add session close", ["queue add session close --at 2026-02-12T21:40"]),
        ("queue add session edit", ["queue add session edit --title 'Late set'"]),
        ("queue check", ["queue check 01KH6Z79RYNRTV7HECT4EZEFYS.json"]),
        ("queue flush", ["queue flush"]),
        ("queue retry", ["queue retry 01KH6Z79RYNRTV7HECT4EZEFYS"]),
        ("queue drop", ["queue drop 01KH6Z79RYNRTV7HECT4EZEFYS"]),
        ("queue import", ["queue import export.json --session last --dry-run"]),
        ("action list", ["action list last --requested"]),
        ("action run", ["action run last loudness --input target=-16"]),
        (
            "action decline",
            ["action decline last 01KH6Z79RYNRTV7HECT4EZEFYT --reason 'the mix is not finished'"]
        ),
        (
            "token add",
            [
                "token add --name laptop --scope admin",
                "token add --name 'For Ben' --scope read --session last --expires 7d --link",
                "token add --name pocket --scope feed --root ~/music/sessions",
            ]
        ),
        ("token list", ["token list"]),
        ("token revoke", ["token revoke laptop", "token revoke 01M7Z4V6S0YBRTK5E8P1ZJ3QWD"]),
        ("token rename", ["token rename phone \"Ann's phone\""]),
        ("token log", ["token log"]),
        ("pair", ["pair", "pair --scope read --name tablet --session last"]),
        ("status", ["status", "status --json"]),
        ("doctor", ["doctor"]),
        ("index status", ["index status"]),
        ("index rebuild", ["index rebuild"]),
        ("index verify", ["index verify"]),
        ("config show", ["config show", "config show roots"]),
        ("config check", ["config check", "config check config.yaml"]),
        ("config path", ["config path"]),
    ]
}
