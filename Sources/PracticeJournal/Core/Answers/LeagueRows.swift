internal import RecordFormat

/// The numbers of a machine of a league, with names as people see them.
package struct LeagueMachine: Sendable {
    package let machine: String
    /// The key of the library's game.
    package let game: String?
    package let statistics: MachineStatistics
    package let lowPlayer: String
    package let highPlayer: String

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
}

/// An evening of a league.
package struct LeagueEvening: Sendable {
    package let label: String
    package let player: String
    package let season: Int
    package let bank: Int
    package let rows: [LeagueScoreRow]
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
}

/// Two players, with their names as people see them.
package struct LeagueComparison: Sendable {
    package let you: String
    package let them: String
    package let games: [Game]
    package let youLead: Int
    package let theyLead: Int
    package let averageDelta: Double?

    /// A game that both have scores for.
    package struct Game: Sendable {
        package let scores: HeadToHead.Game
        package let name: String
    }
}
