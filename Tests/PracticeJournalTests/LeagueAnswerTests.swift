import RecordFormat
import Testing
import TraceText

@testable import PracticeJournal

/// What is asked of the tables of a league, as JSON.
struct LeagueAnswerTests {
    private static func answers(
        own: String = "", other: String = "", redacted: NameRedaction? = nil
    ) throws -> LeagueAnswers {
        var settings = PracticeSettings()
        settings.player = own
        settings.comparisonPlayer = other
        return LeagueAnswers(
            LeagueTables(
                stats: try LeagueScene.stats(), standings: try LeagueScene.standings(),
                targets: try LeagueScene.targets()), library: try LeagueScene.library(), settings: settings,
            redaction: try redacted ?? LeagueScene.redaction())
    }

    private func list<Row>(_ rows: [Row], as shape: Shape<Row>) -> [GoldenValue] {
        rows.map { GoldenValue(shape.json($0).bytes) }
    }

    /// As people see a name of the goldens.
    private func shown(_ name: String) throws -> String {
        try LeagueScene.redaction().shown(PlayerName(name))
    }

    @Test(arguments: LeagueScene.cases("machine-season", "machine-all", "machine-zero", "machine-redacted"))
    func `the numbers of a machine`(golden: GoldenCase) throws {
        let expected = try golden.need("expect")
        var filter = LeagueScoreFilter(
            machine: golden.text("machine"), season: golden["season"]?.integer,
            bank: golden["bank"]?.integer)
        let answers = try Self.answers()
        let found = list(try answers.machines(filter), as: .machine)
        #expect(found.first?["count"]?.integer ?? 0 == expected["count"]?.integer)
        guard let found = found.first else { return }
        for side in ["low", "high"] {
            #expect(found[side]?.number == expected[side]?.number)
            let season = found["\(side)_season"]?.integer.map { " (S\($0))" } ?? ""
            #expect(found.text("\(side)_player") + season == expected.text("\(side)Player"))
        }
        #expect(isClose(found["mean"]?.number ?? 0, expected["mean"]?.number))
        #expect(isClose(found["deviation"]?.number ?? 0, expected["std"]?.number))
        // Of all machines at once it is the same.
        filter.machine = nil
        let all = list(try answers.machines(filter), as: .machine).first {
            $0.text("machine") == found.text("machine")
        }
        #expect(all == found)
    }

    @Test func `scores are those that can be shown, of everybody or of one`() throws {
        let answers = try Self.answers(own: "ada quill")
        let all = list(try answers.scores(), as: .score)
        #expect(all.count == 12)
        #expect(all.filter { $0["you"]?.boolean == true }.count == 6)
        let redacted = list(try answers.scores(of: "Redacted 62C440"), as: .score)
        #expect(redacted.map { $0.text("player") } == Array(repeating: "Redacted 62C440", count: 4))
        let one = list(
            try answers.scores(LeagueScoreFilter(season: 4, bank: 2), of: "bo  MARSH"), as: .score)
        #expect(one.map { $0["score"]?.integer } == [6_500_000])
        #expect(one.map { $0.text("date") } == ["2026-02-16"])
    }

    @Test(arguments: LeagueScene.cases("around-"))
    func `a player with the neighbours`(golden: GoldenCase) throws {
        let (answers, player) = (try Self.answers(), golden.text("player"))
        guard let expected = golden["expect"], expected["position"] != nil else {
            #expect(throws: PracticeRefusal.self) { try answers.around(player) }
            return
        }
        let found = list(try answers.around(player), as: .place)
        #expect(found.first?["position"]?.integer == expected["start"]?.integer.map { $0 + 1 })
        #expect(
            found.map { $0.text("player") }
                == (try expected.need("players").elements.compactMap(\.string).map(shown)))
        #expect(
            found.first { $0["you"]?.boolean == true }?["position"]?.integer == expected["position"]?.integer)
    }

    @Test func `standings are as long as is asked for`() throws {
        let answers = try Self.answers(own: "Dee Holt")
        let all = list(try answers.standings(), as: .place)
        #expect(all.map { $0["rank"]?.integer } == Array(1...8))
        #expect(all.map { $0["you"]?.boolean == true }.firstIndex(of: true) == 3)
        #expect(
            all.map { $0["eligible"]?.boolean } == [true, true, true] + Array(repeating: false, count: 5))
        #expect(try answers.standings(top: 5).count == 5)
    }

    @Test func `targets are in the order of the library`() throws {
        let found = list(try Self.answers().targets(), as: .target)
        #expect(
            found.map { $0.text("name") } == [
                "Comet Racer", "Deep Reef", "Star Baron and Co", "Moon Pirates", "Lost Ark",
            ])
        #expect(found.map { $0["game"]?.string } == ["GaB12", "Gk9Xy", "GmN45", "Gq7Zt", nil])
        #expect(found.map { $0.text("match") } == ["exact", "exact", "exact", "loose", "none"])
    }

    @Test(arguments: LeagueScene.cases("next-bank"))
    func `the next bank`(golden: GoldenCase) throws {
        let expected = try golden.need("expect")
        let found = GoldenValue(
            Shape.nextBank.json(try Self.answers().next(golden.text("player"))).bytes)
        #expect(found.text("label") == expected.text("label"))
        #expect(
            try found.need("targets").elements.map { $0.text("name") }
                == expected["games"]?.elements.compactMap(\.string))
    }

    @Test(arguments: LeagueScene.cases("most-recent"))
    func `the most recent bank`(golden: GoldenCase) throws {
        let expected = try golden.need("expect")
        let found = GoldenValue(
            Shape.evening.json(try Self.answers(own: golden.text("player")).recent()).bytes)
        #expect(found.text("label") == expected.text("label"))
        #expect(try found.text("player") == shown(expected.text("player")))
        #expect(
            try found.need("rows").elements.map { $0["score"]?.number }
                == expected.need("rows").elements.map { $0["score"]?.number })
    }

    @Test(arguments: LeagueScene.cases("head-to-head"))
    func `two players`(golden: GoldenCase) throws {
        let expected = try golden.need("expect")
        let answers = try Self.answers(own: golden.text("you"), other: golden.text("them"))
        let found = GoldenValue(Shape.comparison.json(try answers.versus()).bytes)
        #expect(try found.text("them") == shown(golden.text("them")))
        #expect(found["they_lead"]?.integer == expected["theyLead"]?.integer)
        let games = try found.need("games").elements
        #expect(
            games.map { $0.text("game") } == (try expected.need("games").elements.map { $0.text("game") }))
        for (game, expected) in zip(games, try expected.need("games").elements) {
            #expect(isClose(game["delta"]?.number ?? 0, expected["delta"]?.number))
        }
    }

    @Test func `what has no answer is refused without naming who is redacted`() throws {
        func refusal(_ opponent: String? = nil, own: String = "") throws -> PracticeRefusal? {
            let answers = try Self.answers(own: own, redacted: NameRedaction(Array("Dee Lux".utf8)))
            do throws(PracticeRefusal) { _ = try answers.versus(nil, opponent) } catch { return error }
            return nil
        }
        #expect(try refusal()?.code == .nobodyNamed)
        #expect(try refusal(own: "Ada Quill")?.code == .nobodyNamed)
        let nobody = try #require(try refusal("Nobody", own: "Ada Quill"))
        #expect(nobody.code == .notInLeague && nobody.message.contains("'Nobody'"))
        let redacted = try #require(try refusal("Lux, Dee", own: "Ada Quill"))
        #expect(redacted.message.contains("'Redacted 07310E'"))
    }

    @Test func `without a table there is no answer, and each says which one is missing`() {
        let none = LeagueAnswers(
            LeagueTables(), library: GameLibrary(), settings: PracticeSettings(), redaction: NameRedaction())
        let asked: [() throws -> Void] = [
            { _ = try none.machines() }, { _ = try none.scores() }, { _ = try none.standings() },
            { _ = try none.around() }, { _ = try none.targets() }, { _ = try none.next() },
            { _ = try none.recent() }, { _ = try none.versus() },
        ]
        for ask in asked {
            let error = #expect(throws: PracticeRefusal.self) { try ask() }
            #expect(error?.code == .notInLeague && error?.message.contains("league/LPL_") == true)
        }
    }
}
