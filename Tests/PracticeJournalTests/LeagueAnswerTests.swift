import PracticeJournal
import RecordFormat
import Testing

/// What is asked of the tables of a league, as JSON.
struct LeagueAnswerTests {
    private static func answers(own: String = "", other: String = "") throws -> LeagueAnswers {
        var settings = PracticeSettings()
        settings.player = own
        settings.comparisonPlayer = other
        return LeagueAnswers(
            LeagueTables(
                stats: try LeagueScene.stats(), standings: try LeagueScene.standings(),
                targets: try LeagueScene.targets()), library: try LeagueScene.library(), settings: settings,
            redaction: try LeagueScene.redaction())
    }

    private func json(_ question: LeagueQuestion, own: String = "", other: String = "") throws -> GoldenValue
    {
        GoldenValue(try Self.answers(own: own, other: other).json(question).bytes)
    }

    /// As people see a name of the goldens.
    private func shown(_ name: String) throws -> String {
        try LeagueScene.redaction().shown(PlayerName(name))
    }

    @Test(arguments: LeagueScene.cases("machine-season", "machine-all", "machine-zero", "machine-redacted"))
    func `the numbers of a machine`(golden: GoldenCase) throws {
        let expected = try golden.need("expect")
        var question = LeagueQuestion(.stats)
        question.machine = golden.text("machine")
        question.season = golden["season"]?.integer
        question.bank = golden["bank"]?.integer
        let found = try json(question).elements
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
        question.machine = nil
        let all = try json(question).elements.first { $0.text("machine") == found.text("machine") }
        #expect(all == found)
    }

    @Test func `scores are those that can be shown, of everybody or of one`() throws {
        let question = LeagueQuestion(.scores)
        let all = try json(question, own: "ada quill").elements
        #expect(all.count == 12)
        #expect(all.filter { $0["you"]?.boolean == true }.count == 6)
        var one = question
        one.player = "Redacted 62C440"
        #expect(
            try json(one).elements.map { $0.text("player") } == Array(repeating: "Redacted 62C440", count: 4))
        one.player = "bo  MARSH"
        one.season = 4
        one.bank = 2
        #expect(try json(one).elements.map { $0["score"]?.integer } == [6_500_000])
        #expect(try json(one).elements.map { $0.text("date") } == ["2026-02-16"])
    }

    @Test(arguments: LeagueScene.cases("around-"))
    func `a player with the neighbours`(golden: GoldenCase) throws {
        var question = LeagueQuestion(.around)
        question.player = golden.text("player")
        guard let expected = golden["expect"], expected["position"] != nil else {
            #expect(throws: LeagueRefusal.self) { try json(question) }
            return
        }
        let found = try json(question).elements
        #expect(found.first?["position"]?.integer == expected["start"]?.integer.map { $0 + 1 })
        #expect(
            found.map { $0.text("player") }
                == (try expected.need("players").elements.compactMap(\.string).map(shown)))
        #expect(
            found.first { $0["you"]?.boolean == true }?["position"]?.integer == expected["position"]?.integer)
    }

    @Test func `standings are as long as is asked for`() throws {
        var question = LeagueQuestion(.standings)
        let all = try json(question, own: "Dee Holt").elements
        #expect(all.map { $0["rank"]?.integer } == Array(1...8))
        #expect(all.map { $0["you"]?.boolean == true }.firstIndex(of: true) == 3)
        #expect(
            all.map { $0["eligible"]?.boolean } == [true, true, true] + Array(repeating: false, count: 5))
        question.top = 5
        #expect(try json(question).elements.count == 5)
    }

    @Test func `targets are in the order of the library`() throws {
        let found = try json(LeagueQuestion(.targets)).elements
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
        var question = LeagueQuestion(.next)
        question.player = golden.text("player")
        let found = try json(question)
        #expect(found.text("label") == expected.text("label"))
        #expect(
            try found.need("targets").elements.map { $0.text("name") }
                == expected["games"]?.elements.compactMap(\.string))
    }

    @Test(arguments: LeagueScene.cases("most-recent"))
    func `the most recent bank`(golden: GoldenCase) throws {
        let expected = try golden.need("expect")
        let found = try json(LeagueQuestion(.recent), own: golden.text("player"))
        #expect(found.text("label") == expected.text("label"))
        #expect(try found.text("player") == shown(expected.text("player")))
        #expect(
            try found.need("rows").elements.map { $0["score"]?.number }
                == expected.need("rows").elements.map { $0["score"]?.number })
    }

    @Test(arguments: LeagueScene.cases("head-to-head"))
    func `two players`(golden: GoldenCase) throws {
        let expected = try golden.need("expect")
        let found = try json(LeagueQuestion(.versus), own: golden.text("you"), other: golden.text("them"))
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
        func refusal(_ question: LeagueQuestion, own: String = "") throws -> LeagueRefusal? {
            let answers = try Self.answers(own: own)
            do throws(LeagueRefusal) { _ = try answers.json(question) } catch { return error }
            return nil
        }
        var question = LeagueQuestion(.versus)
        #expect(try refusal(question)?.isMissing == false)
        #expect(try refusal(question, own: "Ada Quill")?.isMissing == false)
        question.opponent = "Nobody"
        let nobody = try #require(try refusal(question, own: "Ada Quill"))
        #expect(nobody.isMissing && nobody.message.contains("'Nobody'"))
        question.opponent = "Zoe Hart"
        let redacted = try #require(try refusal(question, own: "Ada Quill"))
        #expect(redacted.message.contains("'Redacted 4F76E6'"))
        let none = LeagueAnswers(
            LeagueTables(), library: GameLibrary(), settings: PracticeSettings(), redaction: NameRedaction())
        for view in LeagueView.allCases {
            do throws(LeagueRefusal) {
                _ = try none.json(LeagueQuestion(view))
                Issue.record("\(view) has an answer")
            } catch { #expect(error.isMissing && error.message.contains("league/LPL_")) }
        }
    }
}
