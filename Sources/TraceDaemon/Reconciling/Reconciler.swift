internal import TraceLibrary
internal import Logging
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceStore

/// Keeps the index equal to the files: the same road that every command takes, made continuous.
///
/// Owns the index. Its work blocks, so it runs on a thread of its own.
actor Reconciler {
    private let executor = WorkerExecutor(label: "traced.reconciler")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private(set) var settings: TraceSettings
    let index: SessionIndex
    let log: Logger
    let isStopping: StopFlag
    /// Whether what is under way is to be left: for good, or for a round with other settings, which scans everything.
    let isRoundOver: @Sendable () -> Bool
    let metrics: Metrics
    let pulse: Pulse
    private let instance: InstanceLock

    /// The sessions that are known.
    var sessions: Set<FilePath> = []
    var dirty: DirtySessions
    /// When the first event came of what is dirty.
    var firstEvents: [FilePath: ContinuousClock.Instant] = [:]
    /// By which the queue is asked for a drain.
    let requests: DrainRequests
    /// Sessions with entries of the queue that failed, and ids of sessions for which entries wait.
    var failing: Set<FilePath> = []
    var awaited: Set<ULID> = []
    /// Sessions into which the queue has been written since they came to rest.
    var applied: Set<FilePath> = []
    /// Entries whose records are gone from their session, as they were told.
    var vanished: [FilePath: Set<ULID>] = [:]
    /// Records that another program has overwritten, as they were reported.
    var lost: [FilePath: Set<ULID>] = [:]
    /// The journals of `trace undo` as they were when they were read last, and the sessions that they name.
    var journals: (state: [FileIdentity], sessions: Set<ULID>)?
    /// How often each rule is broken, and when that was counted (``Metrics/Counts/newsCount``).
    var findings: (news: Int, counts: [(rule: String, severity: String, count: Int)])?
    /// When this began, in seconds since 1970.
    let started = Double(Clock.now().milliseconds) / 1000
    /// Whether the index was made anew, so that everything must be read again.
    var indexIsNew = false
    /// When the file of the index was looked at last.
    var indexLook = ContinuousClock.Instant.now
    var lastScan = ContinuousClock.Instant.now
    var verifyWatches: @Sendable () -> Void = {}
    var unwatched = UnwatchedDirectories()
    var polling = Polling()
    /// What can't be read below each root.
    var unreadable: [FilePath: OngoingProblems] = [:]
    /// When others may be told again what is polled; nil while they know.
    var nextAnnouncement: ContinuousClock.Instant?
    private var lastAnnouncement = ContinuousClock.Instant.now - announcementPause
    /// Roots that have been told as offline.
    var offline: Set<FilePath> = []
    private(set) var isReady = false
    /// What failed last about a path, and about the index, so that it is told once.
    private(set) var failures: [FilePath: String] = [:]
    private var indexFailure: String?
    /// How many records were read since memory was given back.
    var readCount = 0
    /// Sessions that were not at rest when they were looked at, and when to look again.
    var unsettled: [FilePath: ContinuousClock.Instant] = [:]
    /// When more of the search text is filled in; nil while it does not lag.
    var searchFill: ContinuousClock.Instant? = .now + searchPause
    /// Whether so much of it was filled in that its memory is worth giving back.
    var hasFilledMuch = false
    /// The tick that has been asked for and has not come yet.
    var nextTick: ContinuousClock.Instant?

    /// - Throws: ``IndexError``.
    init(
        settings: TraceSettings, log: Logger, isStopping: StopFlag,
        isRoundOver: @escaping @Sendable () -> Bool, instance: InstanceLock, pulse: Pulse, metrics: Metrics,
        requests: DrainRequests
    ) throws {
        self.settings = settings
        self.log = log
        self.isStopping = isStopping
        self.isRoundOver = isRoundOver
        self.instance = instance
        self.pulse = pulse
        self.metrics = metrics
        self.requests = requests
        index = try SessionIndex(at: settings.indexDatabase, work: pulse.work)
        dirty = DirtySessions(quietPeriod: settings.quietPeriod, maximumWait: settings.maximumWait)
    }

    /// Tells other processes that the first scan is done.
    ///
    /// - Returns: How many sessions are known.
    func announceReady() -> Int {
        isReady = true
        announce()
        return sessions.count
    }

    /// Tells others what is polled, but not for each of thousands of directories.
    func announceSoon() {
        if lastAnnouncement + Self.announcementPause <= .now { return announce() }
        nextAnnouncement = nextAnnouncement ?? lastAnnouncement + Self.announcementPause
    }

    private static let announcementPause = Duration.milliseconds(200)

    func announce() {
        nextAnnouncement = nil
        lastAnnouncement = .now
        let partial = settings.roots.compactMap { root in
            unwatched.watching(of: root).map { (root.escaped, $0) }
        }
        instance.announce { status in
            status.isReady = isReady
            status.polledCount = Int64(unwatched.count)
            status.problem = unwatched.problem
            status.watch(settings.roots)
            status.partial = Dictionary(partial) { first, _ in first }
        }
    }

    /// Goes on with other settings, for a watcher that is set up anew; a full scan is to follow.
    func adopt(_ settings: TraceSettings) {
        self.settings = settings
        dirty = DirtySessions(quietPeriod: settings.quietPeriod, maximumWait: settings.maximumWait)
        // The new watcher tells what it can't watch, and the scan finds the rest.
        unwatched = UnwatchedDirectories()
        polling = Polling()
        unreadable = [:]
        offline = []
        firstEvents = [:]
        // Whoever was to call went with the old watcher.
        nextTick = nil
        sessions = sessions.filter { root(of: $0) != nil }
        announce()
    }

    // MARK: - Health

    /// Says that long work goes on.
    func beat() { pulse.beat() }

    /// Whether the thread of the index lives and the database answers.
    func probe() {
        do {
            try index.probe()
            pulse.answered(.database)
        } catch let error as IndexError where error.code == .busy {
            pulse.failed(.database, error.message)
        } catch {
            // It does answer; what it says is told where it matters.
            pulse.answered(.database)
        }
    }

    /// Gives back the memory that reading many records, or looking at many sessions, has taken.
    func releaseMemory() {
        readCount = 0
        index.releaseMemory()
        FreeMemory.giveBack()
    }

    /// The root below which a path lies.
    func root(of path: FilePath) -> FilePath? { SessionRoots(settings.roots).root(of: path) }

    /// What compares the index with everything below a root.
    var scanner: RootScanner {
        RootScanner(index, roots: SessionRoots(settings.roots), settleTime: settings.settleTime)
    }

    /// A failure of one session is recorded, once, and everything else goes on.
    ///
    /// - Returns: Whether it did not fail.
    @discardableResult
    func attempt(_ what: String, _ path: FilePath, _ body: () throws -> Void) -> Bool {
        defer { takeNotes() }
        do {
            try body()
            failures[path] = nil
            return true
        } catch let error as IndexError where error.code == .interrupted {
            return false
        } catch {
            let isNews: Bool
            if error is IndexError {
                // What is wrong with the index is the same for all sessions.
                isNews = indexFailure != "\(error)"
                indexFailure = "\(error)"
            } else {
                isNews = failures.updateValue("\(error)", forKey: path) != "\(error)"
            }
            log.log(
                level: isNews ? .error : .debug, "could not \(what)", error: error,
                metadata: ["path": "\(path.escaped)"])
            return false
        }
    }

    /// The index has been written: what was wrong with it is over. That it could be read says nothing of a full disk.
    func noteIndexWritten() {
        guard indexFailure != nil else { return }
        indexFailure = nil
        log.notice("the index can be written again")
    }

    /// An index that was made anew, because it was damaged, has no rows until everything is read again.
    func takeNotes() {
        for note in index.takeNotes() {
            log.warning("\(note)")
            indexIsNew = true
        }
    }
}
