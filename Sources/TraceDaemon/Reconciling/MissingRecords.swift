internal import Journals
internal import Logging
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceStore
internal import TraceText

/// Records that the queue or a command has written and that another program or another copy of their file has taken away: each
/// is reported once. Whether they are to come back is not guessed.
struct MissingRecords {
    private let index: JournalIndex
    private let ledger: LedgerMemory
    private let log: Logger
    private let metrics: Metrics
    /// Sessions into which the queue has been written since they came to rest.
    private var applied: Set<FilePath> = []
    /// Entries whose records are gone from their session, as they were reported.
    private var vanished: [FilePath: Set<ULID>] = [:]
    /// Records that another program has overwritten, as they were reported.
    private var overwritten: [FilePath: Set<ULID>] = [:]
    /// The undo logs as they were when they were read last, and the sessions that they name.
    private var logs: (state: [FileIdentity], sessions: (ids: Set<ULID>, paths: Set<FilePath>))?

    /// Larger files are not searched for lines that are gone, in bytes: an append to a large file is to cost what the append
    /// costs.
    private static let largestSearched: Int64 = 64 << 20

    init(
        _ index: JournalIndex, _ log: Logger, _ metrics: Metrics, ledger: LedgerMemory = LedgerMemory()
    ) {
        self.index = index
        self.ledger = ledger
        self.log = log
        self.metrics = metrics
    }

    /// A drain has written into sessions.
    mutating func noteApplied(to sessions: Set<FilePath>) { applied.formUnion(sessions) }

    /// Reports what is gone from a session, where a look at its files says that something may be.
    ///
    /// - Parameters:
    ///   - change: What the look has found.
    ///   - wasUnsettled: Whether the session was not at rest at the look before.
    /// - Returns: Whether to look again when the session has surely rested: a file that was written a moment ago is not
    ///   searched yet.
    /// - Throws: ``IndexError`` or ``FileError``.
    mutating func look(
        at session: FilePath, after change: JournalReconciliation, wasUnsettled: Bool,
        _ settings: TraceSettings
    ) throws -> Bool {
        let isReread = !change.rereadFiles.isEmpty
        // A file that was replaced before the index had read what the queue wrote looks like one that grew.
        let isRested = change.isSettled && applied.remove(session) != nil
        if isRested || isReread { try reportVanished(from: session, settings) }
        // Lines over others, written from where the file ended before, look like lines that came, and may rest when they
        // are seen for the first time.
        let mayHideOthers = wasUnsettled || isReread || change.outcome == .updated
        guard change.isSettled, mayHideOthers else { return false }
        if takeUp(in: session, settings) { return true }
        return try reportOverwritten(in: session, settings)
    }

    /// Takes up what another program has saved in a journal whose document programs write whole, and puts back what it has saved over: else
    /// it would not be known what that program had when it saves the next time.
    ///
    /// - Returns: Whether to look again, because somebody else has the journal locked.
    private func takeUp(in journal: FilePath, _ settings: TraceSettings) -> Bool {
        var writer = JournalWriter(
            journal, formats: Journals.all.besidesSessions, runtimeDirectory: settings.runtimeDirectory)
        writer.lockTimeout = .zero
        writer.onPutBack = log.putBackReport
        do {
            guard try writer.isWrittenByOthers() else { return false }
            _ = try writer.takeUp()
            return false
        } catch let error as FileError where error.code == .sessionLocked {
            return true
        } catch {
            log.warning(
                "could not read what another program has saved",
                metadata: ["journal": "\(journal.escaped)", "error": "\(error)"])
            return false
        }
    }

    /// Reports records that the queue wrote and that another copy of their file has taken away.
    private mutating func reportVanished(from session: FilePath, _ settings: TraceSettings) throws {
        guard let id = try index.session(at: session)?.id else { return }
        var drain = Drain(QueueDirectories(settings)) { _ in [session] }
        drain.ledger = ledger
        drain.records = index
        let gone = Set(try drain.vanished(from: id, at: session))
        for entry in gone.subtracting(vanished[session] ?? []).sorted() {
            metrics.note(.recordVanished)
            log.note(entry, .recordVanished, session, .warning)
        }
        vanished[session] = gone.isEmpty ? nil : gone
    }

    /// Reports what commands wrote and another program has overwritten, as far as the undo logs may be read:
    /// those of other users may not, and their own commands report it to them.
    ///
    /// - Returns: Whether a file was written too short a time ago to be searched.
    private mutating func reportOverwritten(
        in session: FilePath, _ settings: TraceSettings
    ) throws -> Bool {
        let lost = LostLines(
            UndoLog.readable(in: settings.stateDirectory), state: settings.stateDirectory,
            settleTime: settings.settleTime, largestFile: Self.largestSearched, locate: { _ in [session] })
        if logs?.state != lost.logState {
            logs = (lost.logState, try lost.sessions())
        }
        guard let named = logs?.sessions, !named.ids.isEmpty || !named.paths.isEmpty,
            let id = try index.session(at: session)?.id,
            named.ids.contains(id) || named.paths.contains(session)
        else { return false }
        var isAtRest = true
        let gone = try lost.find(in: id, isAtRest: &isAtRest)
        for line in gone where overwritten[session]?.contains(line.id) != true {
            log.warning(
                "another program has overwritten a record; 'trace restore' restores it",
                metadata: [
                    "session": "\(session.escaped)", "kind": "\(line.kind.rawValue)", "id": "\(line.id)",
                    "result": "record-overwritten",
                ])
        }
        // What a file lacks that has not rested is not known, and what was reported of it stays so.
        let known = isAtRest ? [] : overwritten[session] ?? []
        overwritten[session] = known.isEmpty && gone.isEmpty ? nil : known.union(gone.map(\.id))
        return !isAtRest
    }
}

extension Logger {
    /// Reports what was put back into a journal that another program has saved over.
    var putBackReport: PutBackReport {
        { path, records in
            warning(
                "\(records.notice)",
                metadata: ["journal": "\(path.escaped)", "result": "record-put-back"])
        }
    }
}
