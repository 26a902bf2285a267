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

    func handleDue() -> ContinuousClock.Instant? {
        guard !isRoundOver() else { return nil }
        var mayHaveHeaders = lookAtIndex(every: Self.busyLook)
        if lastScan + settings.reconcileInterval <= .now {
            reconcileAll()
            verifyWatches()
        } else if indexIsNew {
            reconcileAll()
        }
        poll()
        for session in dirty.takeDue(at: .now) where !isRoundOver() {
            reconcile(session: session)
            mayHaveHeaders = true
        }
        let now = ContinuousClock.now
        let settled = unsettled.filter { $0.value <= now }.map(\.key)
        reconcileTogether(settled)
        if readCount > Self.manyRecords { releaseMemory() }
        // Not at each of thousands of events that say nothing of a session.
        if mayHaveHeaders || !settled.isEmpty { bringHeadersUpToDate() }
        if let moment = searchFill, moment <= .now, !isRoundOver() { fillSearch() }
        if let moment = nextAnnouncement, moment <= .now { announce() }
        return askForTick()
    }

    /// When something is due next, if that has not been asked for already.
    private func askForTick() -> ContinuousClock.Instant? {
        var deadline = min(lastScan + settings.reconcileInterval, indexLook + Self.restingLook)
        if unwatched.count > 0 { deadline = min(deadline, polling.next) }
        for moment in [dirty.nextDeadline, searchFill, unsettled.values.min(), nextAnnouncement] {
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

    /// - Returns: Whether it was time for that.
    private func lookAtIndex(every interval: Duration) -> Bool {
        guard indexLook + interval <= .now else { return false }
        indexLook = .now
        attempt("look at the index", settings.indexDatabase) { try index.checkFile() }
        return true
    }

    /// After so many records, or more, memory is given back.
    private static let manyRecords = 10_000
}
