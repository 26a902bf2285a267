internal import PracticeJournal
internal import TraceText

/// The tables of a league for people.
enum LeagueScreen {
    /// What is shown instead of a name is not cut.
    private static let redactedWidth = "Redacted 62C440".count

    static func show(_ machines: [LeagueMachine]) {
        PracticeTable.show(
            [
                .text("MACHINE", least: 14), .number("SCORES", rank: 4), .number("LOW", rank: 5),
                .text("BY", least: redactedWidth, rank: 5), .number("HIGH"),
                .text("BY", least: redactedWidth), .number("MEAN", rank: 2), .number("MEDIAN", rank: 3),
                .number("DEVIATION", rank: 1),
            ],
            machines.map { machine in
                let numbers = machine.statistics
                return [
                    machine.machine, "\(numbers.count)", ScoreText.text(numbers.low), machine.lowHolder,
                    ScoreText.text(numbers.high), machine.highHolder, ScoreText.text(numbers.mean),
                    ScoreText.text(numbers.median), ScoreText.text(numbers.deviation),
                ]
            })
    }

    static func show(_ rows: [LeagueScoreRow]) {
        PracticeTable.show(
            [
                .whole("SEASON", rank: 3), .whole("BANK", rank: 4), .whole("DATE", rank: 2),
                .text("PLAYER", least: redactedWidth), .text("MACHINE", least: 12), .number("SCORE"),
                .number("POINTS"),
            ],
            rows.map { row in
                let score = row.score
                return [
                    "S\(score.season)", "B\(score.bank)", score.day, row.player, score.machine,
                    ScoreText.text(score.score), DocumentNumber.text(score.points),
                ]
            })
    }

    /// Those of one player and evening.
    static func show(machines rows: [LeagueScoreRow]) {
        PracticeTable.show(
            [.text("MACHINE", least: 16), .number("SCORE"), .number("POINTS")],
            rows.map {
                [$0.score.machine, ScoreText.text($0.score.score), DocumentNumber.text($0.score.points)]
            })
    }

    static func show(_ places: [LeaguePlace]) {
        PracticeTable.show(
            [
                .whole("SEASON", rank: 2), .number("RANK"), .text("PLAYER", least: redactedWidth),
                .number("POINTS"),
                .whole("ELIGIBLE", rank: 4), .number("NIGHTS", rank: 3), .text("BANKS", least: 12, rank: 1),
                .whole("YOU", rank: 5),
            ],
            places.map { place in
                let standing = place.standing
                return [
                    "S\(place.season)", "\(standing.rank)", place.player,
                    DocumentNumber.text(standing.points),
                    standing.isEligible.map { $0 ? "yes" : "no" } ?? "",
                    standing.nights.map { "\($0)" } ?? "",
                    standing.banks.map(DocumentNumber.text).joined(separator: " "), place.isOwn ? "*" : "",
                ]
            })
    }

    static func show(_ targets: [LeagueTarget]) {
        PracticeTable.show(
            [
                .text("GAME", least: 16), .whole("BANK", rank: 3), .number("GREAT"), .number("MAIN"),
                .number("FLOOR"), .whole("MATCH", rank: 2),
            ],
            targets.map { target in
                [
                    target.game, target.bank.map { "B\($0)" } ?? "", ScoreText.text(target.great),
                    ScoreText.text(target.main), ScoreText.text(target.floor), target.match.rawValue,
                ]
            })
    }

    static func show(_ comparison: LeagueComparison) {
        let mean = comparison.averageDelta.map { "; the mean difference is \(ScoreText.text($0))" } ?? ""
        Output.line(
            "\(comparison.you) leads in \(counted(comparison.youLead, "game")), \(comparison.them) in \(comparison.theyLead)\(mean)"
                .oneLine)
        PracticeTable.show(
            [
                .text("GAME", least: 16), .number("YOU"), .number("THEY"), .number("DIFFERENCE"),
                .number("YOUR HIGH", rank: 3), .number("THEIR HIGH", rank: 2),
            ],
            comparison.games.map { game, name in
                [
                    name, ScoreText.text(game.you.mean), ScoreText.text(game.them.mean),
                    ScoreText.text(game.delta), ScoreText.text(game.you.high), ScoreText.text(game.them.high),
                ]
            })
    }
}
