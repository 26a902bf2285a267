internal import Logging
internal import Synchronization
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

    private let settings: TraceSettings
    private let queue: QueueDirectories
    private let index: SessionIndex
    private let log: Logger
    private let isStopping: StopFlag
    private let instance: InstanceLock

    private var sessions: Set<FilePath> = []
    private var dirty: DirtySessions
    private var spoolsAreDirty = false
    /// Sessions into which the queue has been written since they came to rest.
    private var applied: Set<FilePath> = []
    /// Entries whose records are gone from their session, as they were told.
    private var vanished: [FilePath: Set<ULID>] = [:]
    private var indexIsNew = false
    private var indexLook = ContinuousClock.Instant.now
    private var lastPoll = ContinuousClock.Instant.now
    private var lastScan = ContinuousClock.Instant.now
    private var verifyWatches: @Sendable () -> Void = {}
    private var unwatched = UnwatchedDirectories()
    private var isReady = false
    /// What failed last about the index, or about a path, so that it is told once.
    private var failures: [FilePath: String] = [:]
    /// How many records were read since memory was given back.
    private var readCount = 0
    /// Sessions that were not at rest when they were looked at, and when to look again.
    private var unsettled: [FilePath: ContinuousClock.Instant] = [:]
    /// When more of the search text is filled in; nil while it does not lag.
    private var searchFill: ContinuousClock.Instant? = .now + searchPause
    /// The tick that has been asked for and has not come yet.
    private var nextTick: ContinuousClock.Instant?

    /// - Throws: ``IndexError``.
    init(settings: TraceSettings, log: Logger, isStopping: StopFlag, instance: InstanceLock) throws {
        self.settings = settings
        self.log = log
        self.isStopping = isStopping
        self.instance = instance
        queue = QueueDirectories(state: settings.stateDirectory, spools: Array(settings.spools.dropFirst()))
        index = try SessionIndex(at: settings.indexDatabase)
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

    private func announce() {
        try? instance.announce(
            isReady: isReady, polledCount: unwatched.count, problem: unwatched.problem,
            partial: settings.roots.compactMap { root in unwatched.watching(of: root).map { (root, $0) } })
    }

    // MARK: - Scanning: the truth

    /// Looks at everything below the roots, then at the spools.
    func reconcileAll() {
        let start = ContinuousClock.now
        defer { lastScan = .now }
        indexIsNew = false
        for root in settings.roots where !isStopping.isSet { reconcile(root: root) }
        drain()
        removeOutdatedEntries()
        releaseMemory()
        log.debug(
            "reconciled", metadata: ["sessions": "\(sessions.count)", "took": "\(start.milliseconds)ms"])
    }

    private func reconcile(root: FilePath) {
        var state: IndexedRoot.State?
        attempt("look for the root", root) { state = try index.visit(root: root) }
        if state == .offline {
            log.warning("root is offline", metadata: ["root": "\(root.escaped)"])
            return
        }
        var unreadable: [StoreError] = []
        let found = SessionFinder.sessions(in: root) { unreadable.append($0) }
        for error in unreadable {
            log.warning("\(error.message)", metadata: ["path": "\(error.path?.escaped ?? "")"])
        }
        reconcile(sessions: found, in: root)
        // What lies below a directory that can't be read now is not gone.
        guard unreadable.isEmpty, !isStopping.isSet else { return }
        let kept = Set(found)
        attempt("forget sessions that are gone", root) { _ = try index.retain(sessions: kept, in: root) }
        sessions = sessions.filter { kept.contains($0) || !$0.lies(in: root) }
    }

    /// Looks at many sessions: those that are as the index knows them, and at rest, cost a few `stat` each.
    private func reconcile(sessions found: [FilePath], in root: FilePath) {
        var next = 0
        while next < found.count, !isStopping.isSet {
            let part = Array(found[next...].prefix(Self.partSize))
            next += part.count
            var changed = part
            attempt("compare with the files", root) { changed = try index.outdated(among: part, in: root) }
            sessions.formUnion(Set(part).subtracting(changed))
            // All of a large file that grew is compared, for one that never rests would never be otherwise.
            reconcileTogether(changed[...])
        }
    }

    /// How many sessions are compared before a request to stop is heeded.
    private static let partSize = 256

    private func setOffline(_ root: FilePath) {
        log.warning("root is offline", metadata: ["root": "\(root.escaped)"])
        attempt("mark the root offline", root) { try index.setRoot(root, state: .offline) }
    }

    private func reconcileTogether(_ sessions: ArraySlice<FilePath>) {
        var rest = sessions
        while !rest.isEmpty, !isStopping.isSet {
            let changes = index.reconcile(
                first: rest, in: root(of:), settleTime: settings.settleTime, verification: .thorough)
            for (session, change) in zip(rest, changes) { take(session) { try change.get() } }
            rest = rest.dropFirst(changes.count)
        }
    }

    /// - Parameter verification: How much of a large file that grew is compared with what was read before.
    /// - Returns: Whether the session is new to the index.
    @discardableResult
    private func reconcile(session: FilePath, verification: Verification = .quick) -> Bool {
        guard let root = root(of: session) else { return false }
        let used = Clock.threadTime()
        defer {
            // A thorough look comes once after a rest: it says nothing of what the next append costs.
            if verification == .quick {
                dirty.handled(session, at: .now, cost: Clock.threadTime() - used)
            }
        }
        return take(session) {
            try index.reconcile(
                session: session, in: root, settleTime: settings.settleTime, verification: verification)
        }
    }

    /// Notes what a look at a session's files has found.
    ///
    /// - Returns: Whether the session is new to the index.
    @discardableResult
    private func take(_ session: FilePath, _ look: () throws -> SessionReconciliation) -> Bool {
        unsettled[session] = nil
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
            guard change.outcome != .unchanged else { return }
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
    private static let settleMargin = Duration.milliseconds(100)

    private func root(of path: FilePath) -> FilePath? {
        settings.roots.filter { path.lies(in: $0) }.max { $0.length < $1.length }
    }

    /// A failure of one session is recorded, once, and everything else goes on.
    ///
    /// - Returns: Whether it did not fail.
    @discardableResult
    private func attempt(_ what: String, _ path: FilePath, _ body: () throws -> Void) -> Bool {
        defer { takeNotes() }
        do {
            try body()
            failures[path] = nil
            failures[settings.indexDatabase] = nil
            return true
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

    // MARK: - Events: hints

    /// Takes an event, and handles what is due.
    ///
    /// - Returns: When ``tick(due:)`` is to be called, if a call is not on its way already.
    func handle(_ event: WatchEvent) -> ContinuousClock.Instant? {
        let now = ContinuousClock.now
        switch event {
        case .changed(let directory, let name, let change, _):
            note(change, of: name, in: directory, at: now)
        case .directoryAppeared(let directory): note(appeared: directory, at: now)
        case .directoryVanished(let directory): note(vanished: directory, at: now)
        case .rescan(let reason):
            log.notice("scanning everything again", metadata: ["reason": "\(reason)"])
            reconcileAll()
        case .unwatched(let directory, let error):
            let isNews = unwatched.insert(directory, error)
            log.log(
                level: isNews ? .warning : .debug, "not watched, but polled: \(error)",
                metadata: ["path": "\(directory.escaped)"])
            announce()
        case .watchedAgain(let directory):
            unwatched.remove(atOrBelow: directory)
            if unwatched.count == 0 { log.notice("everything is watched again") }
            announce()
        }
        return handleDue()
    }

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
        guard unwatched.count > 0, lastPoll + Self.pollInterval <= .now else { return }
        lastPoll = .now
        for directory in unwatched.directories {
            let known = sessions.filter { $0.lies(in: directory) }
            for session in known.union(SessionFinder.sessions(in: directory)) where isSearched(session) {
                dirty.add(session, at: .now)
            }
            if let session = enclosingSession(of: directory) { dirty.add(session, at: .now) }
            if isSpool(directory) { spoolsAreDirty = true }
        }
    }

    /// How often directories that inotify can't serve are looked at.
    private static let pollInterval = Duration.seconds(5)

    private func note(
        _ change: WatchEvent.Change, of name: FilePath.Component, in directory: FilePath,
        at now: ContinuousClock.Instant
    ) {
        if isSpool(directory) {
            spoolsAreDirty = spoolsAreDirty || TemporaryName.isForeign(name)
        } else if SessionFinder.isHeader(name) {
            if isSearched(directory) { dirty.add(directory, at: now) }
        } else if sessions.contains(directory) {
            if SessionNames.matter(name) {
                dirty.add(directory, at: now)
            } else if change.isOfNames, unsettled[directory] == nil {
                // Nothing to hurry about, but the directory is another than the one that was looked at.
                unsettled[directory] = now + settings.settleTime + Self.settleMargin
            }
        } else if let session = enclosingSession(of: directory) {
            dirty.add(session, at: now)
        }
    }

    private func note(appeared directory: FilePath, at now: ContinuousClock.Instant) {
        if isSpool(directory) { spoolsAreDirty = true }
        if settings.roots.contains(directory) {
            reconcile(root: directory)
            spoolsAreDirty = true
        } else if isSearched(directory),
            sessions.contains(directory) || (try? SessionNames.isSession(directory)) == true
        {
            dirty.add(directory, at: now)
        }
        noteAbove(directory, at: now)
    }

    private func note(vanished directory: FilePath, at now: ContinuousClock.Instant) {
        unwatched.remove(atOrBelow: directory)
        if settings.roots.contains(directory) { return setOffline(directory) }
        for session in sessions where session.lies(in: directory) { dirty.add(session, at: now) }
        noteAbove(directory, at: now)
    }

    /// What comes or goes in a session's directory changes that directory too.
    private func noteAbove(_ directory: FilePath, at now: ContinuousClock.Instant) {
        if let session = enclosingSession(of: directory.removingLastComponent()) { dirty.add(session, at: now) }
    }

    /// Whether a search of the roots comes to a directory; the private ones of sync tools are left out.
    private func isSearched(_ directory: FilePath) -> Bool {
        root(of: directory).map { SessionFinder.searches(directory, below: $0) } ?? false
    }

    private func isSpool(_ directory: FilePath) -> Bool { settings.spools.contains(directory) }

    /// The known session in which a directory lies, such as that of a `media/`.
    private func enclosingSession(of directory: FilePath) -> FilePath? {
        guard let root = root(of: directory) else { return nil }
        var path = directory
        while !sessions.contains(path) {
            if path == root || !path.removeLastComponent() { return nil }
        }
        return path
    }

    private func handleDue() -> ContinuousClock.Instant? {
        lookAtIndex(every: Self.busyLook)
        if lastScan + settings.reconcileInterval <= .now {
            reconcileAll()
            verifyWatches()
        } else if indexIsNew {
            reconcileAll()
        }
        poll()
        var appeared = false
        for session in dirty.takeDue(at: .now) where !isStopping.isSet {
            appeared = reconcile(session: session) || appeared
        }
        let now = ContinuousClock.now
        reconcileTogether(unsettled.filter { $0.value <= now }.map(\.key)[...])
        if readCount > Self.manyRecords { releaseMemory() }
        // A session that appears drains what waited for it.
        if appeared || spoolsAreDirty { drain() }
        if let moment = searchFill, moment <= .now, !isStopping.isSet { fillSearch() }
        return askForTick()
    }

    /// When something is due next, if that has not been asked for already.
    private func askForTick() -> ContinuousClock.Instant? {
        var deadline = min(lastScan + settings.reconcileInterval, indexLook + Self.restingLook)
        if unwatched.count > 0 { deadline = min(deadline, lastPoll + Self.pollInterval) }
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
            if try !index.fillSearch(lines: Self.searchLines) { searchFill = .now + .milliseconds(2) }
        }
        if !isDone { searchFill = .now + Self.retryPause }
    }

    // MARK: - The queue

    private func drain() {
        spoolsAreDirty = false
        guard !isStopping.isSet else { return }
        let index = index
        let drain = drain { id in
            let known = (try? index.sessions(withIDPrefix: id.description)) ?? []
            return known.filter(\.isOnline).map(\.path).filter { (try? SessionNames.isSession($0)) == true }
        }
        do {
            let outcomes = try drain.run { isStopping.isSet }
            for outcome in outcomes {
                report(outcome.id, outcome.result, outcome.session)
                if case .applied = outcome.result, let session = outcome.session { applied.insert(session) }
            }
            for session in Set(outcomes.compactMap(\.session)) { reconcile(session: session) }
        } catch {
            log.error("could not drain the queue: \(error)")
        }
    }

    /// Removes what the queue has kept long enough.
    private func removeOutdatedEntries() {
        guard !isStopping.isSet else { return }
        attempt("remove what the queue has kept long enough", settings.stateDirectory) {
            let removed = try drain { _ in [] }.removeOutdated(retention: settings.queueRetention)
            guard !removed.isEmpty else { return }
            log.info("removed what the queue has kept long enough", metadata: ["files": "\(removed.count)"])
        }
    }

    /// Tells of records that the queue wrote and that another copy of their file has taken away. It does not guess
    /// whether they are to come back.
    private func reportVanished(from session: FilePath) throws {
        guard let id = try index.session(at: session)?.id else { return }
        let gone = Set(try drain { _ in [session] }.vanished(from: id, at: session))
        for entry in gone.subtracting(vanished[session] ?? []).sorted() {
            report(entry, .recordVanished, session)
        }
        vanished[session] = gone.isEmpty ? nil : gone
    }

    private func drain(locate: @escaping (ULID) -> [FilePath]) -> Drain {
        Drain(queue, runtimeDirectory: settings.runtimeDirectory, locate: locate)
    }

    private func report(_ entry: ULID, _ result: DrainOutcome.Result, _ session: FilePath?) {
        let level: Logger.Level =
            switch result {
            case .applied: .info
            case .alreadyApplied, .removed, .dropped, .waiting: .debug
            case .recordVanished, .conflict, .rejected: .warning
            case .failed: .error
            }
        var metadata: Logger.Metadata = ["entry": "\(entry)", "result": "\(result.name)"]
        if let session { metadata["session"] = "\(session.escaped)" }
        if let reason = result.reason { metadata["reason"] = "\(reason)" }
        log.log(level: level, "queue entry", metadata: metadata)
    }
}

extension ContinuousClock.Instant {
    /// Whole milliseconds from this moment until now, for the log.
    fileprivate var milliseconds: Int64 { Int64((duration(to: .now) / .milliseconds(1)).rounded()) }
}

extension WatchEvent.Change {
    /// Whether it changes which names a directory holds.
    fileprivate var isOfNames: Bool {
        switch self {
        case .created, .movedIn, .movedOut, .deleted: true
        case .contents, .written, .attributes: false
        }
    }
}

/// A flag that one task sets and others read.
final class StopFlag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }

    func set() { flag.store(true, ordering: .relaxed) }
}
