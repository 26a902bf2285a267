import Foundation
import ProgramHarness
import TestSupport
import Testing

/// The tables of a league through the built command.
struct LeagueTests {
    let scratch: Scratch

    /// Spellings of the players who are not to be named.
    private static let redacted = ["Marsh", "MARSH", "marsh", "Zoë", "Zoe Hart", "zoe hart", "Hart"]

    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "Fixtures/journals")

    init() throws {
        scratch = try Scratch()
        scratch.environment = ["TZ": "UTC"]
        let made = try scratch.trace("journal", "init", "practice", "sessions/pins", "--title", "Pins")
        try #require(made.status == 0, "\(made)")
        for folder in ["library", "league"] { try scratch.makeDirectory("sessions/pins/\(folder)") }
        let golden = try JSONSerialization.jsonObject(
            with: Data(contentsOf: Self.fixtures.appending(path: "practice-league.json")))
        let library = try #require((golden as? [String: Any])?["library"])
        try scratch.write(
            String(decoding: JSONSerialization.data(withJSONObject: library), as: UTF8.self),
            to: "sessions/pins/library/pinball_library_v3.json")
        for (table, name) in [
            ("stats", "LPL_Stats"), ("standings", "LPL_Standings"), ("targets", "LPL_Targets"),
            ("redacted", "redacted_players"),
        ] {
            try scratch.write(
                String(contentsOf: Self.fixtures.appending(path: "league/\(table).csv"), encoding: .utf8),
                to: "sessions/pins/league/\(name).csv")
        }
        try scratch.write(
            #"{"schemaVersion":4,"practiceSettings":{"playerName":"Ada Quill","comparisonPlayerName":"Bo Marsh"}}"#,
            to: "sessions/pins/practice-state.json")
    }

    private func league(_ arguments: String...) throws -> Outcome {
        try scratch.trace(["practice", "league"] + arguments)
    }

    private func document() throws -> String {
        try scratch.text("sessions/pins/practice-state.json", filled: false)
    }

    private func expectNoName(_ text: String, _ what: String) {
        for name in Self.redacted { #expect(!text.contains(name), "\(what): \(text)") }
    }

    @Test func `each question is answered by lines of fields`() throws {
        #expect(
            try league("standings", "--top", "3").output == """
                S4\t1\tCy Ferro\t500\tyes\t4\t300 100 100 0 0 0 0 0\t
                S4\t2\tRedacted 62C440\t400\tyes\t4\t200 100 100 0 0 0 0 0\t
                S4\t3\tAda Quill\t300\tyes\t4\t100 100 100 0 0 0 0 0\t*

                """)
        let around = try league("around", "dee  holt").output
        #expect(
            around.split(separator: "\n").map { $0.split(separator: "\t")[1] } == ["2", "3", "4", "5", "6"])
        #expect(
            try league("stats", "comet racer", "--season", "4").output
                == "Comet Racer\t3\t9,000,000\tRedacted 62C440\t30,000,000\tCy Ferro\t18,000,000\t15,000,000\t8,831,761\n"
        )
        #expect(
            try league("stats", "--rows", "--player", "bo marsh", "--bank", "2").output
                == "S4\tB2\t2026-02-16\tRedacted 62C440\tDeep Reef\t6,500,000\t15\n")
        #expect(
            try league("targets").output.hasPrefix(
                "Comet Racer\tB1\t30,000,000\t20,000,000\t10,000,000\texact\n"))
        #expect(try league("next").output.hasPrefix("Next Bank • B2\nStar Baron and Co\tB2\t"))
        #expect(
            try league("recent").output.hasPrefix(
                "Most Recent • S4 B1 • Ada Quill\nComet Racer\t15,000,000\t12\n"))
        #expect(
            try league("recent", "Nobody").output
                == "Most Recent • S4 B2 • Redacted 62C440\nDeep Reef\t6,500,000\t15\n")
        #expect(
            try league("versus").output.hasPrefix(
                "Ada Quill leads in 0 games, Redacted 62C440 in 3; the mean difference is -1,000,067\nComet Racer\t13,672,839\t15,672,839\t-2,000,000\t"
            ))
        #expect(
            try league("versus", "Cy Ferro", "--player", "redacted 62c440").output.contains("Cy Ferro in 1"))
    }

    @Test(arguments: [
        (["around", "Nobody"], 66, "there is no player 'Nobody' in the standings of the league"),
        (["versus", "Lux, Dee"], 66, "there is no player 'Redacted 07310E' in the scores of the league"),
        (["stats", "--player", "Ada Quill"], 64, "--player belongs to --rows"),
        (["standings", "--top", "0"], 64, "write a whole number from 1 to 1000"),
        (["standings", "--unredacted"], 77, "--unredacted shows names at a terminal only"),
        (["versus", "--unredacted", "--json"], 77, "--unredacted shows names at a terminal only"),
    ])
    func `what has no answer is refused with its reason`(
        _ arguments: [String], _ status: Int32, _ reason: String
    ) throws {
        try scratch.write("name\nDee Lux\n", to: "sessions/pins/league/redacted_players.csv")
        let outcome = try scratch.trace(["practice", "league"] + arguments)
        #expect(outcome.status == status && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errors.contains(reason), "\(outcome)")
    }

    @Test func `without a player, a comparison or a table it says what is missing`() throws {
        try scratch.write(#"{"schemaVersion":4}"#, to: "sessions/pins/practice-state.json")
        for arguments in [["around"], ["versus", "Ada Quill"], ["import"]] {
            let outcome = try scratch.trace(["practice", "league"] + arguments)
            #expect(outcome.status == 64 && outcome.errors.contains("no player is named"), "\(outcome)")
        }
        #expect(try league("versus", "--player", "Ada Quill").status == 64)
        try FileManager.default.removeItem(atPath: "\(scratch.sessions)/pins/league")
        for verb in ["stats", "standings", "around", "targets", "next", "recent", "versus", "import"] {
            let outcome = try league(verb)
            #expect(
                outcome.status == 66 && outcome.errors.contains("there is no table league/LPL_"), "\(outcome)"
            )
        }
        #expect(try league("purge").output == "removed: 0 scores, 0 rows\n")
    }

    @Test func `a table that lacks a column is no answer, and nothing is imported from it`() throws {
        let before = try document()
        for name in ["Stats", "Standings", "Targets"] {
            try scratch.write("season,player\n4,Bo Marsh\n", to: "sessions/pins/league/LPL_\(name).csv")
        }
        for verb in ["stats", "standings", "around", "targets", "next", "recent", "versus"] {
            let outcome = try league(verb)
            #expect(outcome.status == 66 && outcome.errors.contains(": there is no column '"), "\(outcome)")
            expectNoName(outcome.errors, verb)
        }
        for arguments in [["import"], ["import", "-n"]] {
            let outcome = try scratch.trace(["practice", "league"] + arguments)
            #expect(
                outcome.status == 65 && outcome.errors.contains("LPL_Stats.csv can't be read"), "\(outcome)")
        }
        #expect(try document() == before)
    }

    @Test func `an import is shown, made, repeated, purged and taken back`() throws {
        let before = try document()
        #expect(
            try league("import", "--dry-run").output
                == "would import: 4 scores of Ada Quill (0 skipped, 1 unmatched)\n")
        #expect(try document() == before)
        #expect(try league("import").output == "imported: 4 scores of Ada Quill (0 skipped, 1 unmatched)\n")
        let imported = try document()
        #expect(imported.contains(#""leagueImported":true"#) && imported.contains(#""lastImportAt":"#))
        let list = try scratch.trace("practice", "journal", "--filter", "league").output
        #expect(
            list.contains("2026-02-02 00:00:00 UTC")
                && list.contains("League import for Ada Quill: 4 imported"))
        #expect(try league("import").output == "imported: 0 scores of Ada Quill (4 skipped, 1 unmatched)\n")
        #expect(try scratch.trace("practice", "undo").status == 0)
        #expect(try document() == imported)
        #expect(try league("purge", "-n").output == "would remove: 4 scores, 5 rows\n")
        #expect(try document() == imported)
        #expect(try league("purge").output == "removed: 4 scores, 5 rows\n")
        #expect(try !document().contains("15000000"))
        for _ in 0..<2 { #expect(try scratch.trace("undo").status == 0) }
        #expect(try document() == before)
        #expect(try scratch.trace("validate", "sessions/pins").status != 65)
    }

    /// What is typed need not be spelled as the table has it, if it is the name of somebody who is redacted.
    @Test(arguments: ["Zoe Hart", "redacted 4f76e6", "Zoë  Hart"])
    func `an import does what was shown before, whatever way the player is named`(player: String) throws {
        let shown = try league("import", "--player", player, "-n").output
        #expect(shown == "would import: 0 scores of Redacted 4F76E6 (0 skipped, 1 unmatched)\n")
        let done = try league("import", "--player", player)
        #expect(done.output == shown.replacing("would import", with: "imported"), "\(done)")
        #expect(
            try document().contains("League import for Redacted 4F76E6: 0 imported, 0 skipped, 1 unmatched."))
    }

    @Test
    func `days begin in the zone of the journal, else in that of the configuration, else of the machine`()
        throws
    {
        func days(_ environment: [String: String]) throws -> Set<String> {
            scratch.environment = environment
            #expect(try league("import").status == 0)
            let times = try document().matches(of: /"score":15000000,[^}]*"timestamp":(\d+)/).map {
                String($0.1)
            }
            #expect(try scratch.trace("undo").status == 0)
            return Set(times)
        }
        #expect(try days(["TZ": "UTC"]) == ["1769990400000"])
        #expect(try days(["TZ": "America/New_York"]) == ["1770008400000"])
        #expect(try days(["TZ": "UTC", "TRACE_TIME_ZONE": "Europe/Berlin"]) == ["1769986800000"])
        let header = try scratch.text("sessions/pins/practice.json", filled: false)
        try scratch.write(
            header.replacing("\"title\"", with: "\"time_zone\": \"Asia/Tokyo\", \"title\""),
            to: "sessions/pins/practice.json")
        #expect(try days(["TZ": "UTC", "TRACE_TIME_ZONE": "Europe/Berlin"]) == ["1769958000000"])
    }

    @Test func `an import and a purge come out of the queue, each once`() throws {
        let journal = try #require(
            scratch.text("sessions/pins/practice.json", filled: false).firstMatch(of: /"id": "(\w{26})"/)?
                .output.1)
        func queue(_ id: Int, _ kind: String, _ payload: String) throws {
            try scratch.makeDirectory("state/queue")
            try scratch.write(
                #"{"id":"\#(number(id))","kind":"practice.\#(kind)","journal_id":"\#(journal)","created_at":"2026-03-01T12:00:00.000Z","payload":\#(payload)}"#
                    + "\n", to: "state/queue/\(number(id)).json")
        }
        try queue(1, "league_import", #"{"player":"redacted 62c440"}"#)
        let list = try scratch.trace("queue", "list")
        #expect(list.output.contains("\tpractice.league_import\t"), "\(list)")
        let flush = try scratch.trace("queue", "flush")
        #expect(flush.output.hasPrefix("applied\t"), "\(flush)")
        #expect(
            try document().contains("League import for Redacted 62C440: 3 imported, 0 skipped, 1 unmatched."))
        let imported = try document()
        try queue(1, "league_import", #"{"player":"redacted 62c440"}"#)
        let again = try scratch.trace("queue", "flush")
        #expect(!again.output.hasPrefix("applied\t"), "\(again)")
        #expect(try document() == imported)
        try queue(2, "league_purge", "{}")
        #expect(try scratch.trace("queue", "flush").output.hasPrefix("applied\t"))
        #expect(try !document().contains("leagueImported\":true"))
        try queue(3, "league_import", #"{"player":["x"]}"#)
        let refused = try scratch.trace("queue", "flush")
        #expect(refused.output.contains("player must be a text."), "\(refused)")
    }

    @Test func `who is redacted is in no output, and in no file but those of the league`() throws {
        // A note of an import that an app made, with the name.
        try scratch.write(
            #"{"schemaVersion":4,"journalEntries":[{"id":"0A7B1C00-0000-4000-8000-000000000001","gameID":"GaB12","action":"scoreLogged","scoreContext":"league","note":"League import for Bo Marsh: 1 imported, 0 skipped, 0 unmatched.","timestamp":1772402400000}],"practiceSettings":{"playerName":"Bo Marsh"}}"#,
            to: "sessions/pins/practice-state.json")
        try scratch.write(
            "season,player,total\n4,Zoë Hart\nBo Marsh,\"x\n", to: "sessions/pins/league/LPL_Standings.csv")
        let commands = [
            ["practice", "league", "stats"], ["practice", "league", "stats", "--rows"],
            ["practice", "league", "standings"], ["practice", "league", "around"],
            ["practice", "league", "around", "zoe hart"], ["practice", "league", "next"],
            ["practice", "league", "recent"], ["practice", "league", "recent", "zoë  hart"],
            ["practice", "league", "versus", "Zoe Hart"], ["practice", "league", "import", "--dry-run"],
            ["practice", "league", "import"], ["practice", "journal"],
            ["practice", "journal", "--filter", "league"], ["timeline", "--day", "2026-03-01"],
            ["timeline", "--since", "2026-02-01"], ["search", "League"], ["search", "Marsh"], ["journals"],
            ["journal", "show", "Pins"], ["validate", "--all"], ["undo", "--list"], ["undo", "--dry-run"],
            ["index", "verify"], ["status"],
        ]
        for command in commands {
            for form in [[], ["--json"]] {
                let outcome = try scratch.trace(command + form)
                expectNoName(outcome.output, "\(command)")
                expectNoName(outcome.errors.replacing("'Marsh'", with: ""), "\(command)")
            }
        }
        #expect(try scratch.trace("index", "rebuild").status == 0)
        #expect(try scratch.trace("search", "Marsh").status == 1)
        #expect(
            try scratch.trace("search", "imported", "--kind", "practice").output.contains("Redacted 62C440"))
        let files = try FileManager.default.subpathsOfDirectory(atPath: scratch.path)
        #expect(files.contains { $0.hasSuffix(".sqlite") })
        for file in files where !file.hasPrefix("sessions/pins/") {
            guard let data = FileManager.default.contents(atPath: "\(scratch.path)/\(file)") else { continue }
            expectNoName(String(decoding: data, as: UTF8.self), file)
        }
    }

    @Test func `where the list can't be read whole, nobody is named, and it says so`() throws {
        try (Data("name\nZo".utf8) + [0xEB]).write(
            to: URL(filePath: "\(scratch.sessions)/pins/league/redacted_players.csv"))
        for verb in ["standings", "stats", "recent", "versus", "around"] {
            let outcome = try league(verb)
            #expect(outcome.status == 0 && !outcome.output.contains("Quill"), "\(outcome)")
            #expect(
                outcome.errors.contains("redacted_players.csv can't be read whole, so nobody is named"),
                "\(outcome)")
        }
        let validated = try scratch.trace("validate", "sessions/pins")
        #expect(validated.output.contains("league/redacted_players.csv:2"), "\(validated)")
        #expect(validated.output.contains("[league-row-unreadable]"), "\(validated)")
    }

    @Test func `the owner sees all names at a terminal`() throws {
        scratch.environment = ["TERM": "xterm-256color", "NO_COLOR": "1", "TRACE_PAGER": ""]
        func terminal(_ command: String) throws -> String {
            try scratch.write("stty cols 110 rows 50\n\"$TRACE\" \(command) 2>&1\n", to: "screen.sh")
            return try scratch.shell("script -qec 'sh screen.sh' /dev/null </dev/null").output
        }
        let all = try terminal("practice league standings --unredacted")
        #expect(all.contains("Bo Marsh") && all.contains("Zoë Hart") && all.contains("NIGHTS"), "\(all)")
        let some = try terminal("practice league standings")
        #expect(some.contains("Redacted 62C440") && !some.contains("Marsh"), "\(some)")
        #expect(try terminal("practice league versus --json --unredacted").contains("Bo Marsh"))
        // Not what another user owns: this test may be root, who may give a directory away.
        guard chown("\(scratch.sessions)/pins", 65534, 65534) == 0 else { return }
        let refused = try terminal("practice league standings --unredacted")
        #expect(
            refused.contains("to the owner of the journal only") && !refused.contains("Marsh"), "\(refused)")
    }

    @Test func `validate and explain know the rules of league tables`() throws {
        let fixtures = Self.fixtures.deletingLastPathComponent().appending(path: "league-rules")
        for rule in try FileManager.default.contentsOfDirectory(atPath: fixtures.path).sorted() {
            let fixture = fixtures.appending(path: rule)
            try Data(contentsOf: fixture.appending(path: "LPL_Stats.csv")).write(
                to: URL(filePath: "\(scratch.sessions)/pins/league/LPL_Stats.csv"))
            let expected = try String(contentsOf: fixture.appending(path: "expected.txt"), encoding: .utf8)
            let found = try scratch.trace("validate", "sessions/pins")
            for line in expected.split(separator: "\n") {
                #expect(found.output.contains("league/\(line)"), "\(rule): \(found)")
            }
            #expect(
                found.status == (["league-column-missing", "league-separator"].contains(rule) ? 65 : 0)
                    || found.status == 1, "\(found)")
            #expect(try scratch.trace("explain", rule).output.contains("league table"), "\(rule)")
        }
    }
}
