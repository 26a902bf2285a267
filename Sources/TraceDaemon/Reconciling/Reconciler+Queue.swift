internal import Logging
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceStore

/// What the queue has to know of the sessions, and they of the queue.
extension Reconciler {
    /// Updates each `session.json` that commands could not update when they wrote: it may be whole by now.
    func bringHeadersUpToDate() {
        let (index, roots) = (index, settings.roots)
        Drain(QueueDirectories(settings), runtimeDirectory: settings.runtimeDirectory) { id in
            QueueDrainer.sessions(bearing: id, in: index, below: roots)
        }.bringHeadersUpToDate()
    }

    /// Takes over what a drain has done.
    ///
    /// - Returns: When ``tick(due:)`` is to be called, if a call is not on its way already.
    func note(_ report: DrainReport) -> ContinuousClock.Instant? {
        failing = report.failing
        applied.formUnion(report.applied)
        for session in report.written where !isRoundOver() { reconcile(session: session) }
        awaited = Set(
            report.waiting.filter { wait in
                // What waits for anything else than its session has an event of its own.
                wait.session.map { (try? index.session(at: $0))?.id != wait.id } ?? true
            }.map(\.id))
        // One that came after the drain had looked for it, and before this was known here.
        if !awaited.isEmpty, requests.arrivals != report.arrivals { requests.ask() }
        return handleDue()
    }

    /// A session that appears, or to which something happened, may be what entries wait for.
    func tellQueue(of session: FilePath, _ outcome: SessionReconciliation.Outcome?) {
        if failing.contains(session) { requests.noteChange(of: session) }
        switch outcome {
        case .added, .removed:
            requests.noteArrival()
            if !awaited.isEmpty { requests.ask() }
        // One whose permissions were given back is as the index knows it.
        case .updated where !awaited.isEmpty, .unchanged where !awaited.isEmpty:
            if let id = (try? index.session(at: session))?.id, awaited.contains(id) { requests.ask() }
        default: break
        }
    }

    /// Tells of records that the queue wrote and that another copy of their file has taken away. It does not guess
    /// whether they are to come back.
    func reportVanished(from session: FilePath) throws {
        guard let id = try index.session(at: session)?.id else { return }
        let drain = Drain(QueueDirectories(settings)) { _ in [session] }
        let gone = Set(try drain.vanished(from: id, at: session))
        for entry in gone.subtracting(vanished[session] ?? []).sorted() {
            metrics.note(.recordVanished)
            log.note(entry, .recordVanished, session, .warning)
        }
        vanished[session] = gone.isEmpty ? nil : gone
    }

    /// Reports what commands wrote and another program has overwritten, as far as the journals of `trace undo` may be read:
    /// those of other users may not, and their own commands report it to them.
    ///
    /// - Returns: Whether the journals know of anything that the session is to hold.
    func reportLost(from session: FilePath) throws -> Bool {
        let known = LostLines(
            UndoJournal.readable(in: settings.stateDirectory), state: settings.stateDirectory,
            settleTime: settings.settleTime, largestFile: Self.largestSearched, locate: { _ in [session] })
        if journals?.state != known.journalState {
            journals = (known.journalState, try known.sessions())
        }
        guard let named = journals?.sessions, !named.isEmpty, let id = try index.session(at: session)?.id,
            named.contains(id)
        else { return false }
        let gone = try known.find(in: id)
        for line in gone where lost[session]?.contains(line.id) != true {
            log.warning(
                "another program has overwritten a record; 'trace restore' puts it back",
                metadata: [
                    "session": "\(session.escaped)", "kind": "\(line.kind.rawValue)", "id": "\(line.id)",
                    "result": "record-overwritten",
                ])
        }
        lost[session] = gone.isEmpty ? nil : Set(gone.map(\.id))
        return true
    }

    /// Larger files are not searched for lines that are gone, in bytes: an append to a large file is to cost what the append
    /// costs.
    private static let largestSearched: Int64 = 64 << 20
}
