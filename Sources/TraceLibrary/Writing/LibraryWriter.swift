internal import Glibc
internal import Journals
package import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceFormat
package import TraceIndex
package import TraceStore
package import TraceText

/// Writes into the sessions below the roots, and into the queue where that can't be done now; notes what was written for `trace undo`.
///
/// It prints nothing, and asks nobody: what happened is returned.
package struct LibraryWriter: Sendable {
    let roots: SessionRoots
    let stateDirectory: FilePath
    private let spools: [FilePath]
    /// Holds the locks of sessions on file systems that know none.
    let runtimeDirectory: FilePath
    private let database: @Sendable () -> FilePath
    let command: ULID
    private let onUnnoted: @Sendable (any StructuredError) -> Void
    /// How long to wait for a session that somebody has locked; nil for as long as a person waits.
    package var lockTimeout: Duration?
    /// Called when something is put back into a journal that another program has saved over.
    package var onPutBack: PutBackReport?
    /// The default state directory, whose kept moments are read, too.
    package var defaultStateDirectory: FilePath?
    /// How long nothing may happen in an open session until it counts as forgotten; at first what the settings have where nobody says anything.
    package var staleAfter = Duration.seconds(43_200)
    /// The zone in which sessions get the names of their days; nil for that of the machine.
    package var timeZone: String?

    /// - Parameters:
    ///   - spools: Those besides the one in the state directory.
    ///   - database: Where the index lies; what it remembers of a session that can't be reached is taken from there. Asked
    ///     for only then.
    ///   - command: What all writes have in common that one undo takes back together.
    ///   - onUnnoted: Called with the reason if a write can't be undone later.
    package init(
        roots: SessionRoots, stateDirectory: FilePath, spools: [FilePath] = [], runtimeDirectory: FilePath,
        database: @autoclosure @escaping @Sendable () -> FilePath, command: ULID,
        onUnnoted: @escaping @Sendable (any StructuredError) -> Void
    ) {
        self.roots = roots
        self.stateDirectory = stateDirectory
        self.spools = spools
        self.runtimeDirectory = runtimeDirectory
        self.database = database
        self.command = command
        self.onUnnoted = onUnnoted
    }

    /// What writes into a session, and notes it for `trace undo`.
    package func writer(_ session: SessionTarget) -> SessionWriter {
        var writer = SessionWriter(session, runtimeDirectory: runtimeDirectory)
        writer.undoLog = undoLog
        if let lockTimeout { writer.lockTimeout = lockTimeout }
        writer.staleHeaders = StaleHeaders(state: stateDirectory)
        return writer
    }

    /// Where writes are noted that the user may want to undo.
    var undoLog: UndoLog {
        var log = UndoLog(
            state: stateDirectory, runtimeDirectory: runtimeDirectory, onFailure: onUnnoted)
        log.command = command
        return log
    }

    /// The directories of the sessions that have an id, of those that can be found now.
    ///
    /// They are looked for when the first is asked for.
    package func sessionsByID() -> (ULID) -> [FilePath] {
        let locator = SessionLocator(roots: roots.paths)
        var sessions: [ULID?: [SessionCandidate]]?
        return { id in
            let known =
                sessions
                ?? Dictionary(
                    grouping: locator.candidates().filter { $0.session.id != nil }, by: \.session.id)
            sessions = known
            return known[id]?.map(\.path) ?? []
        }
    }

    /// As ``sessionsByID()``, for journals of any kind.
    package func journalsByID() -> (ULID) -> [FilePath] {
        let sessions = sessionsByID()
        let locator = JournalLocator(roots: roots.paths, formats: Journals.all.besidesSessions)
        var others: [ULID?: [JournalCandidate]]?
        return { id in
            let found = sessions(id)
            guard found.isEmpty else { return found }
            let known = others ?? Dictionary(grouping: locator.candidates(), by: \.id)
            others = known
            return known[id]?.map(\.path) ?? []
        }
    }

    /// What the index knows of a session as it was when it was last read.
    package func remembered(at path: FilePath) -> IndexedSession? {
        (try? JournalIndex(readingAt: database(), formats: Journals.all).session(at: path)) ?? nil
    }

    /// The journals of a kind whose roots can't be reached, as they were when they were last read.
    func offlineJournals(of kind: JournalKind) -> [IndexedJournal] {
        guard let index = try? JournalIndex(readingAt: database(), formats: Journals.all),
            let known = try? index.journals(.roots(roots.paths), kinds: [kind])
        else { return [] }
        return known.filter { journal in
            guard let root = journal.root, let look = try? index.look(atRoot: root) else { return false }
            return look != .online
        }
    }

    /// Makes the root in which a new session is to lie, if it has never been there.
    ///
    /// One that the index knows sessions of, or that is below a mount point on which nothing is mounted, is on a disk that is
    /// not available now: what is made there would be hidden when the disk is back.
    ///
    /// - Returns: The root that was made, if one was.
    /// - Throws: ``FileError``.
    func makeMissingRoot(for session: FilePath) throws -> FilePath? {
        let root = session.removingLastComponent()
        guard roots.paths.contains(root), !PathCheck.isTaken(root), PathCheck.unmounted(above: root) == nil
        else { return nil }
        let known = (try? JournalIndex(readingAt: database(), formats: Journals.all).roots()) ?? []
        if known.contains(where: { $0.path == root && $0.journalCount > 0 }) { return nil }
        try OpenDirectory.make(root)
        return root
    }

    // MARK: - Taking back

    /// What takes back the user's own writes.
    package var undo: Undo {
        var undo = Undo(undoLog, queue: queue, runtimeDirectory: runtimeDirectory, locate: journalsByID())
        undo.formats = Journals.all
        undo.bin = bin
        return undo
    }

    /// Where deleted sessions are.
    package var bin: Bin {
        Bin(roots: roots.paths, state: stateDirectory, runtimeDirectory: runtimeDirectory)
    }

    /// Notes a session that was made, unless its path is not UTF-8.
    func noteMade(_ path: FilePath, _ id: ULID) {
        guard String(validating: path.bytes, as: UTF8.self) != nil else { return }
        undoLog.note(
            UndoableWrite(
                id: IDGenerator.next(), time: Clock.now(), user: UInt32(geteuid()), operation: .initSession,
                sessionID: id, session: path, command: command, changes: [.made]))
    }

    /// What looks for lines that commands wrote and another program has overwritten: those of this user, and of others whose journals may be
    /// read.
    ///
    /// - Parameter settleTime: How long a file must have rested before what it lacks counts as gone.
    package func lostLines(settleTime: Duration = .zero) -> LostLines {
        LostLines(
            UndoLog.readable(in: stateDirectory), state: stateDirectory, settleTime: settleTime,
            locate: sessionsByID())
    }

    /// All that is known to be gone from sessions though nobody here removed it, of what commands, the queue, the network or an
    /// import have written.
    ///
    /// - Parameters:
    ///   - sessionID: Of this session only; nil for all.
    ///   - settleTime: As ``lostLines(settleTime:)``.
    /// - Throws: ``FileError`` if a journal or the ledger can't be read.
    package func missingLines(
        in sessionID: ULID? = nil, settleTime: Duration = .zero
    ) throws -> [LostLines.Line] {
        let lines = try lostLines(settleTime: settleTime).find(in: sessionID)
        let known = Set(lines.map(\.id))
        return try lines + drain().vanished(in: sessionID).filter { !known.contains($0.id) }
    }

    /// Puts these back: each in the way in which it was written.
    ///
    /// - Returns: Those that are there again, and what a person should know.
    /// - Throws: ``FileError``; what was put back before stands.
    package func putBack(
        _ lines: [LostLines.Line]
    ) throws -> (lines: [LostLines.Line], notices: [String]) {
        let queued = lines.filter { $0.operation == .queue }
        var done = try lostLines().putBack(
            lines.filter { $0.operation != .queue }, runtimeDirectory: runtimeDirectory)
        for line in queued {
            let outcome = try drain().retry(EntryName(line.id))
            if outcome.result.isWritten {
                done.lines.append(line)
            } else {
                done.notices.append("entry \(line.id): \(outcome.result.reason ?? outcome.result.name)")
            }
        }
        return done
    }

    /// What other programs have saved over in other journals than sessions, which the next write into them puts back. A journal that can't
    /// be read is left out.
    ///
    /// - Parameter settleTime: How long a file must have rested before what it lacks counts as gone.
    /// - Complexity: O(journals), and O(size) of those that another program has written.
    package func overwrittenJournals(
        settleTime: Duration = .zero
    ) -> [(path: FilePath, records: [OverwrittenRecord])] {
        let formats = Journals.all.besidesSessions
        let known = try? JournalIndex(readingAt: database(), formats: Journals.all).uncountedJournals(
            kinds: Journals.all.otherKinds
        ).map(\.path).filter { path in roots.paths.contains { path.lies(in: $0) } }
        let paths = known ?? JournalLocator(roots: roots.paths, formats: formats).candidates().map(\.path)
        return paths.compactMap { path in
            guard let records = try? journalWriter(at: path).overwritten(settleTime: settleTime),
                !records.isEmpty
            else { return nil }
            return (path, records)
        }
    }

    // MARK: - The queue

    package var queue: QueueDirectories {
        var queue = QueueDirectories(state: stateDirectory, spools: spools)
        queue.otherStates = defaultStateDirectory.map { [$0] } ?? []
        return queue
    }

    /// What writes the queue into the sessions that can be found now.
    package func drain() -> Drain {
        var drain = Drain(queue, runtimeDirectory: runtimeDirectory, locate: journalsByID())
        drain.formats = Journals.all
        drain.records = IndexOnDemand(database)
        drain.onPutBack = onPutBack
        drain.covering = covering()
        drain.askTokens(in: stateDirectory)
        drain.begin = beginning(inFirstOf: roots.paths) { [database] id in
            let index = try? JournalIndex(readingAt: database(), formats: Journals.all)
            return ((try? index?.journalCount(withID: id)) ?? 0) > 0
        }
        return drain
    }

    /// Puts an entry into the spool of this machine.
    ///
    /// - Parameters:
    ///   - attachment: The audio that goes with it.
    ///   - operation: What put it there, for `trace undo`.
    /// - Throws: ``FileError``.
    package func enqueue(
        _ entry: SpoolEntry, attachment: FilePath? = nil, as operation: UndoableWrite.Operation
    ) throws {
        try queue.local.add(entry, attachment: attachment)
        noteQueued([entry.id], operation, for: entry.journalID)
    }

    /// Notes what was put into the spool of this machine.
    func noteQueued(_ entries: [ULID], _ operation: UndoableWrite.Operation, for session: ULID) {
        guard !entries.isEmpty else { return }
        undoLog.note(
            UndoableWrite(
                id: IDGenerator.next(), time: Clock.now(), user: UInt32(geteuid()), operation: operation,
                sessionID: session, session: nil, command: command, changes: entries.map { .queued($0) }))
    }
}
