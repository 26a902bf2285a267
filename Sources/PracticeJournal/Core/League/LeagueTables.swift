internal import RecordFormat

/// The tables of a league that a journal has; nil for one that is not there, or was not asked for.
package struct LeagueTables: Sendable {
    let stats: LeagueStats?
    let standings: LeagueStandings?
    let targets: LeagueTargets?
    /// Which games the machines are, as the league says it.
    let mappings: MachineMappings

    package enum Table: Sendable {
        case stats, standings, targets

        var fileName: String {
            switch self {
            case .stats: LeagueStats.fileName
            case .standings: LeagueStandings.fileName
            case .targets: LeagueTargets.fileName
            }
        }
    }

    init(
        stats: LeagueStats? = nil, standings: LeagueStandings? = nil, targets: LeagueTargets? = nil,
        mappings: MachineMappings = MachineMappings()
    ) {
        self.mappings = mappings
        self.stats = stats
        self.standings = standings
        self.targets = targets
    }
}

/// A table with what is wrong with it.
protocol CheckedTable {
    var findings: [Finding] { get }
}

extension CheckedTable {
    /// What keeps all rows of it from being read; nil if nothing does.
    var refusal: Finding? { findings.first { [.leagueColumnMissing, .leagueSeparator].contains($0.rule) } }
}

extension LeagueStats: CheckedTable {}
extension LeagueStandings: CheckedTable {}
extension LeagueTargets: CheckedTable {}
