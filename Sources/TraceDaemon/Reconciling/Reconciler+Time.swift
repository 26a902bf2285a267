internal import SystemPackage
internal import TraceConfiguration
internal import TraceIndex
internal import TraceStore

/// What is due, and when.
extension Reconciler {
    /// Begins to keep time.
    ///
    /// - Parameter verify: Has the watcher compare its watches with the directories; called with every full scan.
    func start(verifying verify: @escaping @Sendable () -> Void) -> ContinuousClock.Instant? {
        verifyWatches = verify
        return handleDue()
    }

    /// Handles what is due.
    ///
    /// - Parameter moment: The one that was asked for; nothing is done if an earlier one has been asked for since, which
    ///   goes on in its place.
    func tick(due moment: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard moment == nextTick else { return nil }
        nextTick = nil
        return handleDue()
    }

    /// Looks at what inotify can't watch.
    private func poll() {
        guard unwatched.count > 0, lastPoll + settings.pollInterval <= .now else { return }
        lastPoll = .now
        for directory in unwatched.directories {
            let known = sessions.filter { $0.lies(in: directory) }
            guard let found = SessionFinder.sessions(in: directory, shouldStop: endsSearch) else { return }
            for session in known.union(found) where isSearched(session) {
                dirty.add(session, at: .now)
            }
            if let session = enclosingSession(of: directory) { dirty.add(session, at: .now) }
            pulse.beat()
            if isSpool(directory) { spoolsAreDirty = true }
        }
    }

    func handleDue() -> ContinuousClock.Instant? {
        guard !isRoundOver() else { return nil }
        lookAtIndex(every: Self.busyLook)
        if lastScan + settings.reconcileInterval <= .now {
            reconcileAll()
            verifyWatches()
        } else if indexIsNew {
            reconcileAll()
        }
        poll()
        var appeared = false
        for session in dirty.takeDue(at: .now) where !isRoundOver() {
            appeared = reconcile(session: session) || appeared
        }
        let now = ContinuousClock.now
        reconcileTogether(unsettled.filter { $0.value <= now }.map(\.key)[...])
        if readCount > Self.manyRecords { releaseMemory() }
        // A session that appears drains what waited for it.
        if appeared || spoolsAreDirty { drain() } else { bringHeadersUpToDate() }
        if let moment = searchFill, moment <= .now, !isRoundOver() { fillSearch() }
        return askForTick()
    }

    /// When something is due next, if that has not been asked for already.
    private func askForTick() -> ContinuousClock.Instant? {
        var deadline = min(lastScan + settings.reconcileInterval, indexLook + Self.restingLook)
        if unwatched.count > 0 { deadline = min(deadline, lastPoll + settings.pollInterval) }
        for moment in [dirty.nextDeadline, searchFill, unsettled.values.min()] {
            if let moment { deadline = min(deadline, moment) }
        }
        if let nextTick, nextTick <= deadline { return nil }
        nextTick = deadline
        return deadline
    }

    /// How often the file of the index is looked at while nothing happens, and while something does: whoever deletes or
    /// empties it waits that long at most.
    private static let restingLook = Duration.seconds(60)
    private static let busyLook = Duration.seconds(5)

    private func lookAtIndex(every interval: Duration) {
        guard indexLook + interval <= .now else { return }
        indexLook = .now
        attempt("look at the index", settings.indexDatabase) { try index.checkFile() }
    }

    /// After so many records, or more, memory is given back.
    private static let manyRecords = 10_000
}
