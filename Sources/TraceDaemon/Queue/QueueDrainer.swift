internal import Journals
internal import Logging
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceMedia
internal import TraceStore
internal import TraceText

/// Empties the spools, on a thread of its own: neither a long queue nor a slow disk keeps the index waiting. It never waits
/// for a lock; what can't be written yet is tried again later.
actor QueueDrainer {
    private let executor = WorkerExecutor(label: "traced.queue")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    nonisolated let requests: DrainRequests
    private var settings: TraceSettings
    private let index: JournalIndex
    private let ledger: LedgerMemory
    private let log: Logger
    private let isStopping: StopFlag
    private let health: HealthMonitor
    private let metrics: Metrics

    private var retries = RetrySchedule()
    private var problems = OngoingProblems(recovery: "queue entries can be written again")
    private var upkeep = OngoingProblems(recovery: "the queue is being cleaned up again")
    private var bins = OngoingProblems(recovery: "the bin is being emptied again")
    private var due = OngoingProblems(recovery: "what is due in journals can be queued again")
    /// When journals are asked again for what is due in them.
    private var nextLook: ContinuousClock.Instant?
    /// Why entries wait that have not failed, as it was logged.
    private var waits: [FilePath: String] = [:]
    /// How long to leave the queue alone after the last drain.
    private(set) var rest = Duration.zero
    /// The call that has been asked for and has not come yet.
    private var nextCall: ContinuousClock.Instant?

    init(
        settings: TraceSettings, index: JournalIndex, requests: DrainRequests, ledger: LedgerMemory,
        log: Logger, isStopping: StopFlag, health: HealthMonitor, metrics: Metrics
    ) {
        self.settings = settings
        self.index = index
        self.requests = requests
        self.ledger = ledger
        self.log = log
        self.isStopping = isStopping
        self.health = health
        self.metrics = metrics
    }

    /// Continues with other settings.
    func adopt(_ settings: TraceSettings) {
        self.settings = settings
        // The caller belonged to the previous generation.
        nextCall = nil
        nextLook = nil
    }

    /// Writes what waits into the sessions.
    ///
    /// - Returns: The outcome of it; nil if there was nothing to do.
    func drain() -> DrainReport? {
        let start = ContinuousClock.now
        defer {
            rest = Self.rest(after: start.duration(to: .now), leaving: retries.entries.count + waits.count)
        }
        if let nextCall, nextCall <= start { self.nextCall = nil }
        let request = requests.take()
        retries.noteChange(of: request.changed)
        let isDue = retries.nextTry.map { $0 <= start } ?? false
        guard !isStopping.isSet, request.isAsked || isDue else { return nil }
        queueDue(at: start)
        var failures: [RetrySchedule.Failure] = []
        var isUntried = false
        var outcomes: [DrainOutcome] = []
        do {
            let retries = retries
            // One that has begun continues when other settings come: what it has written is reported as written.
            outcomes = try drain().run(
                isDue: { file in retries.isDue(file, at: start) }, behind: retries.heldUp(at: start),
                shouldStop: {
                    health.heartbeat()
                    return isStopping.isSet
                },
                report: { error in
                    failures.append(
                        .init(file: error.location ?? settings.stateDirectory, isEntry: false, error: error))
                })
        } catch {
            let error = error.structured
            failures.append(.init(file: settings.stateDirectory, isEntry: false, error: error))
            isUntried = true
        }
        let spools = failures.map(\.file)
        failures += note(outcomes)
        retries.take(failures, of: start) { file in isUntried || spools.contains { file.lies(in: $0) } }
        problems.update(failing(), log)
        if request.removesOutdated {
            removeOutdated()
            emptyBin()
        }
        return DrainReport(outcomes, failing: retries.sessions, arrivals: request.arrivals)
    }

    /// How long to leave the queue alone after a drain. Each looks at all that waits; where that is much, as on a disk that stays full, and
    /// more arrives one by one, a drain for each arrival would keep a core busy. So it takes a quarter of one at most.
    ///
    /// - Parameters:
    ///   - time: How long the drain took.
    ///   - count: How many entries it has left where they are.
    static func rest(after time: Duration, leaving count: Int) -> Duration {
        count < 1000 ? .zero : min(time * 3, .seconds(5))
    }

    /// When to call (``DrainRequests/call()``) because something is due, if that has not been asked for already.
    func askForCall() -> ContinuousClock.Instant? {
        guard let moment = retries.nextTry else { return nil }
        if let nextCall, nextCall <= moment { return nil }
        nextCall = moment
        return moment
    }

    private func drain() -> Drain {
        var drain = Drain(settings, index)
        drain.ledger = ledger
        drain.lockTimeout = .zero
        drain.onPutBack = log.putBackReport
        drain.onPlaced = { [log] entry, session in
            log.info(
                "kept moment goes to the session that covers it",
                metadata: [
                    "entry": "\(entry.id)", "session": "\(session.path.escaped)",
                    "offset": "\(session.offset)",
                ])
        }
        return drain
    }

    /// Queues what is due in journals because a day is over: at the start of the daemon, then each hour, since days end at any
    /// hour somewhere.
    private func queueDue(at moment: ContinuousClock.Instant) {
        if let nextLook, moment < nextLook { return }
        nextLook = moment + .seconds(3600)
        do {
            let journals = try index.journals(.roots(settings.roots), kinds: Journals.all.otherKinds).filter(
                \.isOnline)
            let zone = try ZoneFiles.rules(configured: settings.timeZone)
            let count = try drain().queueDue(in: journals.map(\.path), zone: zone)
            due.update([:], log)
            if count > 0 { log.info("queued what is due", metadata: ["entries": "\(count)"]) }
        } catch {
            nextLook = nil
            let problem = OngoingProblems.Problem(
                reason: "\(error)", message: "could not queue what is due in journals", error: error)
            due.update([settings.stateDirectory.escaped: [problem]], log)
        }
    }

    /// Erases what has been in the bin long enough.
    private func emptyBin() {
        guard !isStopping.isSet else { return }
        let bin = Bin(
            roots: settings.roots, state: settings.stateDirectory, runtimeDirectory: settings.runtimeDirectory
        )
        var found: [String: [OngoingProblems.Problem]] = [:]
        func note(_ error: any StructuredError, at path: FilePath) {
            found[path.escaped, default: []].append(
                OngoingProblems.Problem(
                    reason: "\(error)", message: "could not empty the bin", error: error))
        }
        do {
            let outcome = try bin.empty(olderThan: settings.binAge)
            for error in outcome.problems where !error.isOfLock {
                note(error, at: error.path ?? settings.stateDirectory)
            }
            if !outcome.erased.isEmpty {
                log.info("erased deleted sessions", metadata: ["sessions": "\(outcome.erased.count)"])
            }
        } catch {
            note(error.structured, at: settings.stateDirectory)
        }
        bins.update(found, log)
    }

    /// Removes what the queue has kept long enough.
    private func removeOutdated() {
        guard !isStopping.isSet else { return }
        do {
            let uploads = try Uploads.removeOutdated(state: settings.stateDirectory, now: Clock.now())
            let removed = try drain().removeOutdated(retention: settings.queueRetention) + uploads
            upkeep.update([:], log)
            guard !removed.isEmpty else { return }
            log.info("removed expired queue entries", metadata: ["files": "\(removed.count)"])
        } catch let error as FileError where error.isOfLock {
            // The next scan comes.
        } catch {
            let problem = OngoingProblems.Problem(
                reason: "\(error)", message: "could not remove expired queue entries",
                error: error)
            upkeep.update([settings.stateDirectory.escaped: [problem]], log)
        }
    }

    // MARK: - The log

    /// Logs what is done with, and counts everything.
    ///
    /// - Returns: What failed.
    private func note(_ outcomes: [DrainOutcome]) -> [RetrySchedule.Failure] {
        var failures: [RetrySchedule.Failure] = []
        var waits: [FilePath: String] = [:]
        for outcome in outcomes {
            let file = outcome.spool.appending(outcome.name)
            switch outcome.result {
            case .failed(let error):
                failures.append(
                    .init(
                        file: file, session: outcome.session, error: error,
                        heldUpFrom: outcome.holdsUp ? outcome.id : nil))
                // Another process has the lock: the entry is as it was.
                if error.isOfLock { continue }
            case .waiting(let reason):
                waits[file] = reason
                if self.waits[file] != reason { log.note(outcome) }
            default: log.note(outcome)
            }
            metrics.note(outcome.result)
        }
        self.waits = waits
        return failures
    }

    /// What has failed and was not written since, by session or, where none is known, by spool.
    private func failing() -> [String: [OngoingProblems.Problem]] {
        let now = ContinuousClock.now
        var places: [String: [String: OngoingProblems.Problem]] = [:]
        for (file, entry) in retries.entries.sorted(by: {
            $0.key.bytes.lexicographicallyPrecedes($1.key.bytes)
        }) {
            let place = (entry.session ?? (entry.isEntry ? file.removingLastComponent() : file)).escaped
            let reason =
                "\(entry.error.report.code ?? "") \((entry.error as? FileError)?.errno?.rawValue ?? 0)"
            var problem =
                places[place]?[reason]
                ?? OngoingProblems.Problem(
                    reason: reason, message: entry.isEntry ? "queue entry" : "could not drain the queue",
                    metadata: ["result": "failed", "reason": "\(entry.error)", "path": "\(place)"],
                    level: entry.error.level(after: entry.firstTry.duration(to: now)))
            if let session = entry.session { problem.metadata["session"] = "\(session.escaped)" }
            if entry.isEntry {
                problem.entryCount += 1
                if problem.entryCount == 1 { problem.metadata["entry"] = "\(file.stem ?? "")" }
            }
            problem.count = max(problem.count, entry.tryCount)
            places[place, default: [:]][reason] = problem
        }
        return places.mapValues { Array($0.values) }
    }
}

extension StructuredError {
    /// How much a person should know of a failure: somebody holds a lock now and then, and soon lets go.
    fileprivate func level(after time: Duration) -> Logger.Level {
        guard isOfLock else { return .error }
        return time < DirectoryLock.defaultTimeout ? .debug : .warning
    }
}

extension Logger {
    /// The outcome of an entry of the queue.
    func note(_ outcome: DrainOutcome) {
        let level: Logger.Level =
            switch outcome.result {
            case .applied: .info
            case .alreadyApplied, .removed, .dropped, .waiting: .debug
            case .recordVanished, .conflict, .changedMeanwhile, .rejected: .warning
            case .failed: .error
            }
        note(
            outcome.id, outcome.result, outcome.session, level,
            mayQuote: outcome.entry.map { !$0.kind.isOfSession } ?? true)
    }

    /// - Parameter mayQuote: Whether a refusal may quote what a person wrote: the log has no such texts.
    func note(
        _ entry: ULID, _ result: DrainOutcome.Result, _ session: FilePath?, _ level: Logger.Level,
        mayQuote: Bool = false
    ) {
        var metadata: Logger.Metadata = ["entry": "\(entry)", "result": "\(result.name)"]
        if let session { metadata["session"] = "\(session.escaped)" }
        switch result {
        case .rejected where mayQuote, .conflict where mayQuote:
            metadata["reason"] = "see 'trace queue show \(entry)'"
        default: if let reason = result.reason { metadata["reason"] = "\(reason)" }
        }
        log(level: level, "queue entry", metadata: metadata)
    }
}
