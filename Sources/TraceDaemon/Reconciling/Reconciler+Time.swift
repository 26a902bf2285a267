internal import Journals
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceIndex
internal import TraceStore

/// What is done when it is due.
extension Reconciler {
    /// Handles what is due.
    ///
    /// - Parameter moment: The one that was asked for; nothing is done if an earlier one has been asked for since, which
    ///   continues in its place.
    func tick(due moment: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        schedule.take(tick: moment) ? handleDue() : nil
    }

    /// Handles what is due.
    ///
    /// - Returns: When ``tick(due:)`` is to be called, if a call is not on its way already.
    func handleDue() -> ContinuousClock.Instant? {
        guard !isGenerationOver() else { return nil }
        var mayHaveHeaders = schedule.takeIndexLook(at: .now)
        if mayHaveHeaders {
            attempt("look at the index", settings.indexDatabase) { try index.checkFile() }
        }
        drainNotices()
        if let reason = schedule.scanReason(at: .now) {
            reconcileAll()
            if reason == .interval { verifyWatches() }
        }
        poll()
        for session in dirty.takeDue(at: .now) where !isGenerationOver() {
            reconcile(journal: session)
            mayHaveHeaders = true
        }
        let settled = unsettled.due(at: .now)
        reconcileTogether(settled)
        if hasReadMuch { releaseMemory() }
        // Each `session.json` that commands could not update when they wrote may be whole now; but not at each of thousands of
        // events that say nothing of a session.
        if mayHaveHeaders || !settled.isEmpty { Drain(settings, index).bringHeadersUpToDate() }
        if let moment = backfill.nextDeadline, moment <= .now, !isGenerationOver() { fillSearch() }
        if let moment = status.nextDeadline, moment <= .now { announce() }
        return schedule.askForTick(
            by: polling.nextDeadline, dirty.nextDeadline, unsettled.nextDeadline, backfill.nextDeadline,
            status.nextDeadline)
    }

    /// Fills in a part of the search text.
    private func fillSearch() {
        var step = SearchBackfill.Step.failed
        attempt("fill in the search text", settings.indexDatabase) {
            step = try index.fillSearch(lines: SearchBackfill.lineCount) ? .complete : .filled
            if step == .filled { failures.noteIndexWritten() }
        }
        if backfill.note(step, at: .now) { releaseMemory() }
    }

    // MARK: - Polling

    /// Looks at the next piece of what inotify can't watch, if it is due.
    private func poll() {
        guard let moment = polling.nextDeadline, moment <= .now, !isGenerationOver() else { return }
        if polling.isAtStart, settings.spools.contains(where: polling.unwatched.contains) { requests.ask() }
        health.heartbeat()
        take(polling.look(at: .now) { roots.isSearched($0) })
        polling.noteHandled(at: .now, interval: settings.pollInterval)
    }

    /// Finds out which sessions have changed: few, if any, but all of them the first time.
    private func take(_ changes: [PolledTree.Change]) {
        guard !changes.isEmpty else { return }
        var gone: Set<FilePath> = []
        var candidates: Set<FilePath> = []
        for change in changes {
            switch change {
            case .gone(let directory): gone.insert(directory)
            case .directory(let directory):
                if roots.isRoot(directory) { note(changedRoot: directory) }
                if let session = roots.isSession(directory) ? directory : roots.session(enclosing: directory)
                {
                    candidates.insert(session)
                }
                candidates.formUnion(Journals.all.singleFiles(in: directory).filter(roots.isSession))
            }
        }
        candidates.formUnion(roots.sessions(inOneOf: gone))
        for (root, sessions) in Dictionary(grouping: candidates, by: { roots.root(of: $0) }) {
            guard let root else { continue }
            var changed = sessions
            attempt("compare with the files", root) {
                changed = try index.outdated(among: sessions, in: root, verification: .quick)
            }
            for session in changed { dirty.add(session, at: .now) }
            // Whose permissions alone have changed is not outdated, but can be written again, perhaps.
            awaited.noteChange(of: sessions)
        }
    }

    /// Nobody but the polls tells of a root on a network file system that it went or came back.
    private func note(changedRoot root: FilePath) {
        let isThere = (try? OpenDirectory(root)) != nil
        if isThere == roots.isOffline(root) { reconcile(root: root) }
    }
}
