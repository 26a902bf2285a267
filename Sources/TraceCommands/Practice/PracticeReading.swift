internal import ArgumentParser
internal import PracticeJournal
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

extension CommandContext {
    /// The practice journal that the options name, to be asked.
    func openedPractice(_ options: PracticeOptions) throws -> OpenedPractice {
        let candidate = try availablePracticeJournal(options)
        // Its days are counted in its own zone, wherever this is.
        let named = showsUTC ? nil : candidate.header.timeZone
        return try OpenedPractice(candidate.path, now: Clock.now()) {
            try named.map { try ZoneFiles.rules(named: $0) } ?? zone
        }
    }
}

/// `trace practice journal`
struct PracticeJournalCommand: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "journal", abstract: "List what was practised, newest first.",
        discussion: "One row a line: its time, its id, and its text with ' / ' between the lines.")

    @Option(help: "all, study, practice, score, notes or league.")
    var filter: TimelineFilter = .all
    @Option(help: "Only what is about this game.", transform: words)
    var game: String?
    @Option(help: "structured, a line for each part of a row; line, a sentence.")
    var style: RowText.Style = .structured
    @Option(help: "At most so many.")
    var limit: Int?
    @OptionGroup var options: PracticeOptions

    var global: GlobalOptions { options.global }

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1") }
    }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let journal = try context.openedPractice(options)
            let key = try game.map { try journal.library.key(typed: $0) }
            let items = try journal.answers.timeline(filter, game: key, style: style).prefix(limit ?? .max)
            if global.json { return Output.json(items.lazy.map(\.json)) }
            let zone = try journal.zone
            let rows = items.map { item in
                let time = Timestamp(flooring: item.time)
                return [
                    Output.isTerminal ? zone.minuteText(time) : zone.secondText(time),
                    item.id,
                    item.text.split(separator: "\n").joined(separator: " / "),
                ]
            }
            Output.paged(context.isPaged) {
                PracticeTable.show([.whole("TIME"), .whole("ROW", rank: 1), .text("TEXT", least: 32)], rows)
            }
        }
    }
}

extension TimelineFilter: ExpressibleByArgument {}
extension RowText.Style: ExpressibleByArgument {}

extension OpenedPractice {
    /// The id of the game that was typed, or of that which was looked at last.
    ///
    /// - Throws: ``StoreError`` with `.noSuchRecord`.
    func game(typed: String?) throws -> String {
        if let typed { return try library.key(typed: typed) }
        guard let game = try lastGame else {
            throw StoreError(
                .noSuchRecord, "no game was looked at yet, and there is no library", cure: "name a game")
        }
        return game
    }
}

/// `trace practice game [GAME]`
struct PracticeGame: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "game", abstract: "Show the numbers of a game, and what there is to look at.")

    @Argument(help: "The game; without it the one that was looked at last.", transform: words)
    var game: String?
    @OptionGroup var options: PracticeOptions

    var global: GlobalOptions { options.global }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let journal = try context.openedPractice(options)
            let answer = try journal.answers.game(journal.game(typed: game))
            if global.json { return Output.json(answer) }
            Output.lines(try PracticeGameReport.lines(of: answer, journal.document))
        }
    }
}

/// `trace practice focus`
struct PracticeFocus: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "focus",
        abstract: "List the games of the library, the one that needs practice most first.")

    @OptionGroup var options: PracticeOptions

    var global: GlobalOptions { options.global }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let games = try context.openedPractice(options).answers.focus
            if global.json { return Output.json(games.lazy.map(\.json)) }
            PracticeTable.show(
                [.number("PRIORITY"), .number("COMPLETE"), .text("GAME", least: 20)],
                games.map { game in
                    let priority = DocumentNumber.text((game.priority * 1000).rounded() / 1000)
                    return [priority, "\(game.completion)%", game.name]
                })
        }
    }
}

/// `trace practice mechanics`
struct PracticeMechanics: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: MechanicsVerb.name, abstract: MechanicsVerb.abstract,
        discussion: "With --summary, lists the skills that are logged, and writes nothing.")

    @OptionGroup var verb: MechanicsVerb
    @Flag(help: "List the skills: logs, latest, average and trend.")
    var summary = false
    @Flag(help: "Fail where the journal can't be written, instead of queueing.")
    var noQueue = false
    @OptionGroup var options: PracticeOptions

    var global: GlobalOptions { options.global }

    func run() throws {
        guard summary else {
            return try CommandFailure.explaining {
                try CommandContext(global).write(verb, options, noQueue: noQueue)
            }
        }
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let skills = try context.openedPractice(options).answers.mechanics
            if global.json { return Output.json(skills.lazy.map(\.json)) }
            PracticeTable.show(
                [
                    .text("SKILL", least: 12), .number("LOGS"), .number("LATEST"), .number("AVERAGE"),
                    .number("TREND"),
                ],
                skills.map { skill in
                    let numbers = [skill.average, skill.trend].map { number in
                        number.map { DocumentNumber.text(($0 * 100).rounded() / 100) } ?? ""
                    }
                    return [
                        skill.skill, "\(skill.count)", skill.latest.map { "\($0)" } ?? "", numbers[0],
                        numbers[1],
                    ]
                })
        }
    }
}
