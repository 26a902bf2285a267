package import RecordFormat

/// How the players of a league stand in its latest season.
///
/// Source: docs/spec/practice.md#standings.
package struct LeagueStandings: Sendable {
    package struct Standing: Sendable {
        /// As the table has it if every row has one, else counted from 1.
        package fileprivate(set) var rank: Int
        package let player: PlayerName
        package let points: Double
        /// Whether the player may play in the finals; nil if the table does not say.
        package let isEligible: Bool?
        /// How many evenings the player came; nil if the table does not say.
        package let nights: Int?
        /// Points of the banks, from the first to the eighth.
        package let banks: [Double]
    }

    /// Nil without a row.
    package let season: Int?
    /// Those of the season, the best first.
    package let table: [Standing]
    package let findings: [Finding]

    package static let fileName = "LPL_Standings.csv"
    private static let banks = (1...8).map { "bank_\($0)" }
    /// How many players a look around one has.
    private static let window = 5

    /// - Parameter file: Its name in findings.
    /// - Complexity: O(size · log size)
    package init(_ bytes: [UInt8], file: String = LeagueStandings.fileName) {
        var rows: [Row] = []
        findings = Self.read(bytes, file: file) { rows.append($0) }
        season = rows.map(\.season).max()
        let latest = rows.filter { [season] in $0.season == season }
        let isRanked = latest.allSatisfy(\.hasRank)
        // Sorting keeps the order of the table where two are equal.
        var standings = latest.map(\.standing).sorted {
            isRanked ? ($0.rank, $1.points) < ($1.rank, $0.points) : $0.points > $1.points
        }
        if !isRanked { for index in standings.indices { standings[index].rank = index + 1 } }
        table = standings
    }

    /// What is wrong with a table, of which no row is kept.
    package static func findings(in bytes: [UInt8], file: String) -> [Finding] {
        read(bytes, file: file) { _ in }
    }

    private typealias Row = (season: Int, hasRank: Bool, standing: Standing)

    /// - Returns: What is wrong with the table.
    private static func read(_ bytes: [UInt8], file: String, _ take: (Row) -> Void) -> [Finding] {
        var table = LeagueTable(bytes, file: file, required: [["season"], ["player"], ["total"], Self.banks])
        while let row = table.next() {
            let season = LeagueTable.season(table.text("season", of: row))
            let player = PlayerName(table.text("player", of: row))
            guard season > 0, !player.isEmpty else {
                let column = season > 0 ? "player" : "season"
                table.report(.leagueRowUnreadable, row, column: column, "the row has no \(column)")
                continue
            }
            guard let points = table.number("total", of: row) else { continue }
            let rank = table.number("rank", of: row).flatMap { Int(exactly: $0) } ?? 0
            let nights = table.text("nights", of: row)
            take(
                (
                    season, rank > 0,
                    Standing(
                        rank: rank, player: player, points: points,
                        isEligible: Self.boolean(table.text("eligible", of: row)),
                        nights: nights.isEmpty
                            ? nil : table.number("nights", of: row).flatMap { Int(exactly: $0) },
                        banks: Self.banks.map { table.number($0, of: row) ?? 0 })
                ))
        }
        return table.findings
    }

    private static func boolean(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "yes", "y", "true", "1": true
        case "no", "n", "false", "0": false
        default: nil
        }
    }

    // MARK: - Looks

    /// The best so many.
    package func top(_ count: Int) -> ArraySlice<Standing> { table.prefix(max(0, count)) }

    /// A player with the neighbours.
    package struct Neighbourhood: Sendable {
        /// The player's place in the table; 1-based.
        package let position: Int
        /// Five rows, as far as there are so many; their indices are those of the table.
        package let rows: ArraySlice<Standing>
    }

    /// The rows around a player; nil if the table does not have that player.
    package func around(_ player: PlayerName) -> Neighbourhood? {
        guard !player.isEmpty, let index = table.firstIndex(where: { $0.player == player }) else {
            return nil
        }
        let position = index + 1
        let count = table.count
        let start = position <= 3 ? 0 : position >= count - 2 ? max(0, count - Self.window) : position - 3
        return Neighbourhood(position: position, rows: table[start..<min(start + Self.window, count)])
    }
}
