package import RecordFormat

/// How the games of a group, or of the library, are doing.
///
/// Source: docs/spec/practice.md#numbers-of-a-game.
package struct GroupOverview: Sendable {
    /// The mean of the games' completion, rounded half up; 0 without games.
    package let completionAverage: Int
    package let staleGames: Int
    package let weakerGames: Int
    /// The key of the game that needs practice most; of equals the first in the library.
    package let recommended: String?

    /// - Parameters:
    ///   - games: Ids; those that are not in the library do not count.
    ///   - window: What counts as done.
    package init(
        _ games: [String], in records: GameRecords, window: GameHistory.Window = GameHistory.Window(),
        now: Timestamp, zone: ZoneRules
    ) {
        let wanted = Set(records.library.canonical(games))
        let histories = records.library.keys(withOthers: wanted.contains).filter(wanted.contains).map {
            GameHistory(of: $0, in: records, window: window, now: now, zone: zone)
        }
        let completion = histories.reduce(0) { $0 + $1.completion }
        completionAverage =
            histories.isEmpty
            ? 0 : Int((Double(completion) / Double(histories.count) + 0.5).rounded(.down))
        staleGames = histories.count(where: \.isStale)
        weakerGames = histories.count(where: \.isWeak)
        var best: (game: String, priority: Double)?
        for history in histories {
            let priority = history.focusPriority
            if priority > best?.priority ?? -.infinity { best = (history.game, priority) }
        }
        recommended = best?.game
    }

    /// Of a group, with what was done while it lasted.
    package init(_ group: PracticeGroup, in records: GameRecords, now: Timestamp, zone: ZoneRules) {
        self.init(
            group.games, in: records,
            window: GameHistory.Window(start: group.start, end: group.end), now: now, zone: zone)
    }
}
