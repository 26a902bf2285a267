internal import ArgumentParser
internal import PracticeJournal
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// The arguments of a write into a practice journal, from which the payload of its entry follows.
protocol PracticeVerb: ParsableArguments {
    /// The name below `trace practice`, and below `trace queue add practice`.
    static var name: String { get }
    static var abstract: String { get }
    /// What the entry asks for: the name behind `practice.`.
    var operation: PracticeOperation { get }
    /// The game as it was typed; nil if the write is about none, or about all.
    var typedGame: String? { get }
    /// - Parameter game: The id of the game.
    func payload(_ game: String?) throws -> JSONText
}

extension PracticeVerb {
    var typedGame: String? { nil }
}

/// The options of every command about a practice journal.
struct PracticeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The journal: a directory, an id or a prefix of it, a title.", valueName: "journal"))
    var journal: String?
    @OptionGroup var global: GlobalOptions
}

/// `trace practice VERB`
struct PracticeWriteCommand<Verb: PracticeVerb>: SessionlessCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Verb.name, abstract: Verb.abstract,
            discussion: "Where the journal can't be written now, the write waits in the queue.")
    }

    @OptionGroup var verb: Verb
    @Flag(help: "Fail where the journal can't be written, instead of queueing.")
    var noQueue = false
    @OptionGroup var options: PracticeOptions

    var global: GlobalOptions { options.global }

    func run() throws {
        try CommandFailure.explaining {
            try CommandContext(global).write(verb, options, noQueue: noQueue)
        }
    }
}

/// `trace queue add practice VERB`
struct PracticeQueueCommand<Verb: PracticeVerb>: SessionlessCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Verb.name, abstract: Verb.abstract,
            discussion:
                "The journal need not be here if --journal has its whole id; the entry waits until it is.")
    }

    @OptionGroup var verb: Verb
    @Option(help: "The name of this device.", transform: words)
    var device: String?
    @OptionGroup var options: PracticeOptions

    var global: GlobalOptions { options.global }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let target = try context.practiceJournal(options, mayBeAbsent: true)
            let (entry, _) = try context.entry(of: verb, for: target, device: device)
            _ = try context.libraryWriter.queued(entry, "")
            Output.done("queued: \(entry.id)", global.json ? entry.json : nil)
        }
    }
}

extension CommandContext {
    func practiceJournal(_ options: PracticeOptions, mayBeAbsent: Bool = false) throws -> JournalTarget {
        try libraryWriter.journal(
            options.journal, of: .practice, from: workingDirectory, mayBeAbsent: mayBeAbsent)
    }

    /// The journal, which must be here.
    ///
    /// - Throws: ``StoreError`` with `.noSuchSession`.
    func availablePracticeJournal(_ options: PracticeOptions) throws -> JournalCandidate {
        guard let candidate = try practiceJournal(options).candidate else {
            throw StoreError(
                .noSuchSession, "the journal was not found",
                cure: "give its directory with \(option: "journal")")
        }
        return candidate
    }

    /// Writes into a journal, or into the queue where that can't be done now, and says so.
    func write(_ verb: some PracticeVerb, _ options: PracticeOptions, noQueue: Bool) throws {
        let target = try practiceJournal(options, mayBeAbsent: !noQueue)
        let (entry, game) = try entry(of: verb, for: target, device: nil)
        let outcome = try libraryWriter.perform(entry, in: target, mayQueue: !noQueue)
        report(outcome, of: entry, game, isJSON: options.global.json)
    }

    /// The entry that a command makes.
    fileprivate func entry(
        of verb: some PracticeVerb, for target: JournalTarget, device: String?
    ) throws -> (entry: SpoolEntry, game: String?) {
        let library = try target.candidate.map { try OpenedPractice($0.path, now: Clock.now()).library }
        let game = try verb.typedGame.map { try (library ?? GameLibrary()).key(typed: $0) }
        let entry = SpoolEntry(
            id: IDGenerator.next(), kind: EntryOperation(verb.operation),
            journalID: target.id, createdAt: Clock.now(), device: device, payload: try verb.payload(game))
        return (entry, game)
    }

    /// Prints what a write has done: the id of its row, or that it waits.
    func report(
        _ outcome: JournalWriteOutcome, of entry: SpoolEntry, _ game: String?, isJSON: Bool
    ) {
        var records: [(place: String, id: String)] = []
        var details: [(name: String, value: JSONText)] = []
        var isQueued = false
        switch outcome {
        case .written(let applied):
            records = applied.records
            details = applied.details
            if let reason = applied.notice { notice("nothing was written: \(reason)") }
        case .queued(let pending, let reason):
            isQueued = true
            notice("queued (\(pending) pending): \(reason)")
        }
        let row = records.first { $0.place == PracticeArray.journalEntries.rawValue } ?? records.first
        let id = row?.id ?? entry.id.description
        guard isJSON else {
            Output.done(isQueued ? "queued: \(entry.id)" : id, nil)
            return
        }
        let places = Dictionary(grouping: records, by: \.place).sorted { $0.key < $1.key }
        Output.json(
            .object { object in
                object.member("id", JSONText(id))
                object.member("entry_id", JSONText(entry.id))
                object.member(
                    "records",
                    .object { text in for (place, found) in places { text.member(place, found.map(\.id)) } })
                object.member("game", game.map { JSONText($0) })
                object.member("queued", JSONText(isQueued))
                for (name, value) in details { object.member(name, value) }
            })
    }
}

extension GameLibrary {
    /// As ``key(named:)``.
    ///
    /// - Throws: ``StoreError`` with `.noSuchRecord`.
    func key(typed: String) throws -> String {
        do throws(WriteRejection) { return try key(named: typed) } catch {
            throw StoreError(
                .noSuchRecord, error.message, cure: "\(verb: "practice library list") lists the games")
        }
    }
}
