internal import ArgumentParser
internal import PracticeJournal
internal import RecordFormat
internal import TraceConfiguration
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace practice league import`
struct LeagueImportCommand: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Take a player's scores from the league's table into the journal.",
        discussion: """
            A score that the journal has already (same game, same day, as a league score) is skipped, so that it can be repeated. Where \
            the journal can't be written now, the import waits in the queue.
            """)

    @Option(help: "The player; by default, the one whose journal it is.", transform: words)
    var player: String?
    @Flag(name: [.customShort("n"), .long], help: "Only show what would be imported.")
    var dryRun = false
    @Flag(help: "Fail where the journal can't be written, instead of queueing.")
    var noQueue = false
    @OptionGroup var options: PracticeOptions

    var global: GlobalOptions { options.global }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let journal = try context.openedPractice(options)
            let target = try context.practiceJournal(options)
            context.noticeIncomplete(journal.redaction)
            // Days begin where the person is, and not where the queue is written.
            let zone = target.candidate?.header.timeZone ?? context.settings.timeZone ?? Self.machineZone
            guard let source = try journal.leagueSource(zone: zone) else {
                throw CommandFailure(
                    .noSession, "there is no table league/\(LeagueStats.fileName)",
                    cure: "put the table of the league into the journal's directory")
            }
            // Nothing that is kept of the write names a player who is redacted.
            let document = try journal.document
            let shown = source.shown(player ?? document.settings.ownPlayer)
            guard !shown.isEmpty else {
                throw CommandFailure(
                    .usage, "no player is named, and the journal does not say whose it is",
                    cure: "give \(option: "player"), or write practiceSettings.playerName")
            }
            let entry = SpoolEntry(
                id: IDGenerator.next(), kind: EntryOperation(.leagueImport), journalID: target.id,
                createdAt: Clock.now(),
                payload: .object { object in
                    object.member("player", shown)
                    object.member("zone", zone.map { JSONText($0) })
                })
            // As it would be written, so that what can't be is refused before it waits in a queue.
            let planned: LeagueImport
            let library = try journal.library
            do throws(WriteRejection) {
                planned = try source.scores(
                    of: shown, into: document, library: library, entry: entry.id,
                    at: entry.createdAt)
            } catch {
                throw CommandFailure(
                    .badData, error.message,
                    cure: [
                        "write the name as the table has it",
                        "\(verb: "validate") shows what is wrong with the table",
                    ]
                )
            }
            var report = LeagueWriteReport(
                counts: [
                    ("imported", planned.counts.imported), ("skipped", planned.counts.skipped),
                    ("unmatched", planned.counts.unmatched),
                ], subject: shown)
            if !dryRun { try report.perform(entry, target, mayQueue: !noQueue, context) }
            report.show("import", isJSON: global.json)
        }
    }

    /// The name of the machine's zone; nil if others would not find it by that.
    private static var machineZone: String? {
        let name = ZoneFiles.machine.rules.name
        return (try? ZoneFiles.rules(named: name)) == nil ? nil : name
    }
}

/// `trace practice league purge`
struct LeaguePurgeCommand: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge", abstract: "Take what was imported from the league's table out of the journal.",
        discussion:
            "League scores of one's own stay, with their rows; 'trace practice undo' puts the others back.")

    @Flag(name: [.customShort("n"), .long], help: "Only show what would be removed.")
    var dryRun = false
    @Flag(help: "Fail where the journal can't be written, instead of queueing.")
    var noQueue = false
    @OptionGroup var options: PracticeOptions

    var global: GlobalOptions { options.global }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let journal = try context.openedPractice(options)
            let target = try context.practiceJournal(options)
            let entry = SpoolEntry(
                id: IDGenerator.next(), kind: EntryOperation(.leaguePurge), journalID: target.id,
                createdAt: Clock.now(), payload: .object { _ in })
            var report = LeagueWriteReport(
                counts: try LeaguePurgeWrite.counts(of: journal.document.purgingLeagueImports()))
            if !dryRun { try report.perform(entry, target, mayQueue: !noQueue, context) }
            report.show("remove", isJSON: global.json)
        }
    }
}

/// What an import or a purge has done, or would do.
private struct LeagueWriteReport {
    /// As the answer names them; of a dry run those that are expected.
    var counts: [(name: String, count: Int)]
    /// The player, as people see the name.
    var subject: String?
    /// The id of the write; nil of a dry run.
    private var entry: ULID?
    private var isQueued = false

    init(counts: [(name: String, count: Int)], subject: String? = nil) {
        self.counts = counts
        self.subject = subject
    }

    mutating func perform(
        _ entry: SpoolEntry, _ target: JournalTarget, mayQueue: Bool, _ context: CommandContext
    ) throws {
        self.entry = entry.id
        switch try context.libraryWriter.perform(entry, in: target, mayQueue: mayQueue) {
        case .written(let applied):
            if let reason = applied.notice { context.notice("nothing was written: \(reason)") }
            for (index, count) in counts.enumerated() {
                let value = applied.details.first { $0.name == count.name }?.value
                counts[index].count = value.flatMap { Int(String(decoding: $0.bytes, as: UTF8.self)) } ?? 0
            }
        case .queued(let pending, let reason):
            isQueued = true
            context.notice("queued (\(pending) pending): \(reason)")
        }
    }

    private var numbers: String {
        guard let subject, let first = counts.first?.count else {
            return counts.map { "\($0.count) \($0.name)" }.joined(separator: ", ")
        }
        let others = counts.dropFirst().map { "\($0.count) \($0.name)" }.joined(separator: ", ")
        return "\(counted(first, "score")) of \(subject) (\(others))"
    }

    func show(_ verb: String, isJSON: Bool) {
        let done = verb.hasSuffix("e") ? "\(verb)d" : "\(verb)ed"
        let action = entry == nil ? "would \(verb)" : isQueued ? "queued" : done
        let json = JSONText.object { object in
            object.member("entry_id", entry.map { JSONText($0) })
            object.member("player", subject.map { JSONText($0) })
            for (name, count) in counts { object.member(name, DocumentNumber.json(count)) }
            object.member("done", JSONText(entry != nil && !isQueued))
            object.member("queued", JSONText(isQueued))
        }
        let line = "\(action): \(numbers)"
        if entry == nil { return isJSON ? Output.json(json) : Output.line(line.oneLine) }
        Output.done(line.oneLine, isJSON ? json : nil)
    }
}
