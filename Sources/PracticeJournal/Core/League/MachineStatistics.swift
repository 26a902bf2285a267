/// What was scored on a machine of the league.
///
/// Source: docs/spec/practice.md#scores-of-a-league.
package struct MachineStatistics: Sendable {
    /// Whose score it was, and in which season if the numbers are of several.
    package struct Holder: Sendable {
        package let player: PlayerName
        let season: Int?

        /// Behind the player's name: ` (S4)`, or nothing in the numbers of one season.
        package var seasonMark: String { season.map { " (S\($0))" } ?? "" }
    }

    /// Scores above 0.
    package let count: Int
    package let low: Double
    /// Of equal scores the first in the table.
    package let lowHolder: Holder
    package let high: Double
    package let highHolder: Holder
    package let mean: Double
    package let median: Double
    /// Of the population: the root of the mean square of the differences from the mean.
    package let deviation: Double
}

extension LeagueStats {
    /// The numbers of a machine; nil without a score above 0.
    ///
    /// - Parameters:
    ///   - season: Nil for all.
    ///   - bank: Nil for all.
    package func statistics(of machine: String, season: Int? = nil, bank: Int? = nil) -> MachineStatistics? {
        let key = MachineKey(machine)
        let rows = counted(season, bank).filter { MachineKey($0.machine) == key }
        return Self.statistics(of: rows, isOfSeason: season != nil)
    }

    /// The numbers of all machines, each by the name that it has in its first row, in the order of these rows.
    ///
    /// - Complexity: O(rows)
    func statistics(
        season: Int? = nil, bank: Int? = nil
    ) -> [(machine: String, statistics: MachineStatistics)] {
        var keys: [String: MachineKey] = [:]
        var order: [MachineKey] = []
        var rows: [MachineKey: [LeagueScore]] = [:]
        for row in counted(season, bank) {
            let key = keys[row.machine] ?? MachineKey(row.machine)
            keys[row.machine] = key
            if rows[key] == nil { order.append(key) }
            rows[key, default: []].append(row)
        }
        return order.compactMap { key in
            guard let rows = rows[key], let machine = rows.first?.machine else { return nil }
            return Self.statistics(of: rows, isOfSeason: season != nil).map { (machine, $0) }
        }
    }

    /// The rows with a score.
    private func counted(_ season: Int?, _ bank: Int?) -> [LeagueScore] {
        rows.filter { row in
            row.score > 0 && season ?? row.season == row.season && bank ?? row.bank == row.bank
        }
    }

    private static func statistics(of rows: [LeagueScore], isOfSeason: Bool) -> MachineStatistics? {
        guard let statistics = ScoreStatistics(rows.map(\.score)),
            let low = rows.min(by: { $0.score < $1.score }),
            let high = rows.max(by: { $0.score < $1.score })
        else { return nil }
        let squares = rows.map { ($0.score - statistics.average) * ($0.score - statistics.average) }
        func holder(_ row: LeagueScore) -> MachineStatistics.Holder {
            MachineStatistics.Holder(player: row.player, season: isOfSeason ? nil : row.season)
        }
        return MachineStatistics(
            count: statistics.count, low: low.score, lowHolder: holder(low), high: high.score,
            highHolder: holder(high), mean: statistics.average, median: statistics.median,
            deviation: (squares.reduce(0, +) / Double(rows.count)).squareRoot())
    }
}
