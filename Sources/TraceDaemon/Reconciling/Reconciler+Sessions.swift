internal import Logging
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore

/// The look at a session's files.
extension Reconciler {
    /// Looks at many sessions, all of each large file that grew.
    func reconcileTogether(_ sessions: [FilePath]) {
        try? scanner.read(sessions, shouldStop: endsSearch) { event in
            if case .read(let session, let change) = event { take(session) { try change.get() } }
        }
    }

    /// - Parameter verification: How much of a large file that grew is compared with what was read before.
    /// - Returns: Whether the session is new to the index.
    @discardableResult
    func reconcile(session: FilePath, verification: Verification = .quick) -> Bool {
        guard let root = root(of: session) else { return false }
        let used = Clock.threadTime()
        defer {
            // A thorough look comes once after a rest: it says nothing of what the next append costs.
            if verification == .quick {
                dirty.handled(session, at: .now, cost: Clock.threadTime() - used)
            }
        }
        pulse.beat()
        return take(session) {
            let start = ContinuousClock.now
            defer { metrics.noteReconcile(took: start.duration(to: .now)) }
            return try index.reconcile(
                session: session, in: root, settleTime: settings.settleTime, verification: verification)
        }
    }

    /// Notes what a look at a session's files has found.
    ///
    /// - Returns: Whether the session is new to the index.
    @discardableResult
    func take(_ session: FilePath, _ look: () throws -> SessionReconciliation) -> Bool {
        let wasUnsettled = unsettled.removeValue(forKey: session) != nil
        let firstEvent = firstEvents.removeValue(forKey: session)
        var isNew = false
        var outcome: SessionReconciliation.Outcome?
        let isDone = attempt("index", session) {
            let change = try look()
            outcome = change.outcome
            switch change.outcome {
            case .unreachable: break
            case .removed: if sessions.remove(session) == nil { return }
            case .unchanged, .added, .updated: isNew = sessions.insert(session).inserted
            }
            if !change.isSettled { unsettled[session] = .now + settings.settleTime + Self.settleMargin }
            readCount += change.addedRecords.values.reduce(0, +)
            // A file that was replaced before the index had read what the queue wrote looks like one that grew.
            let isRested = change.isSettled && applied.remove(session) != nil
            if isRested || !change.rereadFiles.isEmpty { try reportVanished(from: session) }
            let isReread = !change.rereadFiles.isEmpty
            // Lines over others, written from where the file ended before, look like lines that came, and may rest when they
            // are seen for the first time.
            let mayHideOthers = wasUnsettled || isReread || change.outcome == .updated
            if change.isSettled, mayHideOthers, try reportLost(from: session), isReread {
                // A file that was written a moment ago is not searched yet.
                unsettled[session] = .now + settings.settleTime + Self.settleMargin
            }
            if let firstEvent { metrics.noteLag(firstEvent.duration(to: .now)) }
            guard change.outcome != .unchanged else { return }
            if change.outcome != .unreachable { noteIndexWritten() }
            metrics.noteNews()
            searchFill = .now + Self.searchPause
            log.info(
                "indexed",
                metadata: [
                    "session": "\(session.escaped)", "outcome": "\(change.outcome)",
                    "records": "\(change.addedRecords.values.reduce(0, +))",
                    "findings": "\(change.findingCount)",
                ])
        }
        if !isDone { unsettled[session] = .now + Self.retryPause }
        tellQueue(of: session, outcome)
        return isNew
    }

    /// How long what failed is left alone, such as an index whose disk is full.
    static let retryPause = Duration.seconds(5)

    /// Beyond the settle time, so that a file is surely seen as resting.
    static let settleMargin = Duration.milliseconds(100)
}
