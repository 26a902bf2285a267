internal import RecordFormat
internal import TraceStore
internal import TraceText

extension Question {
    private static let season = Parameter<Int?>(
        "season", "Only scores of this season", .integer(0...1_000_000))
    private static let bank = Parameter<Int?>("bank", "Only scores of this bank", .integer(0...1_000_000))
    private static let machine = Parameter<String?>(
        "machine", "Only scores on this machine, as the table names it", .text(maxBytes: 200), as: .argument)
    private static let player = Parameter<String?>(
        "player", "The player, as an answer names them; of the journal's settings if omitted",
        .text(maxBytes: 200), as: .argument)
    private static let opponent = Parameter<String?>(
        "opponent", "The player to compare with; of the journal's settings if omitted", .text(maxBytes: 200),
        as: .argument)
    private static let top = Parameter<Int?>("top", "Only this many, the best first", .integer(1...1000))

    /// What all of them are asked at one path.
    static let league = QuestionPath(
        "league", id: "getPracticeLeague", "What the tables of a league say",
        usual: leagueStandings.aboutFilesAlone,
        views: [
            leagueMachines, leagueScores, leagueStandings, leagueAround, leagueTargets, leagueNext,
            leagueRecent, leagueVersus,
        ].map(\.aboutFilesAlone))

    static let leagueMachines = list(
        "stats", command: "league stats", "What was scored on the machines of the league", of: .machine,
        columns: [
            .text("MACHINE", least: 14, \.machine), .number("SCORES", rank: 4) { "\($0.statistics.count)" },
            .number("LOW", rank: 5) { ScoreText.text($0.statistics.low) },
            .text("BY", least: redactedWidth, rank: 5, \.lowHolder),
            .number("HIGH") { ScoreText.text($0.statistics.high) },
            .text("BY", least: redactedWidth, \.highHolder),
            .number("MEAN", rank: 2) { ScoreText.text($0.statistics.mean) },
            .number("MEDIAN", rank: 3) { ScoreText.text($0.statistics.median) },
            .number("DEVIATION", rank: 1) { ScoreText.text($0.statistics.deviation) },
        ], nothing: "no scores", [DeclaredParameter](machine, season, bank)
    ) { (journal: OpenedPractice, asked) in
        try journal.leagueAnswers(of: [.stats]).machines(scores(asked))
    }

    static let leagueScores = list(
        "scores", command: "league stats --rows", "The scores of the league, in the order of the table",
        of: .score,
        columns: [
            .whole("SEASON", rank: 3) { "S\($0.score.season)" },
            .whole("BANK", rank: 4) { "B\($0.score.bank)" },
            .whole("DATE", rank: 2, \.score.day), .text("PLAYER", least: redactedWidth, \.player),
            .text("MACHINE", least: 12, \.score.machine), .number("SCORE") { ScoreText.text($0.score.score) },
            .number("POINTS") { DocumentNumber.text($0.score.points) },
        ], nothing: "no scores", [DeclaredParameter](machine, season, bank, onlyPlayer)
    ) { (journal: OpenedPractice, asked) in
        try journal.leagueAnswers(of: [.stats]).scores(scores(asked), of: asked[onlyPlayer])
    }
    static let onlyPlayer = Parameter<String?>(
        "player", player.declared.summary, .text(maxBytes: 200))

    private static func scores(_ asked: Arguments) -> LeagueScoreFilter {
        LeagueScoreFilter(machine: asked[machine], season: asked[season], bank: asked[bank])
    }

    static let leagueStandings = list(
        "standings", command: "league standings", "How the players stand in the latest season", of: .place,
        columns: placeColumns, nothing: "no players", [DeclaredParameter](onlyPlayer, top)
    ) { (journal: OpenedPractice, asked) in
        try journal.leagueAnswers(of: [.standings]).standings(of: asked[onlyPlayer], top: asked[top])
    }

    static let leagueAround = list(
        "around", command: "league around", "A player with the neighbours in the standings", of: .place,
        columns: placeColumns, nothing: "no players", [DeclaredParameter](player)
    ) { (journal: OpenedPractice, asked) in
        try journal.leagueAnswers(of: [.standings]).around(asked[player])
    }

    static let leagueTargets = list(
        "targets", command: "league targets", "What are good scores, in the order of the library",
        of: .target, columns: targetColumns, nothing: "no targets"
    ) { (journal: OpenedPractice, _) in try journal.leagueAnswers(of: [.targets]).targets() }

    static let leagueNext = one(
        "next", command: "league next", "The bank that a player plays next, and its targets", of: .nextBank,
        [DeclaredParameter](player)
    ) { (journal: OpenedPractice, asked) in
        try journal.leagueAnswers(of: [.stats, .targets]).next(asked[player])
    } screen: { bank, reader in
        [.lines([bank.label]), .table(targetColumns, bank.targets, for: reader)]
    }

    static let leagueRecent = one(
        "recent", command: "league recent", "The bank that a player played last", of: .evening,
        [DeclaredParameter](player)
    ) { (journal: OpenedPractice, asked) in
        try journal.leagueAnswers(of: [.stats]).recent(asked[player])
    } screen: { evening, reader in
        let columns: [Column<LeagueScoreRow>] = [
            .text("MACHINE", least: 16, \.score.machine), .number("SCORE") { ScoreText.text($0.score.score) },
            .number("POINTS") { DocumentNumber.text($0.score.points) },
        ]
        return [
            .lines(["\(evening.label) • \(evening.player)".oneLine]),
            .table(columns, evening.rows, for: reader),
        ]
    }

    static let leagueVersus = one(
        "versus", command: "league versus", "Two players, by the games that both have scores for",
        of: .comparison, [DeclaredParameter](opponent, onlyPlayer)
    ) { (journal: OpenedPractice, asked) in
        try journal.leagueAnswers(of: [.stats]).versus(asked[onlyPlayer], asked[opponent])
    } screen: { found, reader in
        let mean = found.averageDelta.map { "; the mean difference is \(ScoreText.text($0))" } ?? ""
        let lead =
            "\(found.you) leads in \(counted(found.youLead, "game")), \(found.them) in \(found.theyLead)"
        let columns: [Column<LeagueComparison.Game>] = [
            .text("GAME", least: 16, \.name), .number("YOU") { ScoreText.text($0.scores.you.mean) },
            .number("THEY") { ScoreText.text($0.scores.them.mean) },
            .number("DIFFERENCE") { ScoreText.text($0.scores.delta) },
            .number("YOUR HIGH", rank: 3) { ScoreText.text($0.scores.you.high) },
            .number("THEIR HIGH", rank: 2) { ScoreText.text($0.scores.them.high) },
        ]
        return [.lines([(lead + mean).oneLine]), .table(columns, found.games, for: reader)]
    }

    /// What is shown instead of a name is not cut.
    private static let redactedWidth = "Redacted 62C440".count

    private static let placeColumns: [Column<LeaguePlace>] = [
        .whole("SEASON", rank: 2) { "S\($0.season)" }, .number("RANK") { "\($0.standing.rank)" },
        .text("PLAYER", least: redactedWidth, \.player),
        .number("POINTS") { DocumentNumber.text($0.standing.points) },
        .whole("ELIGIBLE", rank: 4) { $0.standing.isEligible.map { $0 ? "yes" : "no" } ?? "" },
        .number("NIGHTS", rank: 3) { $0.standing.nights.map { "\($0)" } ?? "" },
        .text("BANKS", least: 12, rank: 1) {
            $0.standing.banks.map(DocumentNumber.text).joined(separator: " ")
        },
        .whole("YOU", rank: 5) { $0.isOwn ? "*" : "" },
    ]

    private static let targetColumns: [Column<LeagueTarget>] = [
        .text("GAME", least: 16, \.game), .whole("BANK", rank: 3) { $0.bank.map { "B\($0)" } ?? "" },
        .number("GREAT") { ScoreText.text($0.great) }, .number("MAIN") { ScoreText.text($0.main) },
        .number("FLOOR") { ScoreText.text($0.floor) }, .whole("MATCH", rank: 2, \.match.rawValue),
    ]
}
