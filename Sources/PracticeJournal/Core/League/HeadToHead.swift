/// Two players of a league, by the games that both have scores for.
///
/// Source: docs/spec/practice.md#head-to-head.
package struct HeadToHead: Sendable {
    package struct Scores: Sendable, Equatable {
        package let count: Int
        package let mean: Double
        package let high: Double
        package let low: Double

        /// Nil without scores.
        init?(_ scores: [Double]) {
            guard let low = scores.min(), let high = scores.max() else { return nil }
            count = scores.count
            mean = scores.reduce(0, +) / Double(scores.count)
            self.high = high
            self.low = low
        }
    }

    package struct Game: Sendable {
        /// The key of the library's game.
        package let game: String
        package let you: Scores
        package let them: Scores
        /// Your mean without theirs.
        package var delta: Double { you.mean - them.mean }
    }

    /// Those that differ most first.
    package let games: [Game]
    package var youLead: Int { games.count { $0.delta > 0 } }
    package var theyLead: Int { games.count { $0.delta < 0 } }
    /// The mean of the differences; nil without a game.
    package var averageDelta: Double? {
        games.isEmpty ? nil : games.map(\.delta).reduce(0, +) / Double(games.count)
    }

    package init(_ you: PlayerName, _ them: PlayerName, in stats: LeagueStats, library: GameLibrary) {
        self.init(you, them, in: stats, library: library, games: MachineMatcher(library))
    }

    init(
        _ you: PlayerName, _ them: PlayerName, in stats: LeagueStats, library: GameLibrary,
        games matcher: MachineMatcher
    ) {
        var machineGames = MachineGames(matcher)
        func scores(of player: PlayerName) -> [String: [Double]] {
            var scores: [String: [Double]] = [:]
            for row in stats.rows(of: player) where row.score > 0 {
                guard let game = machineGames.game(of: row) else { continue }
                scores[game, default: []].append(row.score)
            }
            return scores
        }
        let (yours, theirs) = (scores(of: you), scores(of: them))
        games = yours.compactMap { game, yours in
            guard let yours = Scores(yours), let theirs = theirs[game].flatMap(Scores.init) else {
                return nil
            }
            return Game(game: game, you: yours, them: theirs)
        }.sorted { one, other in
            let names = (library.name(of: one.game), library.name(of: other.game))
            return (-abs(one.delta), names.0, one.game) < (-abs(other.delta), names.1, other.game)
        }
    }
}
