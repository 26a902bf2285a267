import Foundation
import ProgramHarness
import TestSupport
import Testing

/// A kind of journal that is one file of declarations, `Tests/ProbeKind`: what both programs make of it without a word about it anywhere else.
struct ProbeKindTests {
    private let scratch: Scratch
    private let id: String

    init() throws {
        scratch = try Scratch()
        let made = try scratch.run(
            Self.program, ["journal", "init", "probe", "sessions/metronome", "--title", "Metronome"])
        try #require(made.status == 0, "\(made)")
        let header = try scratch.text("sessions/metronome/probe.json", filled: false)
        id = String(try #require(header.firstMatch(of: #/"id": "(\w{26})"/#)).1)
    }

    private static let program = Binaries.url("trace-probe").path

    private func probe(_ arguments: String...) throws -> Outcome {
        try scratch.run(Self.program, arguments)
    }

    private var beats: String {
        get throws { try scratch.text("sessions/metronome/beats.jsonl", filled: false) }
    }

    private static func rows(_ json: String) throws -> [[String: Any]] {
        try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
    }

    private func entry(_ id: String, _ payload: String, kind: String = "probe.beat") -> String {
        #"{"id":"\#(id)","kind":"\#(kind)","journal_id":"\#(self.id)","created_at":"2026-03-02T18:30:00.000Z","payload":\#(payload)}"#
    }

    // MARK: - By command

    @Test func `a journal of the kind is found, and the programs for people know nothing of it`() throws {
        #expect(try scratch.text("sessions/metronome/probe.json").contains(#""journal": "probe""#))
        let found = try Self.rows(probe("journals", "--json").output)
        #expect(found.map { $0["kind"] as? String } == ["probe"])
        #expect(found.first?["title"] as? String == "Metronome")
        #expect(try probe("journal", "show", "Metronome").output.contains("probe"))
        #expect(try probe("validate", "--all").status == 0)
        #expect(try !scratch.trace("journals").output.contains("Metronome"))
        #expect(try scratch.trace("probe", "beats").status == 64)
        #expect(try scratch.trace("journal", "init", "probe", "sessions/other").status != 0)
    }

    @Test func `what is written by command is asked, searched and on the timeline`() throws {
        let written = try probe(
            "probe", "beat", "120", "--note", "scales in thirds", "--bars", "16", "--json")
        #expect(written.status == 0, "\(written)")
        #expect(written.output.contains(#""records":{"beats":["<ulid>"]},"queued":false"#), "\(written)")
        #expect(try probe("probe", "beat", "90.5").status == 0)
        let lines = try beats.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].hasSuffix(#","tempo":120,"note":"scales in thirds","bars":16}"#))

        let table = try probe("probe", "beats")
        #expect(table.output.contains("\t120\tscales in thirds\n") && table.output.contains("\t90.5\t\n"))
        let fast = try Self.rows(probe("probe", "beats", "--least", "100", "--json").output)
        #expect(
            fast.count == 1 && fast[0]["note"] as? String == "scales in thirds"
                && fast[0]["bars"] as? Int == 16)
        #expect(try probe("probe", "beats", "--limit", "1").output.split(separator: "\n").count == 1)
        #expect(try probe("probe", "tempo").output == "105.25 a minute\n")
        #expect(try probe("probe", "tempo", "--json").output == #"{"count":2,"mean":105.25}"# + "\n")

        let hit = try probe("search", "thirds")
        // A moment is no offset: the column of those is empty, as the member is left out.
        #expect(
            hit.output.contains(
                #/^Metronome\t[^\t]+\t\tprobe\.beat\t.*scales in thirds\t<scratch>[^\t]+\t<ulid>\n$/#),
            "\(hit)")
        let found = try Self.rows(probe("search", "thirds", "--json").output)
        #expect(found.count == 1 && found[0]["offset_ms"] == nil && found[0]["wall_time"] != nil)
        #expect((found.first?["record"] as? [String: Any])?["tempo"] as? Int == 120, "\(found)")
        let day = try probe("timeline")
        #expect(day.output.split(separator: "\n").count == 2, "\(day)")
        #expect(day.output.contains("\tprobe\tMetronome\tbeat\t120 a minute"), "\(day)")
        #expect(try probe("validate", "--all").status == 0)
    }

    @Test func `what does not fit is refused by name, before anything is looked at`() throws {
        for (arguments, words) in [
            (["probe", "beat", "fast"], "write a number from 20 to 400"),
            (["probe", "beat", "500"], "write a number from 20 to 400"), (["probe", "beat"], "tempo"),
            (["probe", "beats", "--least", "x"], "write a number from 20 to 400"),
            (["queue", "add", "probe", "beat", "1"], "write a number from 20 to 400"),
            (["probe", "beat", "100", "--bars", "0"], "write a whole number from 1 to 999"),
            (["probe", "beat", "100", "--bars", "2.5"], "write a whole number from 1 to 999"),
        ] {
            let refused = try scratch.run(Self.program, arguments)
            #expect(refused.status == 64 && refused.errors.contains(words), "\(arguments): \(refused)")
        }
        #expect(!scratch.exists("sessions/metronome/beats.jsonl"))
    }

    @Test func `a write is taken back, unless its record has been edited since`() throws {
        #expect(try probe("probe", "beat", "100").status == 0)
        let before = try beats
        #expect(try probe("probe", "beat", "120").status == 0)
        let plan = try probe("probe", "undo", "--dry-run")
        #expect(plan.output.contains("  remove 1 line from beats.jsonl"), "\(plan)")
        let undone = try probe("probe", "undo", "--json")
        #expect(
            undone.output.contains(#""records":[{"kind":"probe.beat","id":"<ulid>"}],"done":true"#),
            "\(undone)")
        #expect(try beats == before)
        let redone = try probe("redo")
        #expect(redone.output.contains("  restored 1 line in beats.jsonl"), "\(redone)")
        #expect(try beats.hasPrefix(before) && beats.contains("120"))
        #expect(try probe("redo").status == 1)
        #expect(try probe("probe", "undo").status == 0 && beats == before)
        #expect(try probe("undo", "--dry-run").output.hasPrefix("would undo: probe beat in"))
        try scratch.write(before.replacing("100", with: "101"), to: "sessions/metronome/beats.jsonl")
        let refused = try probe("undo")
        #expect(refused.status != 0 && refused.errors.contains("has been edited since"), "\(refused)")
        try scratch.write(before, to: "sessions/metronome/beats.jsonl")
        #expect(try probe("undo").status == 0)
        #expect(try beats.isEmpty)
        #expect(try probe("probe", "tempo").output == "no beat was noted\n")
    }

    @Test(arguments: [
        (#""tempo":"x""#, "tempo is the string 'x', but must be a number"),
        (#""tempo":100,"bars":1000"#, "bars is 1000, but must be a whole number from 1 to 999"),
        (#""tempo":100,"bars":2.5"#, "bars is 2.5, but must be a whole number from 1 to 999"),
    ])
    func `a line by hand that no command writes is a finding`(members: String, message: String) throws {
        #expect(try probe("probe", "beat", "100", "--bars", "999").status == 0)
        #expect(try probe("validate", "--all").status == 0)
        try scratch.write(
            beats.replacing(#""tempo":100,"bars":999"#, with: members), to: "sessions/metronome/beats.jsonl")
        let found = try probe("validate", "--all")
        #expect(found.status == 1 && found.output.contains(message), "\(found)")
        #expect(found.output.hasSuffix("\n1 error and 0 warnings in 1 journal\n"), "\(found)")
        #expect(found.errors == "error: the journal does not conform to the format\n")
    }

    @Test func `a line that is damaged is a finding, and left by a repair`() throws {
        #expect(try probe("probe", "beat", "100").status == 0)
        let whole = try beats
        try scratch.write(
            whole + whole.replacing(#""tempo":100"#, with: #""tempo":"x""#) + "{\"id",
            to: "sessions/metronome/beats.jsonl")
        try scratch.letRest("sessions/metronome")
        let found = try probe("validate", "--all")
        #expect(found.status != 0 && found.output.contains("tempo is the string 'x'"), "\(found)")
        let repair = try probe("repair", "sessions/metronome")
        for rule in ["type-mismatch", "line-torn"] { #expect(repair.output.contains(rule), "\(repair)") }
        // What is torn stays as it is, and what is written comes behind it.
        #expect(try probe("probe", "beat", "140").status == 0)
        #expect(try probe("probe", "tempo", "--json").output == #"{"count":1,"mean":140.0}"# + "\n")
    }

    // MARK: - By the queue

    @Test func `what waits in the queue is written once, however often it comes`() throws {
        let queued = try probe(
            "queue", "add", "probe", "beat", "80", "--note", "slow", "--journal", "Metronome")
        #expect(queued.output == "queued: <ulid>\n", "\(queued)")
        #expect(!scratch.exists("sessions/metronome/beats.jsonl"))
        #expect(try probe("queue", "list").output.contains("probe.beat"))
        #expect(try probe("queue", "flush").status == 0)
        let once = try beats
        #expect(once.contains(#""tempo":80,"note":"slow""#))
        let name = try #require(scratch.names(in: "state/done").first { $0.hasSuffix(".json") })
        let entry = try scratch.text("state/done/\(name)", filled: false)
        try scratch.write(entry, to: "state/queue/\(name)")
        #expect(try probe("queue", "flush").status == 0)
        #expect(try beats == once)
        // Also where the queue has forgotten it: the journal knows.
        try scratch.remove("state")
        try scratch.makeDirectory("state/queue")
        try scratch.write(entry, to: "state/queue/\(name)")
        #expect(try probe("queue", "flush").status == 0)
        #expect(try beats == once)
    }

    @Test func `what an entry of the queue has written is taken back, unless it has been edited since`()
        throws
    {
        #expect(try probe("probe", "beat", "100").status == 0)
        let before = try beats
        for tempo in ["80", "90"] {
            #expect(try probe("queue", "add", "probe", "beat", tempo, "--journal", "Metronome").status == 0)
        }
        #expect(try probe("queue", "flush").status == 0)
        let written = try beats
        try scratch.write(written.replacing(":90", with: ":91"), to: "sessions/metronome/beats.jsonl")
        let refused = try probe("probe", "undo")
        #expect(refused.status != 0 && refused.errors.contains("has been edited since"), "\(refused)")
        try scratch.write(written, to: "sessions/metronome/beats.jsonl")
        for _ in 0..<2 {
            let undone = try probe("probe", "undo")
            #expect(undone.output.contains("  removed 1 line from beats.jsonl"), "\(undone)")
        }
        #expect(try beats == before)
        for _ in 0..<2 { #expect(try probe("redo").output.contains("  restored 1 line in beats.jsonl")) }
        #expect(try beats == written)
        for _ in 0..<2 { #expect(try probe("probe", "undo").status == 0) }
        #expect(try beats == before)
        // The ledger notes that the entries' records went: delivered once more, they do not come back.
        for name in try scratch.names(in: "state/done") where name.hasSuffix(".json") {
            let entry = try scratch.text("state/done/\(name)", filled: false)
            try scratch.write(entry, to: "state/queue/\(name)")
        }
        #expect(try probe("queue", "flush").status == 0)
        #expect(try beats == before)
    }

    @Test(arguments: ["Metronome", "metronome", "<id>"])
    func `a journal that is offline is known by its title, too, and its writes wait`(name: String) throws {
        let name = name == "<id>" ? String(id.prefix(12)) : name
        #expect(try probe("journals").output.contains("Metronome"))
        let (here, away) = ("\(scratch.path)/sessions", "\(scratch.path)/away")
        try FileManager.default.moveItem(atPath: here, toPath: away)
        let refused = try probe("probe", "beats", "--journal", name)
        #expect(refused.status == 66 && refused.errors.contains("the probe journal 'Metronome' is offline"))
        let queued = try probe("probe", "beat", "70", "--journal", name, "--json")
        #expect(queued.status == 0 && queued.output.contains(#""queued":true"#), "\(queued)")
        let unknown = try probe("probe", "beat", "70", "--journal", "Drum")
        #expect(unknown.status == 66 && unknown.errors.contains("there is no probe journal 'Drum'"))
        try FileManager.default.moveItem(atPath: away, toPath: here)
        #expect(try probe("queue", "flush").status == 0)
        #expect(try beats.contains(#""tempo":70}"#))
    }

    @Test func `a title that an offline journal has, too, names neither of them`() throws {
        scratch.environment["TRACE_ROOTS"] = "\(scratch.path)/sessions:\(scratch.path)/other"
        #expect(try probe("journal", "init", "probe", "other/second", "--title", "Metronome").status == 0)
        let others = try scratch.tree("other")
        #expect(try probe("journals").output.contains("Metronome"))
        let (here, away) = ("\(scratch.path)/sessions", "\(scratch.path)/away")
        try FileManager.default.moveItem(atPath: here, toPath: away)
        for name in ["Metronome", "metronome"] {
            let refused = try probe("probe", "beat", "70", "--journal", name)
            #expect(refused.status == 64, "\(refused)")
            #expect(refused.errors.contains("/sessions/metronome, which is offline"), "\(refused)")
        }
        #expect(try scratch.tree("other") == others)
        // Its directory is one journal, whatever the title of another.
        for name in ["second", "other/second"] {
            #expect(try probe("probe", "beat", "70", "--journal", name).status == 0)
        }
        try FileManager.default.moveItem(atPath: away, toPath: here)
        let both = try probe("probe", "beat", "70", "--journal", "Metronome")
        #expect(both.status == 64 && both.errors.contains("more than one probe journal"), "\(both)")
    }

    @Test func `entries in a spool are written in one go, and those that mean nothing are refused`() throws {
        try scratch.makeDirectory("state/queue")
        for (index, tempo) in [101, 102, 103, 104, 105, 1000].enumerated() {
            let id = number(index)
            try scratch.write(entry(id, #"{"tempo":\#(tempo)}"#), to: "state/queue/\(id).json")
        }
        let flushed = try probe("queue", "flush", "--json")
        #expect(flushed.output.contains("tempo must be a number from 20 to 400."), "\(flushed)")
        #expect(try beats.split(separator: "\n").count == 5)
    }

    // MARK: - By HTTP

    @Test func `requests write and ask as the commands do`() throws {
        let daemon = try DaemonProcess(
            "traced-probe", in: URL(filePath: scratch.path), environment: ["TRACE_HTTP_LISTEN": "127.0.0.1:0"]
        )
        var port = 0
        try soon("the daemon listens: \(daemon.log)") {
            port =
                daemon.log.firstMatch(of: #/ listening address=127\.0\.0\.1:(\d+)/#).flatMap { Int($0.1) }
                ?? 0
            return port > 0
        }
        let added = try probe("token", "add", "--name", "test", "--scope", "admin", "--json")
        let token = try #require(
            (try JSONSerialization.jsonObject(with: Data(added.output.utf8)) as? [String: Any])?["token"]
                as? String)
        func ask(_ method: String, _ path: String, json: String? = nil) throws -> WireAnswer {
            var fields = [("Authorization", "Bearer \(token)")]
            if json != nil { fields.append(("Content-Type", "application/json")) }
            return try WireClient(port: port).request(method, path, fields, body: json.map { Data($0.utf8) })
        }
        let entryID = number(77)
        let brought = entry(entryID, #"{"tempo":132,"note":"from afar","later":"unknown"}"#)
        let first = try ask("PUT", "/api/v1/queue/\(entryID)", json: brought)
        #expect(first.status == 201, "\(first)")
        let again = try ask("PUT", "/api/v1/queue/\(entryID)", json: brought)
        #expect(again.status == 200, "\(again)")
        #expect(try beats.split(separator: "\n").count == 1)

        for (payload, kind, words) in [
            (#"{"tempo":"fast"}"#, "probe.beat", "tempo must be a number from 20 to 400."),
            (#"{"tempo":5}"#, "probe.beat", "tempo must be a number from 20 to 400."),
            (#"{"note":"x"}"#, "probe.beat", "tempo is missing."),
            (#"{"tempo":100,"note":7}"#, "probe.beat", "note must be a text."),
            (#"{"tempo":100,"bars":2.5}"#, "probe.beat", "bars must be a whole number from 1 to 999."),
            (#"{"tempo":100}"#, "probe.bar", "kind 'probe.bar' is malformed"),
        ] {
            let refused = try ask(
                "PUT", "/api/v1/queue/\(number(78))", json: entry(number(78), payload, kind: kind))
            #expect(refused.status == 422 && refused.text.contains(words), "\(payload): \(refused)")
        }
        #expect(try probe("probe", "beat", "60").status == 0)

        let path = "/api/v1/journals/\(id)/probe"
        for (query, command) in [
            ("beats", ["beats"]), ("beats?least=100", ["beats", "--least", "100"]), ("tempo", ["tempo"]),
        ] {
            let answer = try ask("GET", "\(path)/\(query)")
            let printed = try scratch.run(Self.program, ["probe"] + command + ["--json"])
            #expect(answer.status == 200, "\(answer)")
            #expect(
                scratch.filled(answer.text).trimmingCharacters(in: .newlines)
                    == printed.output.trimmingCharacters(in: .newlines), "\(query)")
        }
        let malformed = try ask("GET", "\(path)/beats?least=slow")
        #expect(malformed.status == 400 && malformed.text.contains("'least'"), "\(malformed)")
        let unknown = try ask("GET", "\(path)/beats?most=9")
        #expect(unknown.status == 400 && unknown.text.contains("'most'"), "\(unknown)")
        let hit = try ask("GET", "/api/v1/search?q=afar").text
        #expect(hit.contains("from afar") && !hit.contains("offset_ms"), "\(hit)")
        #expect(try ask("GET", "/api/v1/timeline?day=2026-03-02").text.contains("132 a minute"))

        // The page has no views of its own for this one: a form can be made of what is declared.
        let kinds = try Self.rows(ask("GET", "/api/v1/kinds").text)
        #expect(kinds.last?["name"] as? String == "probe" && kinds.last?["page"] as? Bool == false)
        let declared = try ask("GET", "/api/v1/kinds").text
        for part in [
            #""name":"probe","title":"Probe","summary":"Write and read beats","page":false,"operations":[{"kind":"probe.beat","name":"beat","summary":"Note how fast it was","makes_records":true,"parameters":[{"name":"tempo","summary":"Beats a minute","required":true,"repeated":false,"value":{"type":"number","minimum":20,"maximum":400}},{"name":"note","summary":"What was played","required":false,"repeated":false,"value":{"type":"text"}},{"name":"bars","summary":"How many bars of it","required":false,"repeated":false,"value":{"type":"integer","minimum":1,"maximum":999}}]}]"#,
            #"{"path":"probe/beats","usual":true,"summary":"The beats that were noted","schema":"ProbeBeat","list":true,"parameters":[{"name":"least","summary":"Only beats of at least so many a minute","required":false,"repeated":false,"value":{"type":"number","minimum":20,"maximum":400}}],"columns":["TIME","TEMPO","NOTE"]}"#,
        ] { #expect(declared.contains(part), "\(declared)") }

        let document = try ask("GET", "/api/openapi.json").text
        for part in [
            #""/api/v1/journals/{j}/probe/beats""#, #""operationId":"getProbeTempo""#, #""ProbeBeat":{"#,
            #""name":"least","in":"query","description":"Only beats of at least so many a minute","schema":{"type":"number","minimum":20,"maximum":400}"#,
        ] { #expect(document.contains(part), "\(part)") }
    }

    // MARK: - Documents

    @Test func `help tells of it`() throws {
        let help = try probe("--help").output
        #expect(help.contains("PROBE") || help.contains("Probe"), "\(help)")
        let group = try probe("probe", "--help").output
        for part in ["Write and read beats.", "beat", "beats", "tempo", "undo"] {
            #expect(group.contains(part), "\(group)")
        }
        let verb = try probe("probe", "beat", "--help").output
        for part in ["<tempo>", "Beats a minute.", "--note <note>", "--no-queue", "waits in the queue"] {
            #expect(verb.contains(part), "\(verb)")
        }
        let queue = try probe("queue", "add", "probe", "--help").output
        #expect(queue.contains("Queue a write into a probe journal.") && queue.contains("Note how fast"))
        #expect(!queue.contains("List the beats"))
        #expect(try probe("journal", "init", "--help").output.contains(", probe"))
        for verb in ["beat", "beats", "tempo", "undo"] {
            let help = try probe("probe", verb, "--help").output
            #expect(help.contains("EXAMPLES:\n  trace probe \(verb)"), "\(help)")
        }
    }
}
