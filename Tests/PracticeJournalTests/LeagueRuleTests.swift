import Foundation
import PracticeJournal
import RecordFormat
import TestSupport
import Testing

struct LeagueRuleTests {
    @Test(arguments: Rule.league.map(\.id))
    func `a fixture violates its own rule and no other`(rule: String) throws {
        let directory = LeagueScene.directory.appending(path: "league-rules/\(rule)")
        let bytes = try Data(contentsOf: directory.appending(path: LeagueStats.fileName))
        let findings = LeagueStats(Array(bytes)).findings
        #expect(Set(findings.map(\.rule.id)) == [rule])
        let expected = directory.appending(path: "expected.txt")
        if ProcessInfo.processInfo.environment["TRACE_UPDATE_GOLDEN"] == "1" {
            try Data(findings.map { "\($0)\n" }.joined().utf8).write(to: expected)
        }
        let lines = try String(contentsOf: expected, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(findings.map(\.description) == lines)
        for finding in findings { try expectField(of: finding, in: Array(bytes)) }
    }

    /// That the line and the column of a place are those of its byte.
    private func expectField(of finding: Finding, in bytes: [UInt8]) throws {
        let place = finding.place
        guard place.line > 0 else { return }
        let lines = String(decoding: bytes[..<place.byteOffset], as: Unicode.ASCII.self)
            .replacing("\r\n", with: "\n").replacing("\r", with: "\n")
            .split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == place.line)
        #expect(lines.last?.utf8.count == max(place.column - 1, 0))
    }

    // MARK: - Standings and targets

    private static let header =
        "season,player,total,rank,bank_1,bank_2,bank_3,bank_4,bank_5,bank_6,bank_7,bank_8\n"

    private func standings(_ rows: String) -> LeagueStandings {
        LeagueStandings(Array((Self.header + rows).utf8))
    }

    @Test func `standings name what a row lacks`() {
        let found = standings("none,A,1,1,1,1,1,1,1,1,1,1\n4,,1,1,1,1,1,1,1,1,1,1\n4,B,x,y,z,1,1,1,1,1,1,1\n")
        #expect(found.table.isEmpty)
        #expect(
            found.findings.map(\.description) == [
                "LPL_Standings.csv:2:1 (byte 81): the row has no season [league-row-unreadable]",
                "LPL_Standings.csv:3:3 (byte 110): the row has no player [league-row-unreadable]",
                "LPL_Standings.csv:4:5 (byte 135): total is not a number [league-number]",
            ])
    }

    @Test func `of equal ranks the one with more points is first`() {
        let found = standings("4,A,1,2,1,1,1,1,1,1,1,1\n4,B,2,2,1,1,1,1,1,1,1,1\n4,C,3,1,1,1,1,1,1,1,1,1\n")
        #expect(found.table.map { LeagueScene.plain($0.player) } == ["C", "B", "A"])
        #expect(found.table.map(\.rank) == [1, 2, 2])
    }

    @Test func `a target has a game`() throws {
        let text = "game,second_highest_avg,fourth_highest_avg,eighth_highest_avg\n ,1,2,3\nTMNT,3,2,1\n"
        let library = try Scene.library(
            GoldenValue(#"[{"slug":"t","name":"Teenage Mutant Ninja Turtles"}]"#.utf8))
        let targets = LeagueTargets(Array(text.utf8), library: library)
        #expect(targets.findings.map(\.rule.id) == ["league-row-unreadable"])
        #expect(targets.rows.map(\.match) == [.exact])
        #expect(targets.rows.map(\.order) == [100_000])
        #expect(NextBank(for: PlayerName("A"), stats: try LeagueScene.stats(), targets: targets) == nil)
    }

    // MARK: - Whatever the bytes are

    private static let fragments =
        [
            "Season", "BankNumber", "Player", "Machine", "RawScore", "Points", "EventDate", "game", "name",
            "bank_1", ",", ",", ",", "\"", "\"\"", "\n", "\r", "\r\n", "\n", "4", "1", "12,345", "\"12,345\"",
            "-0", "1e400", "0x1F", "nan", "99999999999999999999999", "2026-02-30", "2026-02-02", "0000-01-01",
            "—",
            " ", "\u{FEFF}", "\0", "Zoë", "e\u{308}", "각", "\u{1F600}", "Comet Racer", "&", "Ada Quill",
        ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80]]

    /// Reads bytes in all ways.
    private func read(_ bytes: [UInt8]) throws {
        let library = try Self.library.get()
        let stats = LeagueStats(bytes)
        let standings = LeagueStandings(bytes)
        let targets = LeagueTargets(bytes, library: library)
        let redaction = NameRedaction(bytes)
        for finding in stats.findings + standings.findings + targets.findings + redaction.findings {
            #expect(finding.place.byteOffset <= bytes.count)
        }
        for row in stats.rows.prefix(3) {
            _ = stats.statistics(of: row.machine)
            _ = NextBank(for: row.player, stats: stats, targets: targets)
            _ = RecentBank(for: row.player, in: stats)
            _ = HeadToHead(row.player, PlayerName("Ada Quill"), in: stats, library: library)
            _ = redaction.shown(row.player)
            let document = try Self.document.get()
            let name = NameRedaction().shown(row.player)
            guard !row.player.isEmpty else { continue }
            let made = try LeagueImport(
                of: name, from: stats, into: document, library: library, zone: .utc,
                entry: ByteTests.entry, at: Scene.now)
            _ = try Scene.document(try document.applying(made.change))
        }
        for standing in standings.table.prefix(3) { _ = standings.around(standing.player) }
    }

    private static let library = Result { try LeagueScene.library() }
    private static let document = Result { try Scene.document("{}".utf8) }

    @Test func `any bytes are read, or found`() throws {
        var dice = Torture.dice("league tables")
        let stats = try LeagueScene.bytes("league/stats.csv")
        for _ in 0..<Torture.size(full: 5000, sample: 300) {
            try read(
                (0..<Int.random(in: 0...60, using: &dice)).flatMap { _ in dice.element(of: Self.fragments) })
            // A table with something else in some places.
            var damaged = stats
            for _ in 0..<Int.random(in: 1...4, using: &dice) {
                let start = Int.random(in: 0..<damaged.count, using: &dice)
                let end = min(start + Int.random(in: 0...8, using: &dice), damaged.count)
                damaged.replaceSubrange(start..<end, with: dice.element(of: Self.fragments))
            }
            try read(damaged)
        }
    }

    @Test func `a table that is cut anywhere is read as far as it is there`() throws {
        let stats = try LeagueScene.bytes("league/stats.csv")
        let rows = LeagueStats(stats).rows.count
        for length in 0..<stats.count { #expect(LeagueStats(Array(stats[..<length])).rows.count <= rows) }
    }

    @Test(arguments: [
        ("no header", "4,1,Ada Quill,Comet Racer,5,1,2026-02-02\n", 0, "league-column-missing"),
        ("nothing", "", 0, "league-column-missing"),
        ("a quote that never closes", "\(columns)\n\"4,1,A,M,5,1\n4,1,A,M,5,1\n", 0, "league-row-unreadable"),
        ("NUL in the header", "S\0eason,B\0ankNumber,Player,Machine,RawScore,Points\n4,1,A,M,5,1", 1, ""),
        ("CR alone", "\(columns)\r4,1,A,M,5,1\r\r4,1,A,M,6,1", 2, ""),
        ("columns twice", "\(columns),Player\n4,1,A,M,5,1,B\n", 1, ""),
        (
            "a byte order mark and quotes",
            "\u{FEFF}\"Season\",BankNumber,Player,Machine,RawScore,Points\n4,1,A,M,5,1", 1, ""
        ),
    ])
    func `a table in another form`(name: String, text: String, rows: Int, rule: String) {
        let stats = LeagueStats(Array(text.utf8))
        #expect(stats.rows.count == rows)
        #expect(stats.rows.allSatisfy { LeagueScene.plain($0.player) == "A" })
        #expect(Set(stats.findings.map(\.rule.id)) == (rule.isEmpty ? [] : [rule]))
    }

    private static let columns = "Season,BankNumber,Player,Machine,RawScore,Points"

    @Test func `a million columns are a row`() {
        let wide = Array((Self.columns + String(repeating: ",x", count: 1_000_000)).utf8)
        let stats = LeagueStats(wide + Array("\n4,1,A,M,5,1\n".utf8) + wide)
        #expect(stats.rows.count == 2)
        #expect(stats.findings.map(\.message).first == "the row has 6 fields, the header 1000006")
        #expect(stats.rows.map(\.season) == [4, 0])
    }

    @Test func `many bad rows are a few findings`() {
        let text = Self.columns + "\n" + String(repeating: "4,1,A,M,x\n", count: 20_000)
        let wide = Self.columns + "\n" + String(repeating: "4,1,A,M,x,y\n", count: 20_000)
        #expect(LeagueStats(Array(text.utf8)).rows.isEmpty)
        for (findings, rule, more) in [
            (LeagueStats(Array(text.utf8)).findings, "league-row-width", 19_980),
            (LeagueStats(Array(wide.utf8)).findings, "league-number", 39_980),
        ] {
            #expect(findings.map(\.rule.id) == Array(repeating: rule, count: 20))
            #expect(findings.last?.message.hasSuffix("and \(more) more of this rule") == true)
        }
    }
}
