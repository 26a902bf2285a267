internal import ArgumentParser
internal import Journals
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace repair`
struct RepairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Repair what can be repaired in a session or another journal without guessing.",
        discussion: """
            Shows what would be done and why, as a diff; --write does it, and keeps every old file in the state \
            directory under 'repair'. A torn last line is set aside, conflict copies of sync tools are merged, and what \
            a rewrite dropped from session.json is restored where it is known. Times with an offset become UTC, ids in \
            lower case become upper case, lines are sorted by offset, and a missing session_end is added. \
            \(kinds)What needs manual repair is listed.

            Exit status 1 if something is left to do: repairs not written, problems that need manual repair, files that \
            may still be in transit.
            """)

    /// What is repaired in the journals of each kind.
    private static var kinds: String {
        Journals.all.formats.compactMap { format in
            format.surface.repairs.map { "Of a \(format.layout.kind) journal, \($0). " }
        }.joined()
    }

    @Argument(help: "The session, or another journal.", completion: .sessions)
    var session: String?
    @Flag(help: "Every session and every other journal below the roots.")
    var all = false
    @Flag(help: "Do it.")
    var write = false
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if all, session != nil { throw ValidationError("--all can't be combined with a session") }
    }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            if all { return try repairAll(context) }
            let report = try report(context)
            if write, !report.plan.fixes.isEmpty { Output.note(done: report.counts.text) }
            if global.json { Output.json(report.json) } else { report.show() }
            if let failure = report.counts.failure(in: "trace repair") {
                throw CommandFailure(.negative, failure)
            }
        }
    }

    /// On the one session or journal that is named.
    private func report(_ context: CommandContext) throws -> RepairReport {
        if let path = try context.otherJournal(session) {
            return try report(onJournal: path, context.name(of: path, typed: session), context)
        }
        let target = try context.target(session)
        let name = context.name(of: target.path, typed: session)
        return try report(
            on: target, name, context, context.libraryWriter.sessionsByID(), Self.reviewAudio(context))
    }

    /// One session after the other, so that no more than one's files are held. What can't be read or written is reported, and
    /// the rest is done anyway.
    private func repairAll(_ context: CommandContext) throws {
        var failed: CommandFailure?
        func report(_ error: any Error) {
            let failure = CommandFailure(error)
            failure.tell()
            failed = failure
        }
        let byID = context.libraryWriter.sessionsByID()
        let reviewAudio = Self.reviewAudio(context)
        var documents = JSONArrayBuffer()
        var seen: Set<FilePath> = []
        var total = RepairCounts(isWritten: write)
        var others = 0
        var unsound = 0
        for root in context.roots.paths {
            let found = context.roots.journals(of: root, report: report)
            // A file that is a journal on its own is only read.
            for path in found where !Journals.all.isSingleFile(at: path) && seen.insert(path).inserted {
                do {
                    let isOther = (try? Journals.all.isOtherJournal(path)) == true
                    if isOther { others += 1 }
                    let report =
                        try isOther
                        ? self.report(onJournal: path, path.escaped, context)
                        : self.report(
                            on: SessionTarget(reading: path), path.escaped, context, byID, reviewAudio)
                    total.add(report.counts)
                    if !report.counts.isNothing { unsound += 1 }
                    if write, total.fixes > 0 { Output.note(done: total.text) }
                    if global.json {
                        documents.add(report.json)
                    } else if !report.counts.isNothing {
                        report.show()
                    }
                } catch {
                    report(error)
                }
            }
        }
        if global.json {
            documents.finish()
        } else {
            let sessions = counted(seen.count, others == 0 ? "session" : "journal")
            Output.line(
                unsound == 0
                    ? "\(failed == nil ? "ok: " : "")nothing to repair in \(sessions)"
                    : "\(total.text) in \(unsound) of \(sessions)")
        }
        if let failed { throw CommandFailure(failed.status, "not every journal could be repaired") }
        if let failure = total.failure(in: "trace repair --all") { throw CommandFailure(.negative, failure) }
    }

    private func report(
        on target: SessionTarget, _ name: String, _ context: CommandContext,
        _ byID: @escaping (ULID) -> [FilePath], _ reviewAudio: [ULID: [String]]
    ) throws -> RepairReport {
        let repair = SessionRepair(
            context.writer(target), keptIn: context.settings.stateDirectory,
            settleTime: context.settings.settleTime, remembered: Self.remembered(target.path, context),
            reviewAudio: { reviewAudio[$0] ?? [] }, isUsedElsewhere: { !byID($0).isEmpty })
        guard write else { return RepairReport(plan: try repair.plan(), name: name) }
        let outcome = try repair.run()
        return RepairReport(plan: outcome.plan, name: name, isWritten: true, kept: outcome.kept)
    }

    private func report(
        onJournal path: FilePath, _ name: String, _ context: CommandContext
    ) throws -> RepairReport {
        guard !Journals.all.isSingleFile(at: path) else { throw StoreError(single: path) }
        let repair = JournalRepair(
            context.libraryWriter.journalWriter(at: path), keptIn: context.settings.stateDirectory,
            settleTime: context.settings.settleTime)
        guard write else { return RepairReport(plan: try repair.plan(), name: name) }
        let outcome = try repair.run()
        return RepairReport(plan: outcome.plan, name: name, isWritten: true, kept: outcome.kept)
    }

    /// What was added to sessions as review audio.
    private static func reviewAudio(_ context: CommandContext) -> [ULID: [String]] {
        UndoLog.reviewAudio(in: context.settings.stateDirectory)
    }

    /// What the index knows of the session as it was when it was last read.
    private static func remembered(_ path: FilePath, _ context: CommandContext) -> Session? {
        guard let known = context.libraryWriter.remembered(at: path) else { return nil }
        var session = Session()
        session.id = known.id
        session.title = known.title
        session.endTime = known.endTime
        session.duration = known.duration
        return session
    }
}
