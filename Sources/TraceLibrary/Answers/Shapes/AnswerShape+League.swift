/// What is asked of the tables of a league in a practice journal.
extension AnswerShape {
    /// A row of `trace practice league stats`.
    package static let leagueMachine = AnswerShape(
        "LeagueMachine", "What was scored on a machine of a league",
        [
            .always("machine", .string, "as the table names it"), .leagueGame,
            .always("count", .integer, "how many scores above 0 there are"),
            .always(
                ["low", "high", "mean", "median", "deviation"], .number,
                "the deviation is that of the population"),
            .always(["low_player", "high_player"], .string, "whose they are, the first in the table"),
            .sometimes(["low_season", "high_season"], .integer, "where the numbers are of all seasons"),
        ])

    /// A row of `trace practice league stats --rows`.
    package static let leagueScore = AnswerShape(
        "LeagueScore", "A score in a league",
        [
            .always(["season", "bank"], .integer, "when it was played"), .leaguePlayer,
            .always("machine", .string, "as the table names it"), .leagueGame,
            .always(["score", "points"], .number, "0 if none was noted"),
            .sometimes("date", .string, "the day"),
        ])

    /// A row of `trace practice league standings` and `around`.
    package static let leaguePlace = AnswerShape(
        "LeaguePlace", "A place in the standings of a league",
        [
            .always("season", .integer, "the latest of the table"),
            .always("position", .integer, "from 1 on, in the order of the standings"),
            .always("rank", .integer, "as the table has it, if it ranks all"), .leaguePlayer,
            .always("points", .number, "of all banks"),
            .sometimes("eligible", .boolean, "whether the player may play in the finals"),
            .sometimes("nights", .integer, "how many evenings the player came"),
            .always("banks", .array(.number), "the points of each bank"),
        ])

    /// A row of `trace practice league targets`.
    package static let leagueTarget = AnswerShape(
        "LeagueTarget", "What is a good score of a game",
        [
            .always("name", .string, "as the table names the game"), .leagueGame,
            .always("match", .string, "exact, loose or none: how the game was found"),
            .sometimes("bank", .integer, "that of the library's game"),
            .always(
                ["great", "main", "floor"], .number,
                "the averages of those who came second, fourth and eighth"),
        ])

    /// `trace practice league next`.
    package static let leagueNextBank = AnswerShape(
        "LeagueNextBank", "The bank that a player plays next",
        [
            .always("label", .string, "for people"), .always("bank", .integer, "its number"),
            .always("targets", .array(.object(leagueTarget)), "at most five"),
        ])

    /// `trace practice league recent`.
    package static let leagueEvening = AnswerShape(
        "LeagueEvening", "The bank that a player played last",
        [
            .always("label", .string, "for people"),
            .always("player", .string, "whose it is; another one if the table does not have the player"),
            .always(["season", "bank"], .integer, "when it was played"),
            .always("rows", .array(.object(leagueScore)), "at most five"),
        ])

    /// `trace practice league versus`.
    package static let leagueComparison = AnswerShape(
        "LeagueComparison", "Two players, by the games that both have scores for",
        [
            .always(["you", "them"], .string, "the two players"),
            .always("games", .array(.object(leagueComparedGame)), "those that differ most first"),
            .always(["you_lead", "they_lead"], .integer, "in how many games"),
            .sometimes("average_delta", .number, "the mean of the differences, if there is a game"),
        ])

    private static let leagueComparedGame = AnswerShape(
        "LeagueComparedGame", "A game that two players have scores for",
        [
            .always(["game", "name"], .string, "its key and its name"),
            .always(["you", "them"], .object(leagueComparedScores), "the scores of each"),
            .always("delta", .number, "your mean without theirs"),
        ])

    private static let leagueComparedScores = AnswerShape(
        "LeagueComparedScores", "A player's scores of a game",
        [
            .always("count", .integer, "how many there are"),
            .always(["mean", "high", "low"], .number, "of them"),
        ])
}

extension [AnswerShape.Member] {
    /// The player of a row.
    fileprivate static var leaguePlayer: Self {
        .always("player", .string, "as people see the name")
            + .always("you", .boolean, "whether it is the player whose journal it is")
    }

    /// The game of a machine.
    fileprivate static var leagueGame: Self {
        .sometimes("game", .string, "its key, if it is one game of the library")
    }
}
