public import RecordFormat
public import SystemPackage
package import TraceFiles
package import TraceFormat
public import TraceText

/// Moves what waits in the spools into the sessions, each record exactly once.
///
/// The steps of an entry, in this order, each safe to repeat: audio durable in `media/` → line durable →
/// `session.json` → ledger → entry moved to `done/`. A kill at any instruction in between, and another drain,
/// ends in the same state as an undisturbed one. One drain of a state directory runs at a time.
///
/// Source: docs/queue.md#a-drain.
public struct Drain {
    let directories: QueueDirectories
    let runtimeDirectory: FilePath?
    let locate: (ULID) -> [FilePath]
    let now: @Sendable () -> Timestamp
    /// What tests make happen between the steps.
    package var failPoint: FailPoint?
    /// What is known of the ledger; one that others share costs only what was added since.
    package var ledger = LedgerMemory()
    /// What tells where records are without reading their sessions; nil reads them.
    package var records: (any RecordLookup)?
    /// Called when something is put back into a journal that another program has saved over.
    package var onPutBack: PutBackReport?
    /// The kinds of journal that entries may be for.
    package var formats = JournalRegistry([SessionFormat()])
    /// The sessions that cover a moment: kept moments are placed that one alone covers; nil places none.
    package var covering: CoveringSessions?
    /// Called with each kept moment that was put into the queue, and the session that it goes to.
    package var onPlaced: ((SpoolEntry, CoveringSession) -> Void)?
    /// What who delivered an entry over the network may have changed by it now.
    package var rights: @Sendable (Deliverer) -> DelivererRights = { _ in .nothing }
    /// Makes the sessions that entries begin; nil makes none.
    package var begin: SessionBeginning?
    /// How long to wait for a lock that somebody holds, the queue's or a session's; zero tries once, and leaves the
    /// entries where they are.
    package var lockTimeout = DirectoryLock.defaultTimeout

    /// - Parameter locate: The directories of the sessions that have an id; an offline root's are not among them.
    public init(
        _ directories: QueueDirectories, runtimeDirectory: FilePath? = nil,
        now: @escaping @Sendable () -> Timestamp = { Clock.now() }, locate: @escaping (ULID) -> [FilePath]
    ) {
        self.directories = directories
        self.runtimeDirectory = runtimeDirectory
        self.locate = locate
        self.now = now
    }

    /// Drains every spool.
    ///
    /// - Parameters:
    ///   - isDue: Whether the entry in a file is to be tried; the others are left alone, unread.
    ///   - heldUp: The first of these others that holds up what is behind it in its journal; by the journal's directory.
    ///   - shouldStop: Is asked now and then, in the copying of audio too; what is left stays in the spools.
    ///   - report: Called with each spool that can't be listed; the others are drained anyway.
    /// - Returns: The outcome of each entry; one that fails does not stop the others.
    /// - Throws: ``FileError`` if the state directory can't be used, `.sessionLocked` while another drain runs.
    public func run(
        isDue: (FilePath) -> Bool = { _ in true }, behind heldUp: [FilePath: ULID] = [:],
        shouldStop: () -> Bool = { false },
        report: (any StructuredError) -> Void = { _ in }
    ) throws -> [DrainOutcome] {
        bringHeadersUpToDate()
        placeMoments(report: report)
        var waiting: [(Spool, Spool.File)] = []
        for spool in directories.spools {
            do {
                // Only this machine's own writers leave such files where they are killed; their names have ids that are never
                // generated again, so no later writer would clean up after them.
                if spool == directories.local { try spool.removeLeftovers() }
                waiting += try spool.files().filter { isDue(spool.path.appending($0.name)) }.map {
                    (spool, $0)
                }
            } catch {
                report(error.structured)
            }
        }
        guard !waiting.isEmpty else { return [] }
        // Of several spools, too, in the order in which they were made.
        let ordered = waiting.enumerated().sorted {
            ($0.element.1.id, $0.offset) < ($1.element.1.id, $1.offset)
        }.map(\.element)
        return try locked { run in
            run.drain(ordered, locate: locate, behind: heldUp, shouldStop: shouldStop)
        }
    }

    /// Updates each `session.json` that is out of date with what was written into its session, as far as that is possible now.
    ///
    /// - Returns: The sessions of which it was updated.
    /// - Complexity: One system call where none lags.
    @discardableResult
    package func bringHeadersUpToDate() -> [FilePath] {
        StaleHeaders(state: directories.state).bringUpToDate(
            runtimeDirectory: runtimeDirectory, locate: locate)
    }

    /// Runs `body` while no other drain and no other change of the queue runs.
    func locked<Result>(_ body: (inout DrainRun) throws -> Result) throws -> Result {
        try directories.locked(
            runtimeDirectory: runtimeDirectory, timeout: lockTimeout, failPoint: failPoint
        ) { lock in
            var run = DrainRun(
                directories: directories, now: now, failPoint: failPoint,
                writer: EntryWriter(
                    directories: directories, runtimeDirectory: runtimeDirectory, lockTimeout: lockTimeout,
                    now: now, failPoint: failPoint, ledger: try Ledger(in: lock.directory, ledger),
                    records: records, formats: formats, onPutBack: onPutBack))
            run.writer.rights = rights
            run.writer.begin = begin
            return try body(&run)
        }
    }
}

extension QueueDirectories {
    /// Runs `body` while nobody else changes the queue; a caller that also locks a session locks it after the queue.
    func locked<Result>(
        runtimeDirectory: FilePath?, timeout: Duration = DirectoryLock.defaultTimeout, failPoint: FailPoint?,
        _ body: (DirectoryLock) throws -> Result
    ) throws -> Result {
        try OpenDirectory.make(state)
        return try DirectoryLock.holding(
            state, runtimeDirectory: runtimeDirectory, timeout: timeout, failPoint: failPoint
        ) { lock in
            try lock.removeLeftovers()
            return try body(lock)
        }
    }
}
