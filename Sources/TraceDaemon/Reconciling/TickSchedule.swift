/// When everything is scanned, when the file of the index is looked at, and when to come back for whatever is due next.
struct TickSchedule {
    /// The reason for a full scan.
    enum ScanReason {
        /// The last scan was a whole interval ago.
        case interval
        /// The index was rebuilt empty, so everything must be read again.
        case newIndex
        /// A file has a second name, which may be in any session.
        case links
    }

    private var reconcileInterval: Duration
    private var lastScan: ContinuousClock.Instant
    private var indexIsNew = false
    /// When to look for the other names of files.
    private var linkScan: ContinuousClock.Instant?
    /// When the file of the index was looked at last.
    private var indexLook: ContinuousClock.Instant
    /// The tick that has been asked for and has not come yet.
    private var nextTick: ContinuousClock.Instant?

    /// How often the index file is checked while nothing happens, and while something does: a deleted or emptied file is
    /// noticed within that time.
    private static let idleLookInterval = Duration.seconds(60)
    private static let busyLookInterval = Duration.seconds(5)

    init(reconcileInterval: Duration, at now: ContinuousClock.Instant) {
        self.reconcileInterval = reconcileInterval
        lastScan = now
        indexLook = now
    }

    /// Continues with another interval. The pending tick is gone: the old watcher had it.
    mutating func adopt(reconcileInterval: Duration) {
        self.reconcileInterval = reconcileInterval
        nextTick = nil
    }

    // MARK: - Scans

    /// The index was rebuilt; it has no rows until everything is read again.
    mutating func noteNewIndex() { indexIsNew = true }

    /// Why everything is to be scanned now; nil if it need not be.
    func scanReason(at now: ContinuousClock.Instant) -> ScanReason? {
        if lastScan + reconcileInterval <= now { return .interval }
        if indexIsNew { return .newIndex }
        return linkScan.map { $0 <= now } ?? false ? .links : nil
    }

    /// Files have got second names: all sessions are to be looked at, but not for each of thousands of files.
    mutating func noteLinks(at now: ContinuousClock.Instant) {
        linkScan = linkScan ?? max(now, lastScan + Self.linkScanPause)
    }

    private static let linkScanPause = Duration.seconds(10)

    /// Whether something is known to be missing that only a scan finds.
    func lacksScan(at now: ContinuousClock.Instant) -> Bool { linkScan != nil || scanReason(at: now) != nil }

    /// A full scan begins, which fills an index that is new now. One that is rebuilt during the scan needs another.
    mutating func beginScan() {
        indexIsNew = false
        linkScan = nil
    }

    mutating func endScan(at now: ContinuousClock.Instant) { lastScan = now }

    // MARK: - The file of the index

    /// Takes that the file of the index is to be looked at now, where something has happened.
    mutating func takeIndexLook(at now: ContinuousClock.Instant) -> Bool {
        guard indexLook + Self.busyLookInterval <= now else { return false }
        indexLook = now
        return true
    }

    // MARK: - Ticks

    /// Takes a tick that was asked for.
    ///
    /// - Returns: False if an earlier one has been asked for since, which continues in its place.
    mutating func take(tick moment: ContinuousClock.Instant) -> Bool {
        guard moment == nextTick else { return false }
        nextTick = nil
        return true
    }

    /// When something is due next, an index that is new at once, if that has not been asked for already.
    ///
    /// - Parameter deadlines: When something else is due.
    mutating func askForTick(by deadlines: ContinuousClock.Instant?...) -> ContinuousClock.Instant? {
        let own = min(
            lastScan + reconcileInterval, indexLook + Self.idleLookInterval,
            linkScan ?? lastScan + reconcileInterval)
        let deadline = indexIsNew ? lastScan : deadlines.reduce(own) { min($0, $1 ?? $0) }
        if let nextTick, nextTick <= deadline { return nil }
        nextTick = deadline
        return deadline
    }
}
