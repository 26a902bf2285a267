package import RecordFormat

/// A row of the table of scores: what a player scored on a machine on an evening of a league.
///
/// Source: docs/spec/practice.md#scores-of-a-league.
package struct LeagueScore: Sendable {
    /// In the file; 1-based.
    package let line: Int
    /// 0 if it is unknown, as with the bank.
    package let season: Int
    /// The group of machines that is played on one evening.
    package let bank: Int
    package let player: PlayerName
    package let machine: String
    /// The game and its machine, where the table says which they are.
    let identity: String?
    let machineID: String?
    /// 0 if none was noted.
    package let score: Double
    package let points: Double
    /// Nil if it is missing or not a day.
    package let date: CivilDate?
    /// The day as `YYYY-MM-DD`; by it days can be compared. Empty without one.
    package let day: String

    /// Whether there is enough in the row to be shown.
    var isShown: Bool {
        season > 0 && bank > 0 && !player.isEmpty && !machine.isEmpty && (score > 0 || points > 0)
    }
}

/// The table of scores of a league.
package struct LeagueStats: Sendable {
    /// In the order of the table.
    package let rows: [LeagueScore]
    package let findings: [Finding]

    package static let fileName = "LPL_Stats.csv"

    /// - Parameter file: Its name in findings.
    /// - Complexity: O(size)
    package init(_ bytes: [UInt8], file: String = LeagueStats.fileName) {
        var rows: [LeagueScore] = []
        findings = Self.read(bytes, file: file) { rows.append($0) }
        self.rows = rows
    }

    /// What is wrong with a table, of which no row is kept.
    package static func findings(in bytes: [UInt8], file: String) -> [Finding] {
        read(bytes, file: file) { _ in }
    }

    /// - Returns: What is wrong with the table.
    private static func read(_ bytes: [UInt8], file: String, _ take: (LeagueScore) -> Void) -> [Finding] {
        let required = ["season", "banknumber", "player", "machine", "rawscore", "points"]
        var table = LeagueTable(bytes, file: file, required: required.map { [$0] })
        // The rows of an evening are one behind the other.
        var (lastDay, date) = ("", CivilDate?.none)
        let identities = ["practiceidentity", "practice_identity"].filter(table.hasColumn)
        let machines = ["opdbid", "opdb id", "opdb_id"].filter(table.hasColumn)
        while let row = table.next() {
            func first(_ columns: [String]) -> String? {
                columns.lazy.compactMap { table.text($0, of: row).trimmedOrNil }.first
            }
            let day = table.text("eventdate", of: row)
            if day != lastDay { (lastDay, date) = (day, CivilDate(day)) }
            if date == nil, !day.isEmpty {
                table.report(.leagueDate, row, column: "eventdate", "eventdate is not a date")
            }
            // A row whose evening is unknown still has a score, and so there is no finding.
            let bank = ScoreText.inTable(table.text("banknumber", of: row)).flatMap { Int(exactly: $0) }
            let player = PlayerName(table.text("player", of: row))
            take(
                LeagueScore(
                    line: row.line, season: LeagueTable.season(table.text("season", of: row)),
                    bank: bank ?? 0, player: player, machine: table.text("machine", of: row),
                    identity: first(identities), machineID: first(machines),
                    score: table.number("rawscore", of: row) ?? 0,
                    points: table.number("points", of: row) ?? 0, date: date, day: date == nil ? "" : day))
        }
        return table.findings
    }

    /// The rows that have enough to be shown.
    package var shown: [LeagueScore] { rows.filter(\.isShown) }

    /// Whether the table has a player.
    func has(_ player: PlayerName) -> Bool {
        !player.isEmpty && rows.contains { $0.player == player }
    }

    /// Those of a player; none for an empty name.
    func rows(of player: PlayerName) -> [LeagueScore] {
        player.isEmpty ? [] : rows.filter { $0.player == player }
    }
}
