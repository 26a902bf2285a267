internal import RecordFormat

/// The numbers of a machine of a league, with names as people see them.
struct LeagueMachine: Sendable {
    let machine: String
    /// The key of the library's game.
    let game: String?
    let statistics: MachineStatistics
    let lowPlayer: String
    let highPlayer: String

    /// `Ada Quill (S4)`, or the name alone in the numbers of one season.
    var lowHolder: String { lowPlayer + statistics.lowHolder.seasonMark }
    var highHolder: String { highPlayer + statistics.highHolder.seasonMark }
}

/// A row of the table of scores, with the name as people see it.
struct LeagueScoreRow: Sendable {
    let score: LeagueScore
    let player: String
    /// Whether it is of the player whose journal it is.
    let isOwn: Bool
    /// The key of the library's game.
    let game: String?

    init(_ score: LeagueScore, player: String, isOwn: Bool, game: String?) {
        self.score = score
        self.player = player
        self.isOwn = isOwn
        self.game = game
    }
}

/// An evening of a league.
struct LeagueEvening: Sendable {
    let label: String
    let player: String
    let season: Int
    let bank: Int
    let rows: [LeagueScoreRow]
}

/// A place in the standings.
struct LeaguePlace: Sendable {
    let season: Int
    /// 1-based.
    let position: Int
    let standing: LeagueStandings.Standing
    let player: String
    /// Whether it is the player whom it is about.
    let isOwn: Bool

    init(season: Int, position: Int, _ standing: LeagueStandings.Standing, player: String, isOwn: Bool) {
        self.season = season
        self.position = position
        self.standing = standing
        self.player = player
        self.isOwn = isOwn
    }
}

/// Two players, with their names as people see them.
struct LeagueComparison: Sendable {
    let you: String
    let them: String
    let games: [Game]
    let youLead: Int
    let theyLead: Int
    let averageDelta: Double?

    /// A game that both have scores for.
    struct Game: Sendable {
        let scores: HeadToHead.Game
        let name: String
    }
}
