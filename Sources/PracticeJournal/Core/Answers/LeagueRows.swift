package import RecordFormat

/// The numbers of a machine of a league, with names as people see them.
package struct LeagueMachine: Sendable {
    package let machine: String
    /// The key of the library's game.
    package let game: String?
    package let statistics: MachineStatistics
    package let lowPlayer: String
    package let highPlayer: String

    package var json: JSONText {
        .object { text in
            text.member("machine", machine)
            text.member("game", game.map { JSONText($0) })
            text.member("count", DocumentNumber.json(statistics.count))
            text.member("low", DocumentNumber.json(statistics.low))
            text.member("low_player", lowPlayer)
            text.member("low_season", statistics.lowHolder.season.map { DocumentNumber.json($0) })
            text.member("high", DocumentNumber.json(statistics.high))
            text.member("high_player", highPlayer)
            text.member("high_season", statistics.highHolder.season.map { DocumentNumber.json($0) })
            text.member("mean", JSONText(statistics.mean))
            text.member("median", JSONText(statistics.median))
            text.member("deviation", JSONText(statistics.deviation))
        }
    }

    /// `Ada Quill (S4)`, or the name alone in the numbers of one season.
    package var lowHolder: String { lowPlayer + statistics.lowHolder.seasonMark }
    package var highHolder: String { highPlayer + statistics.highHolder.seasonMark }
}

/// A row of the table of scores, with the name as people see it.
package struct LeagueScoreRow: Sendable {
    package let score: LeagueScore
    package let player: String
    /// Whether it is of the player whose journal it is.
    package let isOwn: Bool
    /// The key of the library's game.
    package let game: String?

    init(_ score: LeagueScore, player: String, isOwn: Bool, game: String?) {
        self.score = score
        self.player = player
        self.isOwn = isOwn
        self.game = game
    }

    package var json: JSONText {
        .object { text in
            text.member("season", DocumentNumber.json(score.season))
            text.member("bank", DocumentNumber.json(score.bank))
            text.member("player", player)
            text.member("you", JSONText(isOwn))
            text.member("machine", score.machine)
            text.member("game", game.map { JSONText($0) })
            text.member("score", DocumentNumber.json(score.score))
            text.member("points", DocumentNumber.json(score.points))
            text.member("date", score.day.isEmpty ? nil : JSONText(score.day))
        }
    }
}

/// An evening of a league.
package struct LeagueEvening: Sendable {
    package let label: String
    package let player: String
    package let season: Int
    package let bank: Int
    package let rows: [LeagueScoreRow]

    package var json: JSONText {
        .object { text in
            text.member("label", label)
            text.member("player", player)
            text.member("season", DocumentNumber.json(season))
            text.member("bank", DocumentNumber.json(bank))
            text.member("rows", .array(rows.map(\.json)))
        }
    }
}

/// A place in the standings.
package struct LeaguePlace: Sendable {
    package let season: Int
    /// 1-based.
    package let position: Int
    package let standing: LeagueStandings.Standing
    package let player: String
    /// Whether it is the player whom it is about.
    package let isOwn: Bool

    init(season: Int, position: Int, _ standing: LeagueStandings.Standing, player: String, isOwn: Bool) {
        self.season = season
        self.position = position
        self.standing = standing
        self.player = player
        self.isOwn = isOwn
    }

    package var json: JSONText {
        .object { text in
            text.member("season", DocumentNumber.json(season))
            text.member("position", DocumentNumber.json(position))
            text.member("rank", DocumentNumber.json(standing.rank))
            text.member("player", player)
            text.member("you", JSONText(isOwn))
            text.member("points", DocumentNumber.json(standing.points))
            text.member("eligible", standing.isEligible.map { JSONText($0) })
            text.member("nights", standing.nights.map { DocumentNumber.json($0) })
            text.member("banks", .array(standing.banks.map { DocumentNumber.json($0) }))
        }
    }
}

extension LeagueTarget {
    package var json: JSONText {
        .object { text in
            text.member("name", game)
            text.member("game", key.map { JSONText($0) })
            text.member("match", match.rawValue)
            text.member("bank", bank.map { DocumentNumber.json($0) })
            text.member("great", DocumentNumber.json(great))
            text.member("main", DocumentNumber.json(main))
            text.member("floor", DocumentNumber.json(floor))
        }
    }
}

extension NextBank {
    package var json: JSONText {
        .object { text in
            text.member("label", label)
            text.member("bank", DocumentNumber.json(bank))
            text.member("targets", .array(targets.map(\.json)))
        }
    }
}

/// Two players, with their names as people see them.
package struct LeagueComparison: Sendable {
    package let you: String
    package let them: String
    package let games: [(game: HeadToHead.Game, name: String)]
    package let youLead: Int
    package let theyLead: Int
    package let averageDelta: Double?

    package var json: JSONText {
        .object { text in
            text.member("you", you)
            text.member("them", them)
            text.member(
                "games",
                .array(
                    games.map { game, name in
                        .object { text in
                            text.member("game", game.game)
                            text.member("name", name)
                            text.member("you", Self.json(game.you))
                            text.member("them", Self.json(game.them))
                            text.member("delta", JSONText(game.delta))
                        }
                    }))
            text.member("you_lead", DocumentNumber.json(youLead))
            text.member("they_lead", DocumentNumber.json(theyLead))
            text.member("average_delta", averageDelta.map { JSONText($0) })
        }
    }

    private static func json(_ scores: HeadToHead.Scores) -> JSONText {
        .object { text in
            text.member("count", DocumentNumber.json(scores.count))
            text.member("mean", JSONText(scores.mean))
            text.member("high", DocumentNumber.json(scores.high))
            text.member("low", DocumentNumber.json(scores.low))
        }
    }
}
