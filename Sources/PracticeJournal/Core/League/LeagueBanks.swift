/// The bank that a player plays next, and what is to be scored there.
///
/// Source: docs/spec/practice.md#targets.
package struct NextBank: Sendable {
    package let bank: Int
    /// At most five, in the order of the library.
    package let targets: [LeagueTarget]

    package var label: String { "Next Bank • B\(bank)" }

    /// The lowest bank that has targets and that the player has not played in their latest season, else the lowest; nil if no
    /// target has a bank.
    package init?(for player: PlayerName, stats: LeagueStats, targets: LeagueTargets) {
        let banks = Set(targets.rows.compactMap(\.bank)).filter { $0 > 0 }.sorted()
        let rows = stats.rows(of: player).filter(\.isShown)
        let season = rows.map(\.season).max()
        let played = Set(rows.filter { $0.season == season }.map(\.bank))
        guard let bank = banks.first(where: { !played.contains($0) }) ?? banks.first else { return nil }
        self.bank = bank
        self.targets = Array(targets.inOrder.filter { $0.bank == bank }.prefix(5))
    }
}

/// The bank that a player played last.
///
/// Source: docs/spec/practice.md#scores-of-a-league.
package struct RecentBank: Sendable {
    package let player: PlayerName
    let season: Int
    let bank: Int
    /// At most five, in the order of the table. Where there are more, rows without a score are left out if five others remain.
    package let rows: [LeagueScore]

    package var label: String { "Most Recent • S\(season) B\(bank)" }

    /// That of the player; if the table does not have that player, of the one who has the newest row. Nil without any row.
    package init?(for player: PlayerName, in stats: LeagueStats) {
        let shown = stats.shown
        let own = shown.filter { $0.player == player }
        guard let newest = (own.isEmpty ? shown : own).newest else { return nil }
        self.player = own.isEmpty ? newest.player : player
        season = newest.season
        bank = newest.bank
        let rows = shown.filter { [season, bank] row in
            row.player == newest.player && row.season == season && row.bank == bank
        }
        let scored = rows.filter { $0.score != 0 }
        self.rows = Array((rows.count > 5 && scored.count >= 5 ? scored : rows).prefix(5))
    }
}

extension [LeagueScore] {
    /// The first of those with the latest day, and of these with the highest season and bank.
    fileprivate var newest: LeagueScore? {
        self.max { ($0.day, $0.season, $0.bank) < ($1.day, $1.season, $1.bank) }
    }
}
