package import TraceText

/// What can be asked of the tables of a league.
///
/// Source: practice.md, sections 10 and 14.
package enum LeagueView: String, CaseIterable, Sendable {
    /// The numbers of the machines.
    case stats
    /// The rows of the table of scores.
    case scores
    case standings
    /// A player with the neighbours in the standings.
    case around
    case targets
    /// The bank that a player plays next.
    case next
    /// The bank that a player played last.
    case recent
    /// Two players, by the games of both.
    case versus

    /// The tables that are read for it.
    package var tables: Set<LeagueTables.Table> {
        switch self {
        case .stats, .scores, .recent, .versus: [.stats]
        case .standings, .around: [.standings]
        case .targets: [.targets]
        case .next: [.stats, .targets]
        }
    }

    /// What is asked for besides.
    package enum Option: String, CaseIterable, Sendable {
        case player, opponent, top, season, bank, machine
    }

    /// Those that mean something here.
    package var options: Set<Option> {
        switch self {
        case .stats: [.season, .bank, .machine]
        case .scores: [.player, .season, .bank, .machine]
        case .standings: [.player, .top]
        case .around, .next, .recent: [.player]
        case .targets: []
        case .versus: [.player, .opponent]
        }
    }
}

/// What of the tables of a league is asked for.
package struct LeagueQuestion: Sendable {
    package var view: LeagueView
    /// The name, or what is shown instead of it; nil for the player of the document's settings.
    package var player: String?
    /// Likewise; nil for the one to compare with in the document's settings.
    package var opponent: String?
    /// At most so many.
    package var top: Int?
    package var season: Int?
    package var bank: Int?
    package var machine: String?

    package init(_ view: LeagueView) { self.view = view }
}

/// Why a question about a league has no answer.
package struct LeagueRefusal: Error, Sendable, Equatable {
    /// For the person who asks; no name that is redacted is in it.
    package let message: String
    package let cure: Cure
    /// Whether what was asked for is not there; else the question lacks something.
    package let isMissing: Bool
}
