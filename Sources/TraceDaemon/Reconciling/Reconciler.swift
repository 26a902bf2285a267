internal import Logging
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFormat
internal import TraceIndex
internal import TraceStore
internal import TraceWatch

/// Keeps the index equal to the files and the spools empty: the same road that every command takes, made
/// continuous.
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
    private let pulse: Pulse
    private let instance: InstanceLock

    private(set) var sessions: Set<FilePath> = []
    var dirty: DirtySessions
    /// When the first event came of what is dirty.
    var firstEvents: [FilePath: ContinuousClock.Instant] = [:]
    var spoolsAreDirty = false
    /// Sessions into which the queue has been written since they came to rest.
    var applied: Set<FilePath> = []
    /// Entries whose records are gone from their session, as they were told.
    var vanished: [FilePath: Set<ULID>] = [:]
    /// How often each rule is broken, and when that was counted (``Metrics/Counts/newsCount``).
    var findings: (news: Int, counts: [(rule: String, severity: String, count: Int)])?
    /// When this began, in seconds since 1970.
    let started = Double(Clock.nanoseconds() / 1_000_000) / 1000
    private var indexIsNew = false
    private var indexLook = ContinuousClock.Instant.now
    private var lastPoll = ContinuousClock.Instant.now
    private var lastScan = ContinuousClock.Instant.now
    private var verifyWatches: @Sendable () -> Void = {}
    var unwatched = UnwatchedDirectories()
    /// Roots that have been told as offline.
    private var offline: Set<FilePath> = []
    private var isReady = false
    /// What failed last about the index, or about a path, so that it is told once.
    private var failures: [FilePath: String] = [:]
    /// How many records were read since memory was given back.
    private var readCount = 0
    /// Sessions that were not at rest when they were looked at, and when to look again.
    var unsettled: [FilePath: ContinuousClock.Instant] = [:]
    /// When more of the search text is filled in; nil while it does not lag.
    private var searchFill: ContinuousClock.Instant? = .now + searchPause
    /// Whether so much of it was filled in that its memory is worth giving back.
    private var hasFilledMuch = false
    /// The tick that has been asked for and has not come yet.
    private var nextTick: ContinuousClock.Instant?

    /// - Throws: ``IndexError``.
    init(
        settings: TraceSettings, log: Logger, isStopping: StopFlag,
        isRoundOver: @escaping @Sendable () -> Bool, instance: InstanceLock, pulse: Pulse, metrics: Metrics
    ) throws {
        self.settings = settings
        self.log = log
        self.isStopping = isStopping
        self.isRoundOver = isRoundOver
        self.instance = instance
        self.pulse = pulse
        self.metrics = metrics
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

    func announce() {
        let partial = settings.roots.compactMap { root in
            unwatched.watching(of: root).map { (root.escaped, $0) }
        }
        instance.announce { status in
            status.isReady = isReady
            status.polledCount = Int64(unwatched.count)
            status.problem = unwatched.problem
            status.partial = Dictionary(partial) { first, _ in first }
        }
    }

    /// Goes on with other settings, for a watcher that is set up anew; a full scan is to follow.
    func adopt(_ settings: TraceSettings) {
        self.settings = settings
        dirty = DirtySessions(quietPeriod: settings.quietPeriod, maximumWait: settings.maximumWait)
        // The new watcher tells what it can't watch, and the scan finds the rest.
        unwatched = UnwatchedDirectories()
        offline = []
        firstEvents = [:]
        // Whoever was to call went with the old watcher.
        nextTick = nil
        sessions = sessions.filter { root(of: $0) != nil }
        spoolsAreDirty = true
        announce()
    }

    // MARK: - Health

    /// Says that long work goes on.
    func beat() { pulse.beat() }

    /// Says that a search for sessions goes on; it ends with the round.
    func endsSearch() -> Bool {
        beat()
        return isRoundOver()
    }

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

    // MARK: - Scanning: the truth

    /// Looks at everything below the roots, then at the spools.
    func reconcileAll() {
        let start = ContinuousClock.now
        defer { lastScan = .now }
        indexIsNew = false
        for root in settings.roots where !isRoundOver() { reconcile(root: root) }
        pulse.scan = nil
        drain()
        removeOutdatedEntries()
        releaseMemory()
        // A scan that was left is none.
        guard !isRoundOver() else { return }
        metrics.noteScan(took: start.duration(to: .now))
        log.debug(
            "reconciled", metadata: ["sessions": "\(sessions.count)", "took": "\(start.milliseconds)ms"])
    }

    func reconcile(root: FilePath) {
        var state: IndexedRoot.State?
        attempt("look for the root", root) { state = try index.visit(root: root) }
        if state == .offline { return tellOffline(root) }
        if state != nil, offline.remove(root) != nil {
            log.notice("root is back", metadata: ["root": "\(root.escaped)"])
        }
        var unreadable: [StoreError] = []
        let search = SessionFinder.sessions(in: root, shouldStop: endsSearch) { unreadable.append($0) }
        guard let found = search else { return }
        for error in unreadable {
            log.warning("\(error.message)", metadata: ["path": "\(error.path?.escaped ?? "")"])
        }
        reconcile(sessions: found, in: root)
        // What lies below a directory that can't be read now is not gone.
        guard unreadable.isEmpty, !isRoundOver() else { return }
        let kept = Set(found)
        attempt("forget sessions that are gone", root) { _ = try index.retain(sessions: kept, in: root) }
        sessions = sessions.filter { kept.contains($0) || !$0.lies(in: root) }
    }

    /// Looks at many sessions: those that are as the index knows them, and at rest, cost a few `stat` each.
    private func reconcile(sessions found: [FilePath], in root: FilePath) {
        var next = 0
        while next < found.count, !isRoundOver() {
            pulse.scan = Pulse.Scan(done: next, total: found.count)
            pulse.beat()
            let part = Array(found[next...].prefix(Self.partSize))
            next += part.count
            var changed = part
            attempt("compare with the files", root) { changed = try index.outdated(among: part, in: root) }
            sessions.formUnion(Set(part).subtracting(changed))
            // All of a large file that grew is compared, for one that never rests would never be otherwise.
            reconcileTogether(changed[...]) { rest in
                if !isReady { pulse.scan = Pulse.Scan(done: next - rest, total: found.count) }
            }
        }
    }

    /// How many sessions are compared before the end of the round is heeded.
    private static let partSize = 64

    /// Once, until the root is back.
    private func tellOffline(_ root: FilePath) {
        guard offline.insert(root).inserted else { return }
        log.warning("root is offline", metadata: ["root": "\(root.escaped)"])
    }

    func setOffline(_ root: FilePath) {
        tellOffline(root)
        attempt("mark the root offline", root) { try index.setRoot(root, state: .offline) }
    }

    /// - Parameter progress: Is told now and then how many are left.
    private func reconcileTogether(_ sessions: ArraySlice<FilePath>, progress: (Int) -> Void = { _ in }) {
        var rest = sessions
        while !rest.isEmpty, !isRoundOver() {
            pulse.beat()
            progress(rest.count)
            let changes = index.reconcile(
                first: rest, in: root(of:), settleTime: settings.settleTime, verification: .thorough)
            for (session, change) in zip(rest, changes) { take(session) { try change.get() } }
            rest = rest.dropFirst(changes.count)
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
    private func take(_ session: FilePath, _ look: () throws -> SessionReconciliation) -> Bool {
        unsettled[session] = nil
        let firstEvent = firstEvents.removeValue(forKey: session)
        var isNew = false
        let isDone = attempt("index", session) {
            let change = try look()
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
            if let firstEvent { metrics.noteLag(firstEvent.duration(to: .now)) }
            guard change.outcome != .unchanged else { return }
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
        return isNew
    }

    /// How long what failed is left alone, such as an index whose disk is full.
    private static let retryPause = Duration.seconds(5)

    /// Gives back the memory that reading many records, or looking at many sessions, has taken.
    private func releaseMemory() {
        readCount = 0
        index.releaseMemory()
        FreeMemory.giveBack()
    }

    private static let manyRecords = 10_000

    /// Beyond the settle time, so that a file is surely seen as resting.
    static let settleMargin = Duration.milliseconds(100)

    func root(of path: FilePath) -> FilePath? {
        settings.roots.filter { path.lies(in: $0) }.max { $0.length < $1.length }
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
            failures[settings.indexDatabase] = nil
            return true
        } catch let error as IndexError where error.code == .interrupted {
            return false
        } catch {
            // What is wrong with the index is the same for all sessions.
            let culprit = error is IndexError ? settings.indexDatabase : path
            let isNews = failures.updateValue("\(error)", forKey: culprit) != "\(error)"
            log.log(
                level: isNews ? .error : .debug, "could not \(what): \(error)",
                metadata: ["path": "\(path.escaped)"])
            return false
        }
    }

    /// An index that was made anew, because it was damaged, has no rows until everything is read again.
    private func takeNotes() {
        for note in index.takeNotes() {
            log.warning("\(note)")
            indexIsNew = true
        }
    }

    // MARK: - Time

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
        if appeared || spoolsAreDirty { drain() }
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

    // MARK: - The search text

    /// How long nothing must have changed before the search text is filled in: offsets answer first.
    private static let searchPause = Duration.milliseconds(500)
    /// So few lines that a change that comes in between does not wait.
    private static let searchLines = 1000

    private func fillSearch() {
        searchFill = nil
        let isDone = attempt("fill in the search text", settings.indexDatabase) {
            if try !index.fillSearch(lines: Self.searchLines) {
                searchFill = .now + .milliseconds(2)
                hasFilledMuch = true
            } else if hasFilledMuch {
                hasFilledMuch = false
                releaseMemory()
            }
        }
        if !isDone { searchFill = .now + Self.retryPause }
    }
}

extension ContinuousClock.Instant {
    /// Whole milliseconds from this moment until now, for the log.
    fileprivate var milliseconds: Int64 { Int64((duration(to: .now) / .milliseconds(1)).rounded()) }
}
