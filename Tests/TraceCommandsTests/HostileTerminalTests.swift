import Foundation
import ProgramHarness
import Testing

/// Text of others (labels, file names, arguments, settings) is shown on a terminal, and never obeyed by it.
struct HostileTerminalTests {
    let scratch: Scratch

    /// Every character that a terminal obeys, one after the other.
    private static let obeyed: [Unicode.Scalar] = [
        0x01...0x08, 0x0B...0x1F, 0x7F...0x9F, 0x61C...0x61C, 0x200E...0x200F, 0x2028...0x202E,
        0x2066...0x2069,
    ].flatMap { $0.compactMap { Unicode.Scalar(UInt32($0)) } }

    /// A text with all of them, and with a colour that is one of ours.
    private static let text =
        "x\u{1B}[31mEVIL\u{1B}]0;owned\u{7}\u{9B}2J" + String(String.UnicodeScalarView(obeyed)) + "y"

    /// The text inside a JSON string: what may stand there as it is does.
    private static let quoted = text.unicodeScalars.map { scalar in
        scalar.value < 0x20
            ? "\\u00\(scalar.value < 16 ? "0" : "")\(String(scalar.value, radix: 16))" : String(scalar)
    }.joined()

    init() throws {
        scratch = try Scratch()
        let text = Self.quoted
        let note =
            #"{"id":"\#(number(20))","created_at":"2026-02-04T20:00:00.000Z","media_path":"media/\#(text).m4a","#
        try scratch.closedSession(
            "evil", title: text,
            markers: marker(
                10, at: 1000, #""label":"\#(text)","note":"\#(text)","#, tags: ["fix-review", text])
                + marker(
                    11, at: 2000, #""\#(text)":1,"label":"drop","voice_note_id":"\#(text)","#, tags: ["drop"])
                + marker(12, at: 3000, #""label":"plain","#, tags: ["drop"])
                + #"{"id":"\#(text)","offset_ms":"\#(text)"}"# + "\n")
        try change("evil/session.json") {
            $0.replacing(
                "\"media\": []",
                with: """
                    "\(text)": 1, "media": [{"id":"\(number(30))","kind":"audio","path":"media/\(text).m4a",\
                    "mime":"\(text)","created_at":"2026-02-04T20:00:00.000Z","start_offset_ms":0}]
                    """
            ).replacing("\"voice_notes_path\": null", with: "\"voice_notes_path\": \"voice_notes.jsonl\"")
                .replacing("\"transcript_path\": null", with: "\"transcript_path\": \"transcript.jsonl\"")
        }
        try scratch.write(
            note + #""offset_ms":1,"duration_ms":2,"transcript_text":"\#(text)"}"# + "\n",
            to: "sessions/evil/voice_notes.jsonl")
        try scratch.write(
            #"{"id":"\#(number(40))","offset_ms":1,"duration_ms":2,"text":"spoken \#(text)","speaker":"\#(text)"}"#
                + "\n", to: "sessions/evil/transcript.jsonl")
        try scratch.write(
            #"{"id":"\#(number(50))","action":"\#(text)","created_at":"2026-02-04T20:00:00.000Z","status":"failed","#
                + #""inputs":{"\#(text)":1},"error":"\#(text)"}"# + "\n", to: "sessions/evil/actions.jsonl")
        try scratch.session("calm", id: 2, title: "Calm", markers: marker(60, at: 5, tags: ["drop"]))
        try scratch.write("Mine \(Self.text)\n", to: "sessions/calm/digest.md")
        try scratch.makeDirectory("state/queue")
        try scratch.write(
            #"{"id":"\#(number(70))","kind":"marker","session_id":"\#(number(9999))","#
                + #""created_at":"2026-02-04T20:00:00.000Z","device":"\#(text)","payload":{"id":"\#(number(70))","#
                + #""offset_ms":1,"created_at":"2026-02-04T20:00:00.000Z","source":"user","label":"\#(text)"}}"#,
            to: "state/queue/\(number(70)).json")
        try scratch.write(
            #"{"id":"\#(text)","\#(text)":"\#(text)"}"#, to: "state/queue/\(number(71)).json")
        try scratch.write("roots: [\"\(text)\"]\n\"\(text)\": \"\(text)\"\n", to: "bad.yaml")
        try scratch.write("state_directory: \"\(scratch.path)/\(text)\"\n", to: "good.yaml")
        try scratch.write("1\t2\t\(Self.text)\n\(Self.text)\n", to: "labels.txt")
        try scratch.write("{{heading}} {{\(Self.text)}} \(Self.text)\n", to: "form.mustache")
        try scratch.write(Self.text, to: "hostile")
        // Names that are not UTF-8, and bytes that are none in a record.
        let outcome = try scratch.shell(
            #"""
            bad=$(printf 'n\033[31mEVIL\233\377\342\200\256\342\201\246\302\233') && cp -r sessions/evil "sessions/$bad" &&
            sed -i 's/"id": "01J/"id": "01K/' "sessions/$bad/session.json" && cp labels.txt "$bad.txt" &&
            printf '\377\033[31mEVIL\233\n' >> "sessions/$bad/markers.jsonl" &&
            cp sessions/evil/markers.jsonl sessions/evil/markers.sync-conflict-20260204-120000-ABCDEFG.jsonl &&
            cp sessions/evil/markers.jsonl "sessions/evil/markers (conflicted copy $bad).jsonl" &&
            cp "state/queue/$(ls state/queue | head -1)" "state/queue/$bad.json" &&
            find sessions -depth -exec touch -d @1772000000 {} +
            """#)
        #expect(outcome == Outcome())
    }

    private func change(_ name: String, _ body: (String) -> String) throws {
        try scratch.write(body(scratch.text("sessions/\(name)", filled: false)), to: "sessions/\(name)")
    }

    /// What is run: `$H` is the text above, `$B` a name that is not UTF-8.
    private static let commands: [String: [String]] = [
        "asking": [
            "sessions", "sessions --json", "sessions --tag \"$H\"", "session show evil",
            "session show evil --json",
            "session show \"$H\"", "session show sessions/\"$B\"", "session show \"$B\"",
            "session show evil -v",
            "markers list evil", "markers list evil --json", "markers list --all",
            "markers list --all --json",
            "markers list evil --format csv", "markers list evil --format tsv",
            "markers list evil --format jsonl",
            "markers list --all --format csv", "markers list --all --format tsv",
            "markers list --all --format jsonl",
            "markers list evil --tag \"$H\"", "markers list evil --offset-min \"$H\"",
            "voice-notes list evil", "voice-notes list evil --json",
            "voice-notes list evil --offset-max \"$H\"",
            "position evil", "position evil --person \"$H\"",
            "position evil --set 1 --person x --media \"$H\"",
            "search spoken", "search spoken --json", "search \"$H\"", "search spoken --since \"$H\"",
            "at 2026-02-04T20:00:01Z", "at 2026-02-04T20:00:01Z --json", "at \"$H\"",
            "TRACE_SESSION=\"$H\" trace markers list", "TRACE_PAGER='tr q q' trace sessions",
        ],
        "checking": [
            "validate evil", "validate evil --format json", "validate evil --format sarif",
            "validate sessions/\"$B\"",
            "validate --all", "validate \"$H\"", "validate -", "repair evil", "repair evil --json",
            "repair sessions/\"$B\"", "explain \"$H\"", "schema \"$H\"", "validate-examples \"$H\"",
            "status", "status --json", "doctor", "doctor --json", "index status", "index status --json",
            "index verify",
            "index rebuild", "index verify --json", "--root \"$H\" doctor", "--root \"$H\" status",
            "--state-directory \"$H\" status", "--state-directory \"$H\" index status",
        ],
        "queue, actions and settings": [
            "queue list", "queue list --all", "queue list --json", "queue show \"$H\"", "queue show \"$B\"",
            "queue show \(number(70))", "queue show \(number(70)) --json", "queue show \(number(71))",
            "queue show \(number(71)) --json", "queue flush", "queue flush --json", "queue list --all",
            "queue list --all --json", "queue show \(number(71))", "queue retry \"$H\"", "queue drop \"$H\"",
            "queue import \"$B.txt\"", "queue import labels.txt",
            "queue add marker --session \"$H\" --offset 1",
            "action list evil", "action list evil --json", "action run evil \"$H\"", "action list --all",
            "action decline evil \"$H\" --reason \"$H\"",
            "action decline evil \(number(50)) --reason x --by \"$H\"",
            "config show", "config show \"$H\"", "--config bad.yaml config show",
            "--config bad.yaml config check",
            "--config bad.yaml config check --json", "--config good.yaml config show",
            "--config good.yaml config show --json", "--config good.yaml config path",
            "--config \"$B\" config check",
            "TRACE_LOG_LEVEL=\"$H\" trace config check", "TRACE_ROOTS=\"$H\" trace config show",
            "TRACE_ROOTS=\"$H\" trace sessions",
        ],
        "digests and exchange": [
            "digest show evil", "digest show evil --color always", "digest show evil --rendered --json",
            "digest show evil --html", "digest show evil --template form.mustache", "digest show calm",
            "digest read calm", "digest read calm --json", "digest show --since 2026-02-01",
            "digest show --since 2026-02-01 --html", "digest show --since \"$H\"",
            "digest show evil --template \"$B\"",
            "digest write calm --file \"$H\"", "VISUAL=\"$H\" trace digest edit calm", "digest generate calm",
            "export evil --format audacity", "export evil --format reaper", "export evil --format csv",
            "export evil --format tsv", "export evil --format jsonl", "export evil --format youtube",
            "export evil --format podcast", "export evil --format ffmetadata", "export evil --format webvtt",
            "export evil --format edl --fps 25", "export evil --format otio", "export evil --format \"$H\"",
            "export evil --media \"$H\"", "export evil --fps \"$H\"", "export evil -o \"$B/x\" --format csv",
            "import \"$B.txt\" calm --dry-run", "import labels.txt calm --dry-run --format audacity",
            "import labels.txt calm --yes --json", "import \"$H\" calm",
        ],
        "writing and parsing": [
            "mark evil --offset 7 --label \"$H\" --note \"$H\"", "mark calm --offset \"$H\"",
            "mark --session \"$H\" --offset 1",
            "mark calm --offset 5 --tag \"$H\"", "mark calm --offset 5 --voice-note-id \"$H\"",
            "marker edit \"$H\" --label x", "marker remove \"$H\"", "tag rename drop climax evil",
            "tag rename \"$H\" x evil", "tag rename climax drop --all --dry-run", "undo", "undo --json",
            "voice-note evil --offset 5 --duration 5 --media-file \"$B.txt\"",
            "media add calm --file \"$B.txt\" --kind audio --mime \"$H\" --offset 0",
            "media add calm --file \"$H\"",
            "transcribe evil --file \"$B.txt\"", "transcribe evil --text \"$H\"", "session init \"$B/new\"",
            "session close \"$H\"", "session close evil", "watch \"$H\"", "--\"$H\"", "\"$H\"",
            "mark --\"$H\"", "\"$B\"",
            "mark --\"$B\"", "sessions \"$H\"", "--color \"$H\" sessions", "help \"$H\"", "queue \"$H\"",
            "---completion session show -- --session ''", "---completion mark -- positional@0 x",
        ],
    ]

    /// Every command on a terminal: what arrives there is text, and styles of our own.
    @Test(arguments: commands.keys.sorted())
    func `a terminal gets text and our own styles`(_ group: String) throws {
        let commands = try #require(Self.commands[group])
        let lines = commands.enumerated().map { index, command in
            "printf '\\n%s\\n' '\(Self.heading)\(index)'\n"
                + (command.contains("trace ") ? command : "trace \(command)") + " </dev/null"
        }
        let functions =
            "trace() { \"$TRACE\" \"$@\"; }\nH=$(cat hostile)\nB=$(printf 'n\\033[31mEVIL\\233\\377\\342\\200\\256\\342\\201\\246\\302\\233')\n"
        try scratch.write(functions + lines.joined(separator: "\n") + "\n", to: "all.sh")
        scratch.environment = ["TERM": "xterm-256color", "TRACE_PAGER": "", "SHELL": "/bin/sh"]
        scratch.patience = .seconds(600)
        _ = try scratch.shell("script -qec 'sh all.sh' seen </dev/null >/dev/null")
        let seen = try Data(contentsOf: URL(filePath: "\(scratch.path)/seen"))
        let answers = seen.split(separator: Self.heading)
        // What `script` itself says comes first.
        try #require(answers.count == commands.count + 1)
        for (command, answer) in zip(commands, answers.dropFirst()) {
            let offences = Self.offences(in: Array(answer))
            #expect(offences.isEmpty, "trace \(command): \(offences)")
        }
    }

    /// Errors end in logs too, and a page of a code host shows what SARIF says.
    @Test func `errors and SARIF are visible wherever they go`() throws {
        let outcome = try scratch.shell(
            "H=$(cat hostile); \"$TRACE\" queue show \"$H\"; \"$TRACE\" \"--$H\"; exit 0")
        #expect(outcome.errors.contains("\\u{1B}]0;owned\\u{7}"))
        #expect(Self.offences(in: Array(outcome.errors.utf8)) == [])
        let sarif = try scratch.trace("validate", "evil", "--format", "sarif").output
        #expect(Self.offences(in: Array(sarif.utf8)) == [])
        #expect(sarif.contains("\\u202e"))
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(sarif.utf8)) }
    }

    /// What programs read is exact, whatever it holds.
    @Test func `data in a pipe is exact`() throws {
        let list = ["markers", "list", "sessions/exact"]
        let line = marker(80, at: 1, "\"label\":\"\(Self.quoted)\",", tags: ["drop"])
        try scratch.session("exact", id: 3, markers: line)
        #expect(try scratch.trace(list + ["--format", "jsonl"]).output == line)
        #expect(try scratch.trace(list + ["--json"]).output == "[\(line.dropLast())]\n")
        let csv = try scratch.trace(list + ["--format", "csv"]).output
        #expect(csv.unicodeScalars.contains { $0.value == 0x202E } && csv.contains(Self.text))
        #expect(try scratch.trace("digest", "read", "calm").output == "Mine \(Self.text)\n")
    }

    /// The log is read on terminals, and so is what `traced` says of its arguments.
    @Test(arguments: ["text", "json", "journald"])
    func `the log is visible in each form`(_ format: String) throws {
        let daemon = try DaemonProcess(
            in: URL(filePath: scratch.path),
            arguments: [
                "--root", scratch.sessions, "--root", "\(scratch.path)/\(Self.text)", "--log-level", "trace",
                "--log-format", format,
            ], awaitReady: false)
        try soon("traced has looked through all") { daemon.log.contains("ready") }
        #expect(daemon.log.contains("EVIL"))
        #expect(daemon.terminate().status == 0)
        let log = try #require(
            try FileManager.default.contentsOfDirectory(atPath: scratch.path).first {
                $0.hasPrefix("traced-")
            })
        let lines = try Data(contentsOf: URL(filePath: "\(scratch.path)/\(log)"))
        #expect(Self.offences(in: Array(lines)) == [])
    }

    @Test(arguments: [
        "--\(text)", "--log-level=\(text)", "--config=\(text)", "--state-directory=/proc/\(text)",
        "--log-format=\(text)",
    ])
    func `traced repeats no argument as it is`(_ argument: String) throws {
        let outcome = try scratch.run(Binaries.url("traced").path, [argument])
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains("EVIL"))
        #expect(Self.offences(in: Array((outcome.output + outcome.errors).utf8)) == [])
    }

    private static let heading = "==== "

    /// What a terminal would obey, with what stands before it.
    private static func offences(in bytes: [UInt8]) -> [String] {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return ["not UTF-8: \(String(decoding: bytes, as: UTF8.self).debugDescription.prefix(400))"]
        }
        // The terminal's driver makes a line break of two characters; a progress bar is drawn over itself.
        let plain = text.replacing(/\r+\n/.matchingSemantics(.unicodeScalar), with: "\n").replacing(
            /\r([^\r\n\u{1B}]*)\u{1B}\[K/.matchingSemantics(.unicodeScalar)
        ) { $0.output.1 }
        var offences: [String] = []
        if plain.contains("\u{1B}[31mEVIL") { offences.append("a colour of somebody else") }
        let unstyled = Array(plain.replacing(/\u{1B}\[(?:0|1|2|31|32|33|35|36)m/, with: "").unicodeScalars)
        for (index, scalar) in unstyled.enumerated() where obeyed.contains(scalar) {
            let before = String(String.UnicodeScalarView(unstyled[max(0, index - 30)..<index]))
            offences.append("U+\(String(scalar.value, radix: 16)) after \(before.debugDescription)")
            if offences.count == 3 { break }
        }
        return offences
    }
}

extension Data {
    fileprivate func split(separator: String) -> [Data] {
        var parts: [Data] = []
        var rest = self
        while let found = rest.range(of: Data(separator.utf8)) {
            parts.append(rest[rest.startIndex..<found.lowerBound])
            rest = rest[found.upperBound...]
        }
        return parts + [rest]
    }
}
