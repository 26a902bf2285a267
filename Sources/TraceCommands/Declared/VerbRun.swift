internal import Glibc
internal import Journals
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// A verb that was typed, with its arguments.
struct VerbRun {
    private let verb: Verb
    private let kind: JournalKind
    private let arguments: Arguments
    private let options: JournalOptions

    init(_ verb: Verb, of kind: any VerbGroup.Type, _ arguments: Arguments, _ options: JournalOptions) {
        self.verb = verb
        self.kind = JournalKind(name: kind.name)
        self.arguments = arguments
        self.options = options
    }

    private var isJSON: Bool { options.global.json }

    /// Asks, writes or does what was typed.
    func run() throws(CommandFailure) {
        try CommandFailure.explaining {
            if isJSON, arguments[.format] != nil {
                throw CommandFailure(.usage, "use --format or --json, not both")
            }
            let context = try CommandContext(options.global)
            let target = try target(context)
            let place = try place(target, context)
            switch try chosen(place) {
            case .ask(let question, let asked):
                guard let journal = try place.journal else { throw VerbPlace.away }
                let answer = try question.ask(journal, asked)
                for notice in journal.notices { context.notice(notice) }
                try show(answer, journal.zone, context)
            case .write(let write):
                guard let target else { throw VerbPlace.away }
                try perform(write, in: target, context)
            case .act(let act):
                _ = try target?.id
                let place = CommandActPlace(context: context, path: target?.candidate?.path)
                try show(act.run(place), context.zone, context, isDone: !arguments[.dryRun])
            case .undo:
                guard let target else { throw VerbPlace.away }
                try UndoCommand.undo(
                    in: try target.id, isDryRun: arguments[.dryRun], isJSON: isJSON, context)
            }
        }
    }

    /// Puts what would be written into the queue.
    func queue(device: String?) throws(CommandFailure) {
        try CommandFailure.explaining {
            let context = try CommandContext(options.global)
            let target = try journal(context, mayBeAbsent: true)
            guard case .write(let write) = try chosen(place(target, context)) else { return }
            let checked = try entry(write, for: target, device: device)
            _ = try context.libraryWriter.queued(checked, "")
            context.notice("waits: \(write.words)")
            Output.done("queued: \(checked.entry.id)", isJSON ? checked.entry.json : nil)
        }
    }

    // MARK: - The journal

    /// The journal that is meant; nil for a verb that needs none.
    private func target(_ context: CommandContext) throws -> JournalTarget? {
        switch verb.place {
        case .nowhere: return nil
        case .perhapsAway: return try journal(context, mayBeAbsent: !arguments[.noQueue])
        case .here:
            let target = try journal(context, mayBeAbsent: false)
            guard target.candidate != nil else { throw VerbPlace.away }
            return target
        }
    }

    private func journal(_ context: CommandContext, mayBeAbsent: Bool) throws -> JournalTarget {
        try context.libraryWriter.journal(
            options.journal, of: kind, from: context.workingDirectory, mayBeAbsent: mayBeAbsent)
    }

    private func place(_ target: JournalTarget?, _ context: CommandContext) throws -> VerbPlace {
        let candidate = target?.candidate
        let header = candidate?.header
        let audience = try audience(candidate?.path)
        return VerbPlace(
            candidate?.path,
            namedZone: header?.timeZone ?? context.settings.timeZone ?? Self.machineZone
        ) { path in
            guard let type = Journals.all[kind]?.opened else { throw VerbPlace.away }
            let asking = Asking(now: Clock.now(), audience: audience) {
                // Its days are counted in its own zone, wherever this is.
                let named = context.showsUTC ? nil : header?.timeZone
                return try named.map { try ZoneFiles.rules(named: $0) } ?? context.zone
            }
            return try type.init(path, asking)
        }
    }

    /// The name of the machine's zone; nil if others would not find it by that.
    private static var machineZone: String? {
        let name = ZoneFiles.machine.rules.name
        return (try? ZoneFiles.rules(named: name)) == nil ? nil : name
    }

    /// To whom the answer goes.
    ///
    /// - Throws: ``CommandFailure`` if everybody is to be shown, and may not.
    private func audience(_ path: FilePath?) throws -> Asking.Audience {
        guard arguments[.unredacted], let path else { return .owner }
        guard Output.isTerminal else {
            throw CommandFailure(
                .permission, "--unredacted shows names at a terminal only",
                cure: "leave out \(option: "unredacted"), or let the output go to a terminal")
        }
        guard try FileStatus(of: path, followingLinks: true).owner == geteuid() else {
            throw CommandFailure(
                .permission, "--unredacted shows names to the owner of the journal only",
                cure:
                    "leave out \(option: "unredacted"), or run the command as the owner of \(path.escaped)")
        }
        return .ownerAlone
    }

    private func chosen(_ place: VerbPlace) throws -> Verb.Choice {
        do { return try verb.choose(arguments, place) } catch let problem as ArgumentProblem {
            throw CommandFailure(problem)
        }
    }

    // MARK: - Writing

    private func entry(
        _ write: Verb.Write, for target: JournalTarget, device: String? = nil
    ) throws -> CheckedEntry {
        let journal = try target.id
        do {
            return try CheckedEntry(
                write.operation, write.arguments, of: kind, id: IDGenerator.next(), journalID: journal,
                createdAt: Clock.now(), device: device)
        } catch { throw CommandFailure(error) }
    }

    private func perform(
        _ write: Verb.Write, in target: JournalTarget, _ context: CommandContext
    ) throws {
        let checked = try entry(write, for: target)
        let report = write.report ?? { WriteReport($0, write).answer }
        guard !arguments[.dryRun] else { return try show(report(.planned), .utc, context) }
        let mayWait = write.mayWait && !arguments[.noQueue]
        let state: Verb.WriteState
        switch try context.libraryWriter.perform(checked, in: target, mayQueue: mayWait) {
        case .written(var applied):
            if let reason = applied.notice { context.notice("nothing was written: \(reason)") }
            // The report says it, too.
            let text = applied.text()
            applied.text = { text }
            if let text { context.notice(text) }
            state = .written(id: checked.entry.id, applied)
        case .queued(let pending, let reason):
            context.notice("queued (\(pending) pending): \(reason)")
            if write.report == nil { context.notice("waits: \(write.words)") }
            state = .waiting(id: checked.entry.id)
        }
        try show(report(state), .utc, context, isDone: true)
    }

    // MARK: - Showing

    /// - Parameter isDone: Whether the first line says what was written for good.
    private func show(
        _ answer: Answer, _ zone: ZoneRules, _ context: CommandContext, isDone: Bool = false
    ) throws {
        for notice in answer.notices { context.notice(notice) }
        if !isJSON, let nothing = answer.nothing { context.notice(nothing) }
        let table = ListTable(hasHeader: arguments[.header], format: arguments[.format])
        let reader = AnswerReader(zone: zone, isTerminal: table.isOnScreen)
        if isDone, case .lines(let lines)? = answer.screen(for: reader).first, let line = lines.first {
            Output.note(done: line)
        }
        if isJSON {
            switch answer.content {
            case .list(let count, let json): Output.json((0..<count).lazy.map(json))
            case .one(let json): Output.json(json())
            }
        } else {
            Output.paged(context.isPaged && table.format == nil) {
                for part in answer.screen(for: reader) { part.show(as: table) }
            }
        }
        if let failure = answer.failure { throw failure }
    }
}

extension ScreenPart {
    /// Prints it: a table on a terminal, one for a program elsewhere.
    fileprivate func show(as table: ListTable) {
        switch self {
        case .lines(let lines): Output.lines(lines)
        case .table(let columns, let rows):
            guard table.isOnScreen else {
                return table.print(rows, columns.map { $0.name.lowercased().replacing(" ", with: "_") }) {
                    $0
                }
            }
            if rows.isEmpty { return }
            ListScreen.show(columns, rows.map { $0.map { TerminalCell($0.oneLine) } })
        }
    }
}

extension CommandFailure {
    /// What is wrong with an argument that the parser has taken.
    init(_ problem: ArgumentProblem) { self.init(.usage, problem.typed, cure: problem.cure) }
}
