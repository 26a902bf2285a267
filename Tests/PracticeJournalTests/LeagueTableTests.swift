import Foundation
import PracticeJournal
import RecordFormat
import Testing

struct LeagueTableTests {
    @Test(arguments: LeagueScene.cases("csv-"))
    func `a table is read field by field`(golden: GoldenCase) throws {
        var reader = CSVReader(Array(golden.text("text").utf8))
        var rows: [[String]] = []
        while let row = reader.next() { rows.append(row.fields.map(reader.text)) }
        #expect(rows == (try golden.need("expect").elements.map { $0.elements.map { $0.string ?? "" } }))
    }

    @Test(arguments: LeagueScene.cases("stats"))
    func `the table of scores is read, and what is wrong in it is found`(golden: GoldenCase) throws {
        let expected = try golden.need("expect")
        let stats = LeagueStats(try LeagueScene.table(golden))
        let rows = try expected.need("rows").elements
        try #require(stats.rows.count == rows.count)
        for (row, expected) in zip(stats.rows, rows) {
            #expect(
                [row.line, row.season, row.bank]
                    == ["row", "season", "bank"].map { expected[$0]?.integer })
            #expect(
                [LeagueScene.plain(row.player), row.machine] == ["player", "machine"].map(expected.text))
            #expect([row.score, row.points] == ["score", "points"].map { expected[$0]?.number })
            #expect(row.day == expected.text("date"))
            #expect((row.date == nil) == (expected["date"] == nil))
        }
        LeagueScene.expect(stats.findings, expected)
        guard let shown = expected["previewRows"]?.elements else { return }
        #expect(stats.shown.map(\.line) == shown.map(\.integer))
    }

    @Test(arguments: LeagueScene.cases("machine-season", "machine-all", "machine-zero", "machine-redacted"))
    func `the scores of a machine have numbers and holders`(golden: GoldenCase) throws {
        let expected = try golden.need("expect")
        let found = try LeagueScene.stats().statistics(
            of: golden.text("machine"), season: golden["season"]?.integer, bank: golden["bank"]?.integer)
        #expect(found?.count ?? 0 == expected["count"]?.integer)
        guard let found else { return }
        #expect([found.low, found.high] == ["low", "high"].map { expected[$0]?.number })
        let redaction = try LeagueScene.redaction()
        let holders = [found.lowHolder, found.highHolder].map { redaction.shown($0.player) + $0.seasonMark }
        #expect(holders == ["lowPlayer", "highPlayer"].map(expected.text))
        #expect(isClose(found.mean, expected["mean"]?.number))
        #expect(isClose(found.median, expected["median"]?.number))
        #expect(isClose(found.deviation, expected["std"]?.number))
    }

    @Test(arguments: LeagueScene.cases("standings"))
    func `standings are those of the latest season`(golden: GoldenCase) throws {
        let expected = try golden.need("expect")
        let standings = LeagueStandings(try LeagueScene.table(golden))
        if let season = expected["season"]?.integer { #expect(standings.season == season) }
        let table = standings.table.map { "\($0.rank) \(LeagueScene.plain($0.player)) \(Int($0.points))" }
        let rows = expected["table"]?.elements ?? []
        #expect(
            table
                == rows.map {
                    "\($0["rank"]?.integer ?? 0) \($0.text("player")) \($0["points"]?.integer ?? 0)"
                })
        LeagueScene.expect(standings.findings, expected)
    }

    @Test(arguments: LeagueScene.cases("around-"))
    func `a player is shown with the neighbours`(golden: GoldenCase) throws {
        let around = try LeagueScene.standings().around(PlayerName(golden.text("player")))
        let expected = golden["expect"]
        #expect(around?.position == expected?["position"]?.integer)
        #expect(around?.rows.startIndex == expected?["start"]?.integer)
        #expect(
            around?.rows.map { LeagueScene.plain($0.player) }
                == expected?["players"]?.elements.compactMap(\.string))
    }

    @Test func `the best are at the top, as many as there are`() throws {
        let standings = try LeagueScene.standings()
        #expect(standings.top(5).map { LeagueScene.plain($0.player) }.last == "Eli Stone")
        #expect(standings.top(100).count == 8)
        #expect(standings.top(-1).isEmpty)
        #expect(standings.table[2].banks == [100, 100, 100, 0, 0, 0, 0, 0])
        #expect(standings.table[2].isEligible == true && standings.table[3].isEligible == false)
        #expect(standings.table[3].nights == 2)
    }

    @Test(arguments: LeagueScene.cases("targets"))
    func `targets are found in the library`(golden: GoldenCase) throws {
        let expected = try golden.need("expect")
        let targets = LeagueTargets(try LeagueScene.table(golden), library: try LeagueScene.library())
        let rows = try expected.need("rows").elements
        #expect(targets.rows.map(\.game) == rows.map { $0.text("game") })
        #expect(targets.rows.map(\.match.rawValue) == rows.map { $0.text("match") })
        #expect(targets.rows.map(\.bank) == rows.map { $0["bank"]?.integer })
        #expect(targets.rows.map(\.order) == rows.map { $0["order"]?.integer })
        #expect(targets.rows.map(\.great) == rows.map { $0["great"]?.number })
        #expect(targets.rows.map(\.main) == rows.map { $0["main"]?.number })
        #expect(targets.rows.map(\.floor) == rows.map { $0["floor"]?.number })
        LeagueScene.expect(targets.findings, expected)
    }

    @Test(arguments: LeagueScene.cases("next-bank"))
    func `the next bank is the lowest that was not played this season`(golden: GoldenCase) throws {
        let expected = try golden.need("expect")
        let bank = try #require(
            NextBank(
                for: PlayerName(golden.text("player")), stats: try LeagueScene.stats(),
                targets: try LeagueScene.targets()))
        #expect(bank.label == expected.text("label"))
        #expect(bank.bank == expected["bank"]?.integer)
        #expect(bank.targets.map(\.game) == expected["games"]?.elements.compactMap(\.string))
    }

    @Test(arguments: LeagueScene.cases("most-recent"))
    func `the most recent bank has the rows of one evening`(golden: GoldenCase) throws {
        let expected = try golden.need("expect")
        let bank = try #require(
            RecentBank(for: PlayerName(golden.text("player")), in: try LeagueScene.stats()))
        #expect(bank.label == expected.text("label"))
        #expect(LeagueScene.plain(bank.player) == expected.text("player"))
        let rows = try expected.need("rows").elements
        #expect(bank.rows.map(\.machine) == rows.map { $0.text("machine") })
        #expect(bank.rows.map(\.score) == rows.map { $0["score"]?.number })
        #expect(bank.rows.map(\.points) == rows.map { $0["points"]?.number })
    }

    @Test func `of more than five rows those without a score are left out if five remain`() throws {
        func machines(_ scores: [Int]) throws -> String {
            let rows = scores.enumerated().map { "4,2,A,M\($0),\($1),1,2026-02-16" }
            let text =
                "season,banknumber,player,machine,rawscore,points,eventdate\n" + rows.joined(separator: "\n")
            let bank = try #require(RecentBank(for: PlayerName("A"), in: LeagueStats(Array(text.utf8))))
            return bank.rows.map(\.machine).joined()
        }
        #expect(try machines([1, 0, 1, 1, 1, 1]) == "M0M2M3M4M5")
        #expect(try machines([1, 0, 1, 1, 1]) == "M0M1M2M3M4")
        #expect(try machines([1, 0, 0, 1, 1, 1]) == "M0M1M2M3M4")
    }

    @Test(arguments: LeagueScene.cases("machine-key"))
    func `machines are compared by letters and digits`(golden: GoldenCase) throws {
        #expect(MachineKey(golden.text("raw")).text == (try golden.need("expect").string))
    }

    @Test(arguments: LeagueScene.cases("head-to-head"))
    func `two players are compared by the games of both`(golden: GoldenCase) throws {
        let expected = try golden.need("expect")
        let found = HeadToHead(
            PlayerName(golden.text("you")), PlayerName(golden.text("them")), in: try LeagueScene.stats(),
            library: try LeagueScene.library())
        let games = try expected.need("games").elements
        #expect(found.games.map(\.game) == games.map { $0.text("game") })
        for (game, expected) in zip(found.games, games) {
            #expect(isClose(game.delta, expected["delta"]?.number))
            for (scores, side) in [(game.you, "you"), (game.them, "them")] {
                let side = try expected.need(side)
                #expect(scores.count == side["count"]?.integer)
                #expect([scores.high, scores.low] == ["high", "low"].map { side[$0]?.number })
                #expect(isClose(scores.mean, side["mean"]?.number))
            }
        }
        #expect(found.youLead == expected["youLead"]?.integer)
        #expect(found.theyLead == expected["theyLead"]?.integer)
        #expect(isClose(found.averageDelta, expected["averageDelta"]?.number))
    }

    @Test func `a row without a player is nobody's`() throws {
        let text = "season,banknumber,player,machine,rawscore,points\n4,1,,Deep Reef,5,1\n"
        let stats = LeagueStats(Array(text.utf8))
        #expect(stats.rows.count == 1 && stats.shown.isEmpty)
        let nobody = HeadToHead(
            PlayerName(""), PlayerName(" "), in: stats, library: try LeagueScene.library())
        #expect(nobody.games.isEmpty && nobody.averageDelta == nil)
    }
}
