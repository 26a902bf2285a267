internal import ArgumentParser
internal import PracticeJournal
internal import RecordFormat
internal import TraceText

/// `trace practice league stats`
struct LeagueStatsCommand: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Show what was scored on the machines of the league.",
        discussion: "With --rows, lists the scores themselves, in the order of the table.")

    @Argument(help: "The machine, as the table names it; by default, all.", transform: words)
    var machine: String?
    @Option(help: "Only scores of this season; by default, of all.")
    var season: Int?
    @Option(help: "Only scores of this bank.")
    var bank: Int?
    @Flag(help: "List the scores.")
    var rows = false
    @Option(help: "With --rows: only scores of this player.", transform: words)
    var player: String?
    @OptionGroup var league: LeagueOptions

    var global: GlobalOptions { league.options.global }

    func validate() throws {
        if player != nil, !rows { throw ValidationError("--player belongs to --rows") }
    }

    func run() throws {
        var question = LeagueQuestion(rows ? .scores : .stats)
        question.machine = machine
        question.season = season
        question.bank = bank
        question.player = player
        try league.run(question) { answers in
            guard rows else { return LeagueScreen.show(try answers.machines(question)) }
            LeagueScreen.show(try answers.scores(question))
        }
    }
}

/// `trace practice league standings`
struct LeagueStandingsCommand: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "standings", abstract: "Show how the players stand in the latest season.")

    @Option(help: "Only the best so many.")
    var top: Int?
    @OptionGroup var league: LeagueOptions

    var global: GlobalOptions { league.options.global }

    func validate() throws {
        if let top, top < 1 { throw ValidationError("--top is a number from 1 on") }
    }

    func run() throws {
        var question = LeagueQuestion(.standings)
        question.top = top
        try league.run(question) { LeagueScreen.show(try $0.standings(question)) }
    }
}

/// `trace practice league around [PLAYER]`
struct LeagueAroundCommand: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "around", abstract: "Show a player with the neighbours in the standings.")

    @Argument(help: "The player; by default, the one whose journal it is.", transform: words)
    var player: String?
    @OptionGroup var league: LeagueOptions

    var global: GlobalOptions { league.options.global }

    func run() throws {
        var question = LeagueQuestion(.around)
        question.player = player
        try league.run(question) { LeagueScreen.show(try $0.around(question)) }
    }
}

/// `trace practice league targets`
struct LeagueTargetsCommand: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "targets", abstract: "Show what are good scores, in the order of the library.")

    @OptionGroup var league: LeagueOptions

    var global: GlobalOptions { league.options.global }

    func run() throws {
        try league.run(LeagueQuestion(.targets)) { LeagueScreen.show(try $0.targets()) }
    }
}

/// `trace practice league next [PLAYER]`
struct LeagueNextCommand: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "next", abstract: "Show the bank that a player plays next, and its targets.")

    @Argument(help: "The player; by default, the one whose journal it is.", transform: words)
    var player: String?
    @OptionGroup var league: LeagueOptions

    var global: GlobalOptions { league.options.global }

    func run() throws {
        var question = LeagueQuestion(.next)
        question.player = player
        try league.run(question) { answers in
            let bank = try answers.next(question)
            Output.line(bank.label)
            LeagueScreen.show(bank.targets)
        }
    }
}

/// `trace practice league recent [PLAYER]`
struct LeagueRecentCommand: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "recent", abstract: "Show the bank that a player played last.",
        discussion: "If the table does not have the player, it is the bank that anybody played last.")

    @Argument(help: "The player; by default, the one whose journal it is.", transform: words)
    var player: String?
    @OptionGroup var league: LeagueOptions

    var global: GlobalOptions { league.options.global }

    func run() throws {
        var question = LeagueQuestion(.recent)
        question.player = player
        try league.run(question) { answers in
            let evening = try answers.recent(question)
            Output.line("\(evening.label) • \(evening.player)".oneLine)
            LeagueScreen.show(machines: evening.rows)
        }
    }
}

/// `trace practice league versus NAME`
struct LeagueVersusCommand: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "versus", abstract: "Compare two players by the games that both have scores for.")

    @Argument(
        help: "The other player; by default, the one to compare with in the journal's settings.",
        transform: words)
    var opponent: String?
    @Option(help: "The player; by default, the one whose journal it is.", transform: words)
    var player: String?
    @OptionGroup var league: LeagueOptions

    var global: GlobalOptions { league.options.global }

    func run() throws {
        var question = LeagueQuestion(.versus)
        question.player = player
        question.opponent = opponent
        try league.run(question) { LeagueScreen.show(try $0.versus(question)) }
    }
}
