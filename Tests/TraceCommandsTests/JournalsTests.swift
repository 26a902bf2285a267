import Foundation
import Testing

/// Journals of another kind than sessions, as the commands show them.
struct JournalsTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let id = "01KGNQZP000000000000000001"
    /// A marker at 1772424000000, which the timeline of the golden has.
    private static let markerOffset = 1_772_424_000_000 - 1_770_235_200_000

    private func makeJournal(_ name: String = "pinball") throws {
        let directory = "sessions/\(name)"
        try scratch.makeDirectory(directory)
        try scratch.makeDirectory("\(directory)/library")
        try scratch.write(
            #"{"id":"\#(Self.id)","journal":"practice","format":1,"title":"Pinball","created_at":"2026-03-01T12:00:00.000Z"}"#,
            to: "\(directory)/practice.json")
        try scratch.write(
            #"{"version":3,"items":[{"practice_identity":"G1","name":"Comet Racer"},{"practice_identity":"G2","name":"Deep Reef"}]}"#,
            to: "\(directory)/library/pinball_library_v3.json")
        try scratch.write(Self.document, to: "\(directory)/practice-state.json")
    }

    private static let score =
        #"{"id":"0A7B1C00-0000-4000-8000-000000000002","gameID":"G1","action":"scoreLogged","score":900,"scoreContext":"practice","timestamp":1772402430000.75}"#

    private static let document = """
        {"schemaVersion":4,
        "scoreEntries":[{"id":"0A7B1C00-0000-4000-8000-000000000003","gameID":"G1","score":900,"timestamp":1772402430000.75}],
        "journalEntries":[\(score),
        {"id":"0A7B1C00-0000-4000-8000-000000000001","gameID":"G2","action":"practiceSession","task":"practice",
        "note":"Practice session: 15 minutes. ramps only","timestamp":1772402400000}]}
        """

    // MARK: - The timeline

    private struct Golden: Decodable {
        struct Case: Decodable {
            struct Expectation: Decodable { let lines: [String] }
            let name, day, zone: String
            let expect: Expectation
        }
        let cases: [Case]

        static func read() throws -> Golden {
            let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "Fixtures/journals/timeline-day.json")
            return try JSONDecoder().decode(Golden.self, from: Data(contentsOf: file))
        }
    }

    @Test func `a day has what all journals hold, in the zone that is asked for`() throws {
        try makeJournal()
        try scratch.session(
            "loop", title: "Loop practice",
            markers: marker(10, at: Self.markerOffset, #""label":"That groove","#))
        for golden in try Golden.read().cases {
            // The other kinds of the golden come with their formats.
            let lines = golden.expect.lines.filter {
                !$0.contains("\tcaddy\t") && !$0.contains("\twaterline\t")
            }
            let outcome = try scratch.trace(
                ["timeline", "--day", golden.day, "-q"], environment: ["TRACE_TIME_ZONE": golden.zone])
            #expect(outcome.output == lines.map { "\($0)\n" }.joined(), "\(golden.name)")
            #expect(outcome.status == (lines.isEmpty ? 1 : 0), "\(golden.name)")
        }
    }

    @Test func `a timeline can be of one kind, of one journal, and between moments`() throws {
        try makeJournal()
        try scratch.session(
            "loop", title: "Loop practice",
            markers: marker(10, at: Self.markerOffset, #""label":"That groove","#))
        func lines(_ arguments: String...) throws -> Int {
            try scratch.trace(["timeline", "--since", "2026-03-01"] + arguments).output.split(separator: "\n")
                .count
        }
        #expect(try lines() == 3)
        #expect(try lines("--kind", "practice") == 2)
        #expect(try lines("--kind", "session") == 1)
        #expect(try lines("--journal", "pinball") == 2)
        #expect(try lines("--journal", "Loop practice") == 1)
        #expect(try lines("--until", "2026-03-01T22:00:10Z", "--kind", "practice") == 1)
        #expect(try scratch.trace("timeline", "--journal", "nothing").status == 66)
        #expect(try scratch.trace("timeline", "--day", "today", "--since", "today").status == 64)
    }

    @Test func `a timeline of several days has dates, and sessions without a marker`() throws {
        let berlin = ["TRACE_TIME_ZONE": "Europe/Berlin"]
        try makeJournal()
        try scratch.session(
            "loop", title: "Loop practice",
            markers: marker(10, at: Self.markerOffset, #""label":"That groove","#))
        try scratch.session("silent", id: 2, start: "2026-03-01T20:00:00.000Z", title: "Silent evening")
        let range = ["timeline", "--since", "2026-03-01", "--until", "2026-03-02"]
        #expect(
            try scratch.trace(range, environment: berlin)
                == Outcome(
                    """
                    2026-03-01 21:00:00 CET\tsession\tSilent evening\tsession\tactive, without markers
                    2026-03-01 23:00:00 CET\tpractice\tPinball\tjournal\tPractice: Practice session: 15 minutes ramps only • Deep Reef
                    2026-03-01 23:00:30 CET\tpractice\tPinball\tjournal\tScore: 900 • Comet Racer (Practice)
                    2026-03-02 05:00:00 CET\tsession\tLoop practice\tmarker\tThat groove

                    """))
        let json = try scratch.trace(range + ["--json"], environment: berlin)
        #expect(
            json.output.contains(
                #""title":"Silent evening","online":true,"entry":"session","text":"active, without markers"}"#
            ), "\(json)")
        let day = try scratch.trace(
            ["timeline", "--day", "2026-03-01", "--kind", "session"], environment: berlin)
        #expect(day == Outcome("21:00:00\tsession\tSilent evening\tsession\tactive, without markers\n"))
        let other = try scratch.trace(range + ["--journal", "Loop practice"], environment: berlin)
        #expect(other.output.split(separator: "\n").count == 1, "\(other)")
    }

    @Test func `on a terminal a timeline is a table`() throws {
        try scratch.session(
            "loop", title: "Loop practice", markers: marker(10, at: 61_000, #""label":"That groove","#))
        try scratch.session("silent", id: 2, start: "2026-02-05T20:00:00.000Z", title: "Silent")
        let trace = Binaries.url("trace").path
        func shown(_ arguments: String) throws -> String {
            let script =
                "stty cols 110 rows 50; TERM=dumb TRACE_TIME_ZONE=Europe/Berlin \(trace) timeline \(arguments)"
            return try scratch.run("/usr/bin/script", ["-qec", script, "/dev/null"]).output.replacing(
                "\r\n", with: "\n")
        }
        #expect(
            try shown("--since 2026-02-04 --until 2026-02-05") == """
                DATE        TIME          KIND     TITLE          ENTRY    TEXT
                2026-02-04  21:01:01 CET  session  Loop practice  marker   That groove
                2026-02-05  21:00:00 CET  session  Silent         session  active, without markers

                """)
        #expect(
            try shown("--day 2026-02-04").hasPrefix(
                "TIME          KIND     TITLE          ENTRY   TEXT\n21:01:01 CET  "))
    }

    // MARK: - What others save over

    @Test func `what an app has saved over is shown, and put back`() throws {
        try makeJournal()
        let row = try scratch.trace("practice", "score", "comet", "4,000").output.trimmingCharacters(
            in: .newlines)
        #expect(try scratch.trace("restore") == Outcome("nothing is missing\n"))
        // It had the document in its memory.
        let document = "sessions/pinball/practice-state.json"
        try scratch.write(Self.document, to: document)
        #expect(try scratch.shell("touch -d '1 minute ago' \(document)") == Outcome())
        #expect(try scratch.trace("status").output.contains("overwritten 2 records of yours"))
        #expect(
            try scratch.trace("doctor").output.contains("2 records of yours in <scratch>/sessions/pinball"))
        func told(_ verb: String) -> Outcome {
            Outcome(
                "\(verb): score 4000 of G1 in <scratch>/sessions/pinball\n"
                    + "\(verb): row scoreLogged of G1 in <scratch>/sessions/pinball\n")
        }
        #expect(try scratch.trace("restore", "-n") == told("would restore"))
        #expect(try scratch.trace("restore", "-n", "--json").output.contains(#""id":"\#(row.lowercased())""#))
        #expect(try scratch.text(document) == Self.document)
        #expect(try scratch.trace("restore") == told("restored"))
        #expect(try scratch.text(document).contains("4000"))
        #expect(try scratch.trace("restore") == Outcome("nothing is missing\n"))
        // A write puts it back as well, and says so once, with what removes it.
        try scratch.write(Self.document.replacing("ramps only", with: "ramps"), to: document)
        let written = try scratch.trace("practice", "score", "comet", "5,000")
        #expect(written.status == 0)
        #expect(written.errors.contains("score 4000 of G1"), "\(written)")
        #expect(written.errors.contains("trace practice delete \(row.lowercased())"), "\(written)")
        #expect(
            try scratch.trace("practice", "score", "comet", "6,000").errors
                == "Comet Racer: Score: 6,000 (Practice)\n")
    }

    @Test func `an accept lists what goes, before and afterwards, and is taken back`() throws {
        try makeJournal()
        let document = "sessions/pinball/practice-state.json"
        let merge = ["practice", "merge", "phone.json", "--device", "phone"]
        try scratch.write(Self.document, to: "phone.json")
        #expect(try scratch.trace(merge).status == 0)
        try scratch.write(#"{"schemaVersion":4}"#, to: "phone.json")
        #expect(try scratch.trace(merge).status != 0)
        for (options, verb) in [(["--dry-run"], "would accept"), ([], "accepted")] {
            let told = try scratch.trace(["practice", "accept", "phone"] + options).output
            #expect(told.hasPrefix("\(verb): phone (3 removed)\n"), "\(told)")
            #expect(told.contains("\nremoved: score 900 of G1\n"), "\(told)")
            #expect(try scratch.text(document).contains("900") == (verb == "would accept"))
        }
        #expect(try scratch.trace("undo").output.hasPrefix("undone: practice accept"))
        #expect(try scratch.text(document).contains("900"))
    }

    @Test func `a merge lists what it changes, and is taken back`() throws {
        try makeJournal()
        try scratch.write(
            Self.document.replacing(#""score":900,"timestamp""#, with: #""score":950,"timestamp""#).replacing(
                #""scoreEntries":["#,
                with: #""scoreEntries":[{"id":"x","gameID":"G2","score":7,"timestamp":1772402400000},"#),
            to: "phone.json")
        let document = "sessions/pinball/practice-state.json"
        _ = try scratch.trace("practice", "merge", document, "--device", "phone")
        let told = """
            phone (1 added, 1 changed)
            changed: score 950 of G1
            added: score 7 of G2

            """
        let merge = ["practice", "merge", "phone.json", "--device", "phone"]
        #expect(try scratch.trace(merge + ["--dry-run"]) == Outcome("would merge: \(told)"))
        #expect(try scratch.text(document) == Self.document)
        #expect(try scratch.trace(merge) == Outcome("merged: \(told)"))
        let undone = try scratch.trace("undo").output
        #expect(undone.hasPrefix("undone: practice merge in <scratch>/sessions/pinball"), "\(undone)")
        #expect(try scratch.text(document).contains("950") == false)
        #expect(try scratch.trace("practice", "game", "deep", "--json").output.contains(":7") == false)
    }

    // MARK: - Journals

    @Test func `all kinds are listed, and one is shown`() throws {
        try makeJournal()
        try scratch.session("loop", title: "Loop practice", markers: marker(10, at: 5, ""))
        let list = try scratch.trace("journals").output.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        #expect(list.map { $0.first } == ["session", "practice"])
        #expect(
            list.last?.prefix(7) == [
                "practice", Self.id, "<scratch>/sessions/pinball", "Pinball", "2", "2026-03-01T22:00:00.000Z",
                "2026-03-01T22:00:30.000Z",
            ])
        #expect(list.last?.suffix(4) == ["0", "0", "open", "true"])
        let one = try scratch.trace("journals", "--kind", "practice", "--json").output
        #expect(
            one.hasPrefix(
                #"[{"kind":"practice","id":"\#(Self.id)","path":"<scratch>/sessions/pinball","title":"Pinball","records":2,"#
            ))
        let shown = try scratch.trace("journal", "show", "Pinball").output
        #expect(shown.contains("practice.journal: 2"))
        #expect(
            try scratch.trace("journal", "show", String(Self.id.prefix(6)), "--json").output.contains(
                #""entries":{"practice.journal":2}"#))
        #expect(try scratch.trace("journal", "show").status == 64)
        #expect(try scratch.trace("sessions").output.contains("Pinball") == false)
    }

    @Test func `a document on its own is a journal that is read`() throws {
        try scratch.session("loop", title: "Loop practice", markers: marker(10, at: 5, ""))
        try scratch.makeDirectory("sessions/phone")
        try scratch.write(Self.document, to: "sessions/phone/practice-state-json")
        #expect(try scratch.trace("journals").output.contains("practice-state-json"))
        #expect(
            try scratch.trace("timeline", "--day", "2026-03-01", "--utc").output.contains("Score: 900 • G1"))
        #expect(
            try scratch.trace("validate", "sessions/phone/practice-state-json").output.contains(
                "practice-link-missing") == false)
    }

    // MARK: - Questions about all journals

    @Test func `a search and a moment tell of journals, too`() throws {
        try makeJournal()
        #expect(
            try scratch.trace("search", "ramps")
                == Outcome(
                    "Pinball\t2026-03-01 22:00:00 UTC\t\tpractice.journal\tPractice: Practice session: 15 minutes ramps only • Deep Reef\t<scratch>/sessions/pinball\t0a7b1c00-0000-4000-8000-000000000001\n"
                ))
        #expect(try scratch.trace("search", "ramps", "--kind", "practice").status == 0)
        #expect(try scratch.trace("search", "ramps", "--kind", "marker").status == 1)
        let json = try scratch.trace("search", "comet", "--json").output
        #expect(json.contains(#""record":\#(Self.score)"#))
        #expect(
            try scratch.trace("at", "2026-03-01T22:00:31Z", "--utc", "--within", "5s").output
                == "practice.journal\t22:00:30\t\tScore: 900 • Comet Racer (Practice)\t\t\t0a7b1c00-0000-4000-8000-000000000002\t<scratch>/sessions/pinball\n"
        )
        let nothing = try scratch.trace("at", "2026-03-01T22:10Z")
        #expect(nothing.status == 1)
        #expect(
            nothing.errors.hasSuffix("\nno session ran then, and no other journal has an entry near it\n"),
            "\(nothing)")
    }

    @Test func `a name that two journals have is not guessed, and both are named`() throws {
        for name in ["one", "two"] {
            let made = try scratch.trace("journal", "init", "practice", "sessions/\(name)", "--title", "Pins")
            #expect(made.status == 0, "\(made)")
        }
        for command in [
            ["validate", "Pins"], ["validate", "--session", "Pins"], ["repair", "Pins"],
            ["undo", "--session", "Pins"], ["watch", "Pins"],
        ] {
            let outcome = try scratch.trace(command)
            #expect(outcome.status == 64, "\(command): \(outcome)")
            #expect(
                outcome.errors.contains("'Pins' is not one journal, and there are 2"),
                "\(command): \(outcome)")
            #expect(outcome.errors.contains("hint: name one of '"), "\(command): \(outcome)")
            let none = try scratch.trace(command.dropLast() + ["Needles"])
            #expect(none.errors.contains("no session is named 'Needles'"), "\(command): \(none)")
        }
    }

    @Test func `the status tells sessions from other journals that are not in the index`() throws {
        try makeJournal()
        try scratch.session("loop", title: "Loop practice")
        #expect(
            try scratch.trace("status").output.contains(
                "\nsessions: 1, none of them in the index\njournals: 1 practice, none of them in the index\nqueue:"
            ))
        #expect(try scratch.trace("journals").status == 0)
        try scratch.write(#"{"schemaVersion":4}"#, to: "sessions/pinball/practice-state.json")
        let status = try scratch.trace("status").output
        #expect(
            status.contains(": behind the files in 1 of the journals; the next query reads them\n"),
            "\(status)")
    }

    @Test func `the doctor counts every kind`() throws {
        try makeJournal()
        try scratch.session("loop", title: "Loop practice")
        #expect(try scratch.trace("doctor").output.contains("/sessions: 1 session, 1 practice journal, "))
        _ = try scratch.trace("index", "rebuild")
        #expect(try scratch.trace("doctor").output.contains("/sessions: 1 session, 1 practice journal, "))
    }

    @Test func `the commands of the index count every kind`() throws {
        try makeJournal()
        try scratch.session("loop", title: "Loop practice")
        #expect(
            try scratch.trace("index", "rebuild")
                == Outcome("rebuilt: 1 sessions, 1 other journal, 3 records\n"))
        let status = try scratch.trace("index", "status").output
        #expect(status.contains("sessions: 1\njournals: 1 of other kinds\nrecords:  3\n"))
        #expect(status.hasSuffix(": online, 1 session, 1 practice journal\n"))
        try scratch.remove("sessions/pinball")
        #expect(
            try scratch.trace("index", "status").output.contains("lag:      behind the files of 1 journal; "))
    }

    @Test func `a practice journal is repaired by its path, by its name and with all the others`() throws {
        try makeJournal()
        let document = "sessions/pinball/practice-state.json"
        let sound = try scratch.text(document, filled: false)
        let damaged = "\u{FEFF}" + sound
        try scratch.write(damaged, to: document)
        let settled = ["TRACE_SETTLE_TIME": "0s"]
        let shown = try scratch.trace("repair", "sessions/pinball", environment: settled)
        #expect(shown.status == 1 && shown.output.contains("remove the byte order mark [byte-order-mark]"))
        #expect(
            try scratch.trace("repair", "Pinball", environment: settled).output.contains("would be repaired"))
        #expect(try scratch.text(document, filled: false) == damaged)
        let done = try scratch.trace("repair", "--all", "--write", environment: settled)
        #expect(done.status == 0 && done.output.contains("1 repaired in 1 of 1 journal"))
        #expect(try scratch.text(document, filled: false) == sound)
        #expect(try scratch.trace("repair", "Pinball").output.hasPrefix("ok: "))
    }

    @Test func `validate, status and the index know every kind`() throws {
        try makeJournal()
        let finding = try scratch.trace("validate", "sessions/pinball")
        #expect(finding.output.contains("practice-link-missing") == false && finding.status == 0)
        try scratch.write(#"{"journalEntries":[{"id":"x"}]}"#, to: "sessions/pinball/practice-state.json")
        let broken = try scratch.trace("validate", "--all")
        #expect(broken.status == 1 && broken.output.contains("[uuid-malformed]"))
        #expect(broken.output.contains("[key-missing]"))
        #expect(try scratch.trace("explain", "uuid-malformed").status == 0)
        let journals = try scratch.trace("journals").output
        #expect(
            journals.contains(#/^practice\t(\S*\t){5,}[1-9]\d*\t\d+\topen\t/#.anchorsMatchLineEndings()),
            "\(journals)")
        #expect(try scratch.trace("status").output.contains("journals: 1 practice"))
        #expect(try scratch.trace("index", "verify").status == 0)
    }
}
