internal import Journals
internal import Logging
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// Keeps the index equal to the files: the same way that every command takes, made continuous.
///
/// Owns the index, and puts the parts together that know what is to be done: event → dirty session → look at its files →
/// index. Its work blocks, so it runs on a thread of its own.
actor Reconciler {
    private let executor = WorkerExecutor(label: "traced.reconciler")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private(set) var settings: TraceSettings
    let index: JournalIndex
    let log: Logger
    /// Whether running work should end: for good, or for a new generation with other settings, which scans everything.
    let isGenerationOver: @Sendable () -> Bool
    let metrics: Metrics
    let health: HealthMonitor
    /// By which the queue is asked for a drain.
    let requests: DrainRequests
    /// What is known of the ledger, for all in the daemon that ask it.
    let ledger = LedgerMemory()

    var roots: RootTracker
    var dirty: DirtySessions
    var unsettled: UnsettledSessions
    var awaited: AwaitedSessions
    var missing: MissingRecords
    var polling: Polling
    var backfill: SearchBackfill
    var schedule: TickSchedule
    var status: StatusAnnouncer
    var failures: FailureLog
    var linked = LinkedSessions()
    /// Who asks what is in the index.
    let barriers: Barriers
    /// What reports events to those who follow.
    let events: EventHub

    /// Has the watcher compare its watches with the directories.
    private(set) var verifyWatches: @Sendable () -> Void = {}
    private var findings = FindingCounts()
    /// When this began, in seconds since 1970.
    private let started = Double(Clock.now().milliseconds) / 1000
    /// How many records were read since memory was given back.
    private var readCount = 0

    /// - Throws: ``IndexError``.
    init(
        settings: TraceSettings, log: Logger, isGenerationOver: @escaping @Sendable () -> Bool,
        instance: InstanceLock, health: HealthMonitor, metrics: Metrics, requests: DrainRequests,
        barriers: Barriers = Barriers(), events: EventHub = EventHub()
    ) throws {
        self.settings = settings
        self.log = log
        self.isGenerationOver = isGenerationOver
        self.health = health
        self.metrics = metrics
        self.requests = requests
        self.barriers = barriers
        self.events = events
        index = try JournalIndex(at: settings.indexDatabase, formats: Journals.all, work: health.work)
        let now = ContinuousClock.now
        roots = RootTracker(settings.roots)
        dirty = DirtySessions(quietPeriod: settings.quietPeriod, maximumWait: settings.maximumWait)
        unsettled = UnsettledSessions(settleTime: settings.settleTime)
        let unplaced = QueueDirectories(settings).unplaced
        awaited = AwaitedSessions(requests) { unplaced.contains { ((try? $0.count) ?? 0) > 0 } }
        missing = MissingRecords(index, log, metrics, ledger: ledger)
        polling = Polling(at: now)
        backfill = SearchBackfill(at: now)
        schedule = TickSchedule(reconcileInterval: settings.reconcileInterval, at: now)
        status = StatusAnnouncer(instance, at: now)
        failures = FailureLog(log)
    }

    /// Begins to keep time.
    ///
    /// - Parameter verify: Has the watcher compare its watches with the directories; called with every full scan.
    func start(verifying verify: @escaping @Sendable () -> Void) -> ContinuousClock.Instant? {
        verifyWatches = verify
        return handleDue()
    }

    /// Continues with other settings, for a watcher that is set up again; a full scan is to follow.
    func adopt(_ settings: TraceSettings) {
        self.settings = settings
        roots.adopt(settings.roots)
        dirty = DirtySessions(quietPeriod: settings.quietPeriod, maximumWait: settings.maximumWait)
        unsettled.adopt(settleTime: settings.settleTime)
        // The new watcher says what it can't watch.
        polling = Polling(at: .now)
        schedule.adopt(reconcileInterval: settings.reconcileInterval)
        announce()
    }

    /// Tells other processes that the first scan is done.
    ///
    /// - Returns: How many sessions are known.
    func announceReady() -> Int {
        status.noteReady()
        announce()
        return roots.sessions.count
    }

    /// Tells others what is polled.
    func announce() { status.announce(settings.roots, polling.unwatched, at: .now) }

    /// Takes over what a drain has done.
    ///
    /// - Returns: When ``tick(due:)`` is to be called, if a call is not on its way already.
    func note(_ report: DrainReport) -> ContinuousClock.Instant? {
        awaited.noteFailing(in: report)
        missing.noteApplied(to: report.applied)
        for session in report.written where !isGenerationOver() { reconcile(journal: session) }
        awaited.noteWaiting(in: report) { id(of: $0) }
        return handleDue()
    }

    /// The id of the session in a directory, as the index knows it.
    func id(of session: FilePath) -> ULID? { try? index.journalID(at: session) }

    // MARK: - Health

    /// Whether the thread of the index lives and the database answers.
    func probe() {
        do {
            try index.probe()
            health.answered(.database)
        } catch let error as IndexError where error.code == .busy {
            health.failed(.database, error.message)
        } catch {
            // It did answer; the error is reported where it matters.
            health.answered(.database)
        }
    }

    /// Writes the metrics to their file; told once where that fails.
    ///
    /// - Parameters:
    ///   - release: The version that runs.
    ///   - watchedCount: Directories that are watched.
    func writeMetrics(release: String, watchedCount: Int) {
        guard let path = settings.metricsFile else { return }
        attempt("write the metrics", path) {
            let text = metricsText(release: release, watchedCount: watchedCount)
            try VolatileFile.replace(path, with: Array(text.utf8), mode: 0o644)
        }
    }

    /// The metrics of this moment in Prometheus' text format.
    ///
    /// - Parameter showsPlaces: Whether they name paths of this machine.
    func metricsText(release: String, watchedCount: Int, showsPlaces: Bool = true) -> String {
        var snapshot = snapshot(release: release, watchedCount: watchedCount)
        snapshot.showsPlaces = showsPlaces
        return PrometheusText(snapshot).text
    }

    private func snapshot(release: String, watchedCount: Int) -> MetricsSnapshot {
        let counts = metrics.now
        let queue = QueueDirectories(settings)
        return MetricsSnapshot(
            release: release, started: started, counts: counts,
            journals: (try? index.counts(below: settings.roots)) ?? [:], watchedCount: watchedCount,
            polledCount: polling.unwatched.count,
            spools: queue.spools.compactMap { try? $0.depth() },
            refusedCount: (try? Spool(queue.failed).files().count) ?? 0,
            findings: findings.counts(at: counts.newsCount) { try index.findingCounts() })
    }

    // MARK: - Memory

    /// Counts records that were read.
    func noteRead(_ count: Int) { readCount += count }

    /// Whether so many records were read that their memory is worth giving back.
    var hasReadMuch: Bool { readCount > Self.manyRecords }

    private static let manyRecords = 10_000

    /// Gives back the memory that reading many records, or looking at many sessions, has taken.
    func releaseMemory() {
        readCount = 0
        index.releaseMemory()
        ProcessMemory.trim()
    }

    // MARK: - Failures

    /// A failure of one session is recorded, once, and everything else continues.
    ///
    /// - Returns: Whether it did not fail.
    @discardableResult
    func attempt(_ what: String, _ path: FilePath, _ body: () throws -> Void) -> Bool {
        defer { drainNotices() }
        do {
            try body()
            failures.noteSuccess(path)
            return true
        } catch {
            failures.note(what, path, error)
            return false
        }
    }

    /// An index that was rebuilt, because it was damaged, has no rows until everything is read again.
    func drainNotices() {
        for note in index.drainNotices() {
            log.warning("\(note)")
            schedule.noteNewIndex()
        }
    }
}
