internal import RecordFormat
internal import TraceStore
internal import TraceText

extension Shape<GameNumbers> {
    static let game = Shape(
        "PracticeGame", "The numbers of a game, its alerts, and what is noted about it",
        [
            .always("its id and its name", ["game": \.game, "name": \.name]),
            .sometimes("scores", "of its scores, if there are any", scores, \.statistics),
            .always("score_timeline", "how they are spread over time", gaps, \.timeline),
            .list("score_entries", "each score that has a time, oldest first", of: score, \.played),
            .list("gaps", "the long gaps between them", of: gap, \.timeline.gaps),
            .sometimes("best", "the highest score", \.best?.asWritten),
            .sometimes(
                "trend", "the mean of the later half of the scores by that of the earlier one, less 1",
                \.trend?.asWritten),
            .sometimes("target", "what is a good score, by the league's table", target, \.league.target),
            .sometimes(
                "league_mean", "of all scores above 0 on it in the league's table", \.league.mean?.asWritten),
            .always("progress", "how far each task is done", progress, \.progress),
            .always("completion", "their mean", \.completion),
            .sometimes("days_since_practice", "whole days", \.daysSincePractice),
            .always("focus", "how much the game needs practice", \.focus),
            .list("alerts", "what there is to look at", of: alert, \.alerts),
            .sometimes("group", "the id of the group in which it is practised") { $0.group?.id },
            .sometimes("what is noted", ["note": \.note, "video_hint": \.videoHint]),
            .sometimes("rulesheet_offset", "where reading stopped") {
                $0.rulesheetOffset.map { DocumentNumber($0) }
            },
        ])

    private static let scores = Shape<ScoreStatistics>(
        "PracticeScores", "The scores of a game",
        [
            .always("count", "how many there are", \.count),
            .always(
                "the spread in medians",
                [
                    "average": \.average, "median": \.median, "floor": \.floor,
                    "lower_quartile": \.lowerQuartile, "upper_quartile": \.upperQuartile, "spread": \.spread,
                ]),
            .always("consistency", "Stable or High Risk", \.consistency),
        ])

    private static let score = Shape<PlayedScore>(
        "PracticeScoreEntry", "A score",
        [
            .always("score", "the score", \.score.score.asWritten),
            .always("time", "milliseconds since 1970, with fractions", \.time.asWritten),
            .always(
                "the day and the time of day in the journal's zone", ["day": \.day, "clock": \.clock]),
            .always("context", "practice, league or tournament", \.score.context.text),
            .sometimes("tournament", "which one", \.score.tournament),
            .always(
                "league_imported", "whether it came from the table of a league", \.score.isLeagueImported),
        ])

    private static let gap = Shape<ScoreTimeline.Gap>(
        "PracticeGap", "A long time without a score",
        [
            .always(
                "the times of the scores before and behind it, in milliseconds since 1970",
                ["from": \.from.asWritten, "to": \.to.asWritten]),
            .always("days", "whole days, by the clocks of the journal's zone", \.days),
        ])

    private static let target = Shape<LeagueTarget>(
        "PracticeTarget", "What is a good score of a game",
        [
            .always(
                "the averages of those who came second, fourth and eighth",
                ["great": \.great.asWritten, "main": \.main.asWritten, "floor": \.floor.asWritten])
        ])

    private static let gaps = Shape<ScoreTimeline>(
        "PracticeGaps", "How the scores of a game are spread over time",
        [
            .always(
                "a gap is long from 14 days on",
                [
                    "active_sessions": \.activeSessions, "long_gaps": \.longGaps,
                    "longest_gap_days": \.longestGapDays,
                ])
        ])

    private static let progress = Shape<GameProgress>(
        "PracticeProgress", "How far each task of a game is done",
        [
            .always(
                "in percent",
                [
                    "playfield": \.[.playfield], "rulesheet": \.[.rulesheet],
                    "tutorialVideo": \.[.tutorialVideo], "gameplayVideo": \.[.gameplayVideo],
                    "practice": \.[.practice],
                ])
        ])

    private static let alert = Shape<GameAlert>(
        "PracticeAlert", "What there is to look at",
        [
            .always(
                "info, caution or warning, and the text",
                ["severity": \.severity.rawValue, "message": \.message]),
            .always(
                "code",
                GameAlert.Code.allCases.map(\.rawValue).joined(separator: ", "), \.code.rawValue),
            .sometimes("days", "how many whole days ago, if it is about that", \.days),
        ])
}

extension Question {
    static let game = one(
        "game", "The numbers of a game, its alerts, and what is noted about it", of: .game,
        [DeclaredParameter](.lastGame)
    ) { (journal: OpenedPractice, asked) in
        var game = try journal.answers.game(journal.gameOrLast(asked[.lastGame]))
        // A table that can't be read hides no game: 'validate' tells of it.
        if let league = try? journal.leagueAnswers(of: [.stats, .targets]) {
            game.league = league.game(game.game)
        }
        return game
    } screen: { game, _ in
        [.lines(game.lines)]
    }
}

extension GameNumbers {
    /// For people.
    fileprivate var lines: [String] {
        let parts: [(String, String?)] = [
            ("scores", statistics.map(Self.text)), ("spread", statistics.map(Self.spread)),
            ("over time", overTime), ("progress", progressText), ("practised", practised),
            ("group", group?.name), ("note", note), ("resume", resume),
        ]
        let lines = parts.compactMap { label, text in
            text.map { "  \(label.padded(to: 10)) \($0.oneLine)" }
        }
        return ["\(name) (\(game))".oneLine] + lines + alerts.map { "  \($0.message.oneLine)" }
    }

    private static func text(_ scores: ScoreStatistics) -> String {
        let values = [("median", scores.median), ("average", scores.average), ("lowest", scores.floor)]
        return "\(scores.count): "
            + values.map { "\($0.0) \(ScoreText.text($0.1))" }.joined(separator: ", ")
    }

    private static func spread(_ scores: ScoreStatistics) -> String {
        let (low, high) = (ScoreText.text(scores.lowerQuartile), ScoreText.text(scores.upperQuartile))
        return "\(scores.consistency): \(hundredths(scores.spread)), half of them between \(low) and \(high)"
    }

    private var overTime: String? {
        guard timeline.longGaps > 0 else { return nil }
        let longest = counted(timeline.longestGapDays, "day")
        return "\(counted(timeline.longGaps, "long gap")), the longest of \(longest)"
    }

    private var progressText: String {
        let tasks = StudyTask.allCases.map { "\($0.shortName) \(progress[$0])%" }
        return "\(completion)% (\(tasks.joined(separator: ", ")))"
    }

    private var practised: String {
        let days =
            switch daysSincePractice {
            case nil: "never"
            case 0: "today"
            case .some(let days): "\(counted(days, "day")) ago"
            }
        return "\(days), priority \(Self.hundredths(focus))"
    }

    private var resume: String? {
        let places = [
            rulesheetOffset.map { "rulesheet at \(DocumentNumber.text(($0 * 100).rounded()))%" }, videoHint,
        ].compactMap(\.self)
        return places.isEmpty ? nil : places.joined(separator: ", ")
    }

    private static func hundredths(_ number: Double) -> String {
        DocumentNumber.text((number * 100).rounded() / 100)
    }
}

extension StudyTask {
    fileprivate var shortName: String {
        switch self {
        case .playfield: "playfield"
        case .rulesheet: "rulesheet"
        case .tutorialVideo: "tutorial"
        case .gameplayVideo: "gameplay"
        case .practice: "practice"
        }
    }
}
