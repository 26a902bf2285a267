internal import Logging
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore

/// The scanning of everything, which is the truth, and the look at a session's files.
extension Reconciler {
    /// Looks at everything below the roots, then at the spools.
    func reconcileAll() {
        let start = ContinuousClock.now
        barriers.beginScan()
        defer {
            barriers.endScan(sessionCount: roots.sessions.count)
            schedule.endScan(at: .now)
        }
        schedule.beginScan()
        for root in settings.roots where !isGenerationOver() { reconcile(root: root) }
        health.scan = nil
        events.noteAll()
        requests.askForAll()
        releaseMemory()
        // A scan that was left is not one.
        guard !isGenerationOver() else { return }
        metrics.noteScan(took: start.duration(to: .now))
        log.debug(
            "reconciled",
            metadata: ["journals": "\(roots.sessions.count)", "took": "\(start.milliseconds)ms"])
    }

    func reconcile(root: FilePath) {
        barriers.beginScan()
        defer { barriers.endScan(sessionCount: roots.sessions.count) }
        roots.compareAgain()
        roots.noteIncomplete(root)
        var scan = HealthMonitor.Scan()
        var kept: Set<FilePath> = []
        var isWhole = true
        // Nothing that fails ends a scan: it is logged, and the rest continues.
        try? scanner.scan(root, shouldStop: endsSearch) { event in
            switch event {
            case .looked(.offline): roots.noteOffline(root, log)
            case .looked(.online): if roots.noteOnline(root, log) { requests.ask() }
            case .found(let found, let dangling, let unreadable):
                kept = Set(found)
                roots.note(unreadable: unreadable, in: root, log)
                linked.forget(below: root)
                for directory in dangling { _ = linked.note(directory, .symbolicLink) }
            // Whatever else has a name of these files is found by this scan, too.
            case .otherNames(let names): for (session, names) in names { _ = linked.note(session, names) }
            case .current(let current, let total):
                roots.insert(current)
                scan.done += current.count
                scan.total = total
                health.scan = scan
            case .reading(let left):
                scan.done = scan.total - left
                health.scan = scan
            case .read(let session, let change): take(session) { try change.get() }
            case .removed:
                roots.keep(kept, in: root)
                // Reaching the end ends what failed before: the same failure is news when it comes again.
                failures.noteSuccess(root)
                if isWhole { roots.noteScanned(root) }
            case .failed(let step, let error):
                isWhole = false
                failures.note(step.rawValue, root, error)
            }
            drainNotices()
        }
    }

    func setOffline(_ root: FilePath) {
        roots.noteOffline(root, log)
        attempt("mark the root offline", root) { try index.setRoot(root, state: .offline) }
    }

    /// What compares the index with everything below a root.
    private var scanner: RootScanner {
        RootScanner(index, roots: roots.roots, settleTime: settings.settleTime)
    }

    /// Records progress of a search for sessions; it ends with the generation.
    private func endsSearch() -> Bool {
        health.heartbeat()
        return isGenerationOver()
    }

    // MARK: - One session

    /// Looks at many sessions, all of each large file that grew.
    func reconcileTogether(_ sessions: [FilePath]) {
        try? scanner.read(sessions, shouldStop: endsSearch) { event in
            if case .read(let session, let change) = event { take(session) { try change.get() } }
        }
    }

    /// Looks at a session; of a large file that grew, at a part of what was read before.
    func reconcile(journal: FilePath) {
        guard let root = roots.root(of: journal), !forgetIfMissing(journal) else { return }
        let used = Clock.threadTime()
        defer { dirty.handled(journal, at: .now, cost: Clock.threadTime() - used) }
        health.heartbeat()
        take(journal) {
            let start = ContinuousClock.now
            defer { metrics.noteReconcile(took: start.duration(to: .now)) }
            return try index.reconcile(
                journal: journal, in: root, settleTime: settings.settleTime, verification: .quick)
        }
    }

    /// Forgets a session that a search of its root does not find, such as one whose directory a link has replaced.
    ///
    /// - Returns: Whether that is so.
    func forgetIfMissing(_ session: FilePath) -> Bool {
        guard let root = roots.root(of: session) else { return true }
        guard !JournalFinder.finds(session, below: root, of: index.formats) else { return false }
        health.heartbeat()
        take(session) { try index.reconcile(missing: session, from: root) }
        return true
    }

    /// Notes what a look at a session's files has found.
    private func take(_ session: FilePath, _ look: () throws -> JournalReconciliation) {
        let wasUnsettled = unsettled.remove(session)
        let firstEvent = dirty.takeFirstEvent(of: session)
        var outcome: JournalReconciliation.Outcome?
        let isDone = attempt("index", session) {
            let change = try look()
            outcome = change.outcome
            note(change.otherNames, of: session, isGone: change.outcome == .removed)
            guard roots.note(change.outcome, of: session) else { return }
            if !change.isSettled { unsettled.add(session, at: .now) }
            let recordCount = change.addedRecords.values.reduce(0, +)
            noteRead(recordCount)
            if try missing.look(at: session, after: change, wasUnsettled: wasUnsettled, settings) {
                unsettled.add(session, at: .now)
            }
            if let firstEvent { metrics.noteLag(firstEvent.duration(to: .now)) }
            guard change.outcome != .unchanged else { return }
            if change.outcome != .unreachable { failures.noteIndexWritten() }
            metrics.noteNews()
            backfill.postpone(at: .now)
            log.info(
                "indexed",
                metadata: [
                    "journal": "\(session.escaped)", "outcome": "\(change.outcome)",
                    "records": "\(recordCount)", "findings": "\(change.findingCount)",
                ])
        }
        // Another process may have been faster to bring the index up to date.
        events.noteLook(at: session)
        if !isDone { unsettled.retry(session, at: .now) }
        awaited.noteLook(at: session, outcome) { id(of: $0) }
    }

    /// Notes by which other names a session's files may change.
    private func note(_ names: OtherNames, of session: FilePath, isGone: Bool) {
        let names = isGone && index.formats.hasDanglingHeader(at: session) ? .symbolicLink : names
        if linked.note(session, names) { schedule.noteLinks(at: .now) }
    }
}

extension ContinuousClock.Instant {
    /// Whole milliseconds from this moment until now, for the log.
    fileprivate var milliseconds: Int64 { Int64((duration(to: .now) / .milliseconds(1)).rounded()) }
}
