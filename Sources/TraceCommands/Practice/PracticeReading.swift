internal import ArgumentParser
internal import PracticeJournal
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// A practice journal that is read, with the zone in which its days are counted.
struct OpenPracticeJournal {
    let path: FilePath
    let library: GameLibrary
    let document: PracticeDocument
    let answers: PracticeAnswers
    let zone: ZoneRules

    init(_ options: PracticeOptions, _ context: CommandContext) throws {
        let target = try context.practiceJournal(options)
        guard let candidate = target.candidate else {
            throw FileError(
                .noSuchSession, "the journal was not found", hint: "give its directory with --journal")
        }
        path = candidate.path
        let named = context.showsUTC ? nil : candidate.header.timeZone
        zone = try named.map { try ZoneFiles.rules(named: $0) } ?? context.zone
        let reader = try PracticeJournalReader(path)
        let now = Clock.now()
        library = try reader.library()
        document = try reader.document(now: now)
        answers = PracticeAnswers(
            document, library: library, log: try reader.log(library), now: now, zone: zone)
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
    @Option(help: "At most so many.")
    var limit: Int?
    @OptionGroup var options: PracticeOptions

    var global: GlobalOptions { options.global }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let journal = try OpenPracticeJournal(options, context)
            let key = try game.map { try journal.library.key(typed: $0) }
            let items = journal.answers.timeline(filter, game: key).prefix(limit ?? .max)
            if global.json { return Output.json(items.lazy.map(\.json)) }
            Output.paged(context.isPaged) {
                Output.lines(
                    items.lazy.map { item in
                        let time = journal.zone.secondText(
                            Timestamp(milliseconds: Int64(item.time.rounded(.down))))
                        let text = item.text.split(separator: "\n").joined(separator: " / ")
                        return [time, item.id, text].map(\.oneLine).joined(separator: "\t")
                    })
            }
        }
    }
}

extension TimelineFilter: ExpressibleByArgument {}

/// `trace practice game GAME`
struct PracticeGame: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "game", abstract: "Show the numbers of a game, and what there is to look at.")

    @Argument(help: "The game.", transform: words)
    var game: String
    @OptionGroup var options: PracticeOptions

    var global: GlobalOptions { options.global }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let journal = try OpenPracticeJournal(options, context)
            let key = try journal.library.key(typed: game)
            let answer = journal.answers.game(key)
            if global.json { return Output.json(answer) }
            try Output.members(of: answer)
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
            let games = try OpenPracticeJournal(options, context).answers.focus
            if global.json { return Output.json(games.lazy.map(\.json)) }
            Output.lines(
                games.map { game in
                    let priority = DocumentNumber.text((game.priority * 1000).rounded() / 1000)
                    return "\(priority)\t\(game.completion)%\t\(game.name.oneLine)"
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
            let skills = try OpenPracticeJournal(options, context).answers.mechanics
            if global.json { return Output.json(skills.lazy.map(\.json)) }
            Output.lines(
                skills.map { skill in
                    let numbers = [skill.average, skill.trend].map { number in
                        number.map { DocumentNumber.text(($0 * 100).rounded() / 100) } ?? ""
                    }
                    return [
                        skill.skill, "\(skill.count)", skill.latest.map { "\($0)" } ?? "", numbers[0],
                        numbers[1],
                    ].map(\.oneLine).joined(separator: "\t")
                })
        }
    }
}

extension Output {
    /// The members of an answer, one a line.
    static func members(of answer: JSONText) throws {
        let lines = try JSONParser().withParsed(answer.bytes) { root in
            root.members.map { key, value in
                let text = value.string ?? value.compactText
                return "\(String(decoding: key, as: UTF8.self)): \(text.oneLine)"
            }
        }
        Output.lines(lines)
    }
}

extension JSONValue {
    /// The value for people: numbers and words as they are, members with their names.
    fileprivate var compactText: String {
        switch kind {
        case .null: "-"
        case .boolean: boolean == true ? "yes" : "no"
        case .integer, .number: DocumentNumber.text(number ?? 0)
        case .string: string ?? ""
        case .array: elements.map { $0.string ?? $0.compactText }.joined(separator: "; ")
        case .object:
            members.map { "\(String(decoding: $0.key, as: UTF8.self)) \($0.value.compactText)" }
                .joined(separator: ", ")
        }
    }
}
