internal import RecordFormat

extension Shape<LeagueMachine> {
    static let machine = Shape(
        "LeagueMachine", "What was scored on a machine of a league",
        [
            .always("machine", "as the table names it", \.machine), .knownGame(\.game),
            .always("count", "how many scores above 0 there are", \.statistics.count),
            .always(
                "the deviation is that of the population",
                [
                    "low": \.statistics.low.asWritten, "high": \.statistics.high.asWritten,
                    "mean": \.statistics.mean.asWritten,
                    "median": \.statistics.median.asWritten,
                    "deviation": \.statistics.deviation.asWritten,
                ]),
            .always(
                "whose they are, the first in the table",
                ["low_player": \.lowPlayer, "high_player": \.highPlayer]),
            .sometimes(
                "where the numbers are of all seasons",
                [
                    "low_season": \.statistics.lowHolder.season,
                    "high_season": \.statistics.highHolder.season,
                ]),
        ])
}

extension Shape<LeagueScoreRow> {
    static let score = Shape(
        "LeagueScore", "A score in a league",
        [
            .always("when it was played", ["season": \.score.season, "bank": \.score.bank]),
            .player(\.player), .own(\.isOwn), .always("machine", "as the table names it", \.score.machine),
            .knownGame(\.game),
            .always(
                "0 if none was noted",
                [
                    "score": \.score.score.asWritten, "points": \.score.points.asWritten,
                ]),
            .sometimes("date", "the day") { $0.score.day.isEmpty ? nil : $0.score.day },
        ])
}

extension Shape<LeaguePlace> {
    static let place = Shape(
        "LeaguePlace", "A place in the standings of a league",
        [
            .always("season", "the latest of the table", \.season),
            .always("position", "from 1 on, in the order of the standings", \.position),
            .always("rank", "as the table has it, if it ranks all", \.standing.rank), .player(\.player),
            .own(\.isOwn), .always("points", "of all banks", \.standing.points.asWritten),
            .sometimes("eligible", "whether the player may play in the finals", \.standing.isEligible),
            .sometimes("nights", "how many evenings the player came", \.standing.nights),
            .always("banks", "the points of each bank") { $0.standing.banks.map(\.asWritten) },
        ])
}

extension Shape<LeagueTarget> {
    static let target = Shape(
        "LeagueTarget", "What is a good score of a game",
        [
            .always("name", "as the table names the game", \.game), .knownGame(\.key),
            .always("match", "exact, loose or none: how the game was found", \.match.rawValue),
            .sometimes("bank", "that of the library's game", \.bank),
            .always(
                "the averages of those who came second, fourth and eighth",
                [
                    "great": \.great.asWritten, "main": \.main.asWritten,
                    "floor": \.floor.asWritten,
                ]),
        ])
}

extension Shape<NextBank> {
    static let nextBank = Shape(
        "LeagueNextBank", "The bank that a player plays next",
        [
            .always("label", "for people", \.label), .always("bank", "its number", \.bank),
            .list("targets", "at most five", of: .target, \.targets),
        ])
}

extension Shape<LeagueEvening> {
    static let evening = Shape(
        "LeagueEvening", "The bank that a player played last",
        [
            .always("label", "for people", \.label),
            .always("player", "whose it is; another one if the table does not have the player", \.player),
            .always("when it was played", ["season": \.season, "bank": \.bank]),
            .list("rows", "at most five", of: .score, \.rows),
        ])
}

extension Shape<LeagueComparison> {
    static let comparison = Shape(
        "LeagueComparison", "Two players, by the games that both have scores for",
        [
            .always("the two players", ["you": \.you, "them": \.them]),
            .list("games", "those that differ most first", of: comparedGame, \.games),
            .always("in how many games", ["you_lead": \.youLead, "they_lead": \.theyLead]),
            .sometimes(
                "average_delta", "the mean of the differences, if there is a game", \.averageDelta),
        ])

    private static let comparedGame = Shape<LeagueComparison.Game>(
        "LeagueComparedGame", "A game that two players have scores for",
        [
            .always("its key and its name", ["game": \.scores.game, "name": \.name]),
            .always("the scores of each", comparedScores, ["you": \.scores.you, "them": \.scores.them]),
            .always("delta", "your mean without theirs", \.scores.delta),
        ])

    private static let comparedScores = Shape<HeadToHead.Scores>(
        "LeagueComparedScores", "A player's scores of a game",
        [
            .always("count", "how many there are", \.count),
            .always(
                "of them",
                [
                    "mean": \.mean.asWritten, "high": \.high.asWritten,
                    "low": \.low.asWritten,
                ]),
        ])
}

extension Shape.Row {
    /// The game of a machine.
    fileprivate static func knownGame(_ part: @escaping Part<Value, String?>) -> Self {
        .sometimes("game", "its key, if it is one game of the library", part)
    }

    /// The player of a row.
    fileprivate static func player(_ part: @escaping Part<Value, String>) -> Self {
        .always("player", "as people see the name", part)
    }

    fileprivate static func own(_ part: @escaping Part<Value, Bool>) -> Self {
        .always("you", "whether it is the player whose journal it is", part)
    }
}
