package import RecordFormat
package import SystemPackage
package import TraceFiles
internal import TraceFormat
internal import TraceText

/// Takes back the last write of this user that has not been taken back yet.
///
/// An undo is not itself undone: the same command again takes back the write before. Nothing that it takes away is lost: audio
/// and entries of the queue are moved to the state directory, and removed lines are in the journal.
package struct Undo {
    let log: UndoLog
    let queue: QueueDirectories
    let runtimeDirectory: FilePath?
    let locate: (ULID) -> [FilePath]
    /// What tests make happen between the steps.
    package var failPoint: FailPoint?
    /// Where deleted sessions are.
    package var bin: Bin
    /// The kinds of journal that writes may have gone into.
    package var formats = JournalRegistry([SessionFormat()])

    /// - Parameter locate: The directories of the sessions that have an id, for a session that has been moved.
    package init(
        _ log: UndoLog, queue: QueueDirectories, runtimeDirectory: FilePath? = nil,
        locate: @escaping (ULID) -> [FilePath]
    ) {
        self.log = log
        self.queue = queue
        self.runtimeDirectory = runtimeDirectory
        self.locate = locate
        bin = Bin(roots: [], state: queue.state, runtimeDirectory: runtimeDirectory)
    }

    /// The outcome of an undo, or its plan.
    package struct Outcome: Sendable {
        /// One for each write that was taken back, in this order.
        package var parts: [Part] = []
        package var notices: [String] = []

        /// The outcome of one write.
        package struct Part: Sendable {
            package var write: UndoableWrite
            /// The session's directory, where something was taken back in one.
            package var session: FilePath?
            /// What the write was about.
            package var subject: WrittenSubject
            /// Each step in words, in its order.
            package var steps: [String]
        }
    }

    /// Undoes the last write, or says what would be done; where its command has written more than once, all of that.
    ///
    /// - Parameter sessionID: Only writes into this session; nil for any.
    /// - Throws: ``StoreError`` with `.nothingToUndo`, or `.unsafeToUndo` if what was written has been changed since or is
    ///   referred to: then nothing is changed. `.noSuchSession` if the session is not available.
    /// - Note: Durable on return. Killed in between, the same again does the rest.
    package func run(sessionID: ULID? = nil, user: UInt32, isDryRun: Bool = false) throws -> Outcome {
        try queue.locked(runtimeDirectory: runtimeDirectory, failPoint: failPoint) { lock in
            // One that was cut short before it took anything back is done as if it began now: were it continued, what others have changed
            // since would be taken for what is gone.
            var untouched: [(entry: UndoLog.Entry, records: [ULID])] = []
            let writes = try last(sessionID, user).map { entry in
                guard entry.isHalfUndone, let records = recordsIfUntouched(entry.write) else { return entry }
                untouched.append((entry, records))
                var entry = entry
                entry.isHalfUndone = false
                return entry
            }
            let own = Set(writes.map(\.write.id))
            if !isDryRun { try settle(user, lock) { !own.contains($0) } }
            do { return try undo(writes, lock, isDryRun: isDryRun) } catch
                where !isDryRun && UndoNotes.isRefusal(error)
            {
                for (entry, records) in untouched {
                    try UndoNotes(of: entry, in: log, lock).takeBack(records)
                }
                throw error
            }
        }
    }

    private func undo(
        _ writes: [UndoLog.Entry], _ lock: DirectoryLock, isDryRun: Bool
    ) throws -> Outcome {
        var outcome = Outcome()
        // All are checked before the first is taken back; one alone is checked under the same lock.
        if isDryRun || writes.count > 1 {
            for write in writes {
                outcome.parts.append(
                    try undo(write, lock, isDryRun: isDryRun, isCheck: true, isAlone: writes.count == 1).part)
            }
        }
        guard !isDryRun else { return outcome }
        outcome.parts = []
        for write in writes {
            let (part, notices) = try undo(write, lock, isDryRun: false, isCheck: false)
            outcome.parts.append(part)
            outcome.notices += notices
        }
        return outcome
    }

    /// The writes that can be undone, the last first, those of one command together. Changes nothing.
    ///
    /// - Throws: ``FileError``.
    package func list(sessionID: ULID? = nil, user: UInt32) throws -> [[Outcome.Part]] {
        try pending(sessionID, user).map { writes in
            writes.map { entry in
                Outcome.Part(
                    write: entry.write, session: entry.write.session, subject: subject(of: entry.write),
                    steps: [])
            }
        }
    }

    /// Leaves the last write as it is, with all that its command wrote: the next undo takes back what was written before.
    ///
    /// - Returns: What is skipped.
    /// - Throws: ``StoreError`` with `.nothingToUndo`.
    /// - Note: Durable on return.
    package func skip(sessionID: ULID? = nil, user: UInt32, isDryRun: Bool = false) throws -> Outcome {
        try queue.locked(runtimeDirectory: runtimeDirectory, failPoint: failPoint) { lock in
            if !isDryRun { try settle(user, lock) }
            let writes = try last(sessionID, user).map(\.write)
            if !isDryRun { for write in writes { try log.note(.skipped, of: write.id) } }
            return Outcome(
                parts: writes.map {
                    Outcome.Part(write: $0, session: $0.session, subject: subject(of: $0), steps: [])
                })
        }
    }

    /// Of how many writes an undo has begun and was cut short. Changes nothing.
    ///
    /// - Throws: ``FileError``.
    package func unfinishedCount(user: UInt32) throws -> Int { try unfinished(user).count }

    private func unfinished(_ user: UInt32) throws -> [UndoLog.Entry] {
        try log.writes().filter { $0.isHalfUndone && !$0.isSkipped && $0.write.user == user }
    }

    /// Takes back what was noted for undos that were cut short before they took anything back: a loss of those records is reported again. One
    /// that was refused and then killed would else count as begun for good, for the edit that it was refused for stays.
    private func settle(
        _ user: UInt32, _ lock: DirectoryLock, where isWanted: (ULID) -> Bool = { _ in true }
    ) throws {
        for entry in try unfinished(user) where isWanted(entry.write.id) {
            guard let records = recordsIfUntouched(entry.write) else { continue }
            try UndoNotes(of: entry, in: log, lock).takeBack(records)
        }
    }

    /// The records that an undo of the write notes as removed, if nothing of it has been taken back; nil if something has, or that is
    /// unknown.
    private func recordsIfUntouched(_ write: UndoableWrite) -> [ULID]? {
        (try? recordsOfUntouched(write)) ?? nil
    }

    private func recordsOfUntouched(_ noted: UndoableWrite) throws -> [ULID]? {
        let write = try unfolded(noted).write
        func isUntouched(
            _ changes: [UndoableWrite.Change], in journal: LockedJournal, _ writing: any JournalWriting
        ) -> Bool {
            // A refusal is one because there is something to take back.
            changes.allSatisfy {
                do {
                    return try !writing.steps(toUndo: $0, isHalfDone: false, in: journal).isEmpty
                } catch {
                    return (error as? StoreError)?.code == .unsafeToUndo
                }
            }
        }
        let run = UndoRun(
            write: write, isHalfUndone: false, isDryRun: true, queue: queue,
            entries: try UndoRun.Entries(of: write, isHalfUndone: false, queue), log: log,
            failPoint: failPoint)
        if let records = try inOtherJournal(
            of: write, run, { isUntouched($0.changes, in: $1, $2) ? $0.records : [] })
        {
            return records.isEmpty ? nil : records
        }
        return try run.isUntouched(in: SessionReader(session(of: write, run.applied).path))
            ? run.createdRecords : nil
    }

    private func last(_ sessionID: ULID?, _ user: UInt32) throws -> [UndoLog.Entry] {
        if let writes = try pending(sessionID, user).first { return writes }
        throw StoreError(
            .nothingToUndo, "there is nothing to undo",
            cure: "changes made by other programs can't be undone here")
    }

    /// Those of one command stand where the last of them does.
    private func pending(_ sessionID: ULID?, _ user: UInt32) throws -> [[UndoLog.Entry]] {
        let writes = try log.writes().filter {
            !$0.isSkipped && $0.write.user == user && (sessionID == nil || $0.write.sessionID == sessionID)
        }
        let commands = Dictionary(grouping: writes.filter { $0.write.command != nil }, by: \.write.command)
        return writes.compactMap { entry in
            guard let command = entry.write.command, let group = commands[command] else { return [entry] }
            return group.first?.write.id == entry.write.id ? group : nil
        }
    }

    func subject(of write: UndoableWrite) -> WrittenSubject {
        WrittenSubject(of: (try? unfolded(write).write) ?? write, queue, formats)
    }

    /// - Parameters:
    ///   - isCheck: Whether the steps are only found, and not done.
    ///   - isAlone: Whether nothing else of the same command is taken back before.
    private func undo(
        _ entry: UndoLog.Entry, _ lock: DirectoryLock, isDryRun: Bool, isCheck: Bool, isAlone: Bool = true
    ) throws -> (part: Outcome.Part, notices: [String]) {
        let (write, mayBeHalfDone) = try unfolded(entry.write)
        let isHalfUndone = entry.isHalfUndone || mayBeHalfDone
        let run = UndoRun(
            write: write, isHalfUndone: isHalfUndone, isDryRun: isDryRun, queue: queue,
            entries: try UndoRun.Entries(of: write, isHalfUndone: isHalfUndone, queue),
            log: log, failPoint: failPoint)
        try run.requireKnown()
        // An entry that goes can't be read afterwards.
        var part = Outcome.Part(
            write: entry.write, session: nil, subject: subject(of: entry.write), steps: [])
        func perform(
            _ steps: [UndoStep], removing records: [ULID] = [],
            left: () throws -> [RecordKind: String] = { [:] }
        ) throws -> (Outcome.Part, [String]) {
            part.steps = steps.flatMap(\.actions).map { $0.text(isPlan: isDryRun) }
            guard !isCheck else { return (part, []) }
            var notes = UndoNotes(of: entry, in: log, lock)
            try notes.begin(removing: records)
            var notices: [String] = []
            for step in steps {
                do { notices += try step.perform() } catch {
                    notes.takeBack(after: error)
                    throw error
                }
                notes.isTakenUp = true
            }
            try log.note(.undone(left: left()), of: write.id)
            return (part, notices)
        }
        if let move = write.directoryMove {
            part.session = write.session
            let steps =
                switch move {
                case .put:
                    try stepsToBin(write, isHalfDone: isHalfUndone, isUnused: isAlone || !isCheck)
                case .restore: try stepsOutOfBin(write)
                }
            return try perform(run.steps(in: nil) + steps)
        }
        let elsewhere = try inOtherJournal(of: write, run) { change, journal, writing in
            part.session = journal.directory.path
            return try perform(
                run.steps(in: nil) + steps(toUndo: change.changes, of: entry, in: journal, writing),
                removing: change.records)
        }
        if let elsewhere { return elsewhere }
        guard write.changes.contains(where: \.isInSession) || !run.applied.isEmpty else {
            return try perform(run.steps(in: nil))
        }
        let target = try session(of: write, run.applied)
        part.session = target.path
        return try locked(target) { session in
            try perform(
                run.steps(in: session) + lastSteps(of: write, in: session, "the write was undone"),
                removing: run.createdRecords
            ) { try run.checksums(in: session) }
        }
    }

    /// Runs `body` with a session that is locked.
    func locked<Result>(_ target: SessionTarget, _ body: (LockedSession) throws -> Result) throws -> Result {
        var writer = SessionWriter(target, runtimeDirectory: runtimeDirectory)
        writer.failPoint = failPoint
        return try writer.locked(body)
    }

    /// What ends an undo or a redo in a session: the header says that it was written. Of a repair it stays as it is, to the byte.
    func lastSteps(of write: UndoableWrite, in session: LockedSession, _ done: String) -> [UndoStep] {
        guard write.operation != .repair else { return [] }
        return [
            UndoStep([]) {
                try session.touch(after: done)
                return []
            }
        ]
    }

    private func steps(
        toUndo changes: [UndoableWrite.Change], of entry: UndoLog.Entry, in journal: LockedJournal,
        _ writing: any JournalWriting
    ) throws -> [UndoStep] {
        try changes.reversed().flatMap {
            try writing.steps(toUndo: $0, isHalfDone: entry.isHalfUndone, in: journal)
        }
    }

    /// Runs `body` with what the write, or entries of it, changed in a journal of another kind than a session, and with the records of that; does
    /// nothing, and returns nil, if that is nothing.
    func inOtherJournal<Result>(
        of write: UndoableWrite, _ run: UndoRun,
        _ body: (
            (changes: [UndoableWrite.Change], records: [ULID]), LockedJournal, any JournalWriting
        ) throws -> Result
    ) throws -> Result? {
        let entries = run.writtenElsewhere
        guard write.isInOtherJournal || !entries.isEmpty else { return nil }
        return try inJournal(of: write) { journal, writing in
            let change =
                write.isInOtherJournal
                ? (write.changes, [write.id]) : (try changes(by: entries, writing, run), entries.map(\.id))
            return try body(change, journal, writing)
        }
    }

    /// What entries of the queue have changed in a journal of another kind than the session, those of one file together.
    private func changes(
        by entries: [SpoolEntry], _ writing: any JournalWriting, _ run: UndoRun
    ) throws -> [UndoableWrite.Change] {
        var members: [(path: String, changes: [MemberChange])] = []
        for entry in entries {
            guard let changes = try writing.changes(by: CheckedEntry(read: entry, by: formats)) else {
                throw run.unsafe(
                    "entry \(entry.id) has been written into its journal",
                    cure: ["change it there", "\(verb: "undo --skip") skips this write"])
            }
            for case .members(let path, let more) in changes {
                if let index = members.firstIndex(where: { $0.path == path }) {
                    members[index].changes += more
                } else {
                    members.append((path, more))
                }
            }
        }
        return members.map { .members(path: $0.path, $0.changes) }
    }

    /// Runs `body` with the journal into which a write went, wherever that is now.
    private func inJournal<Result>(
        of write: UndoableWrite, _ body: (LockedJournal, any JournalWriting) throws -> Result
    ) throws -> Result {
        var paths = write.session.map { [$0] } ?? []
        paths += write.sessionID.map(locate) ?? []
        for path in paths where (try? formats.isJournal(path)) == true {
            var journals = JournalWriter(path, formats: formats, runtimeDirectory: runtimeDirectory)
            journals.failPoint = failPoint
            let result = try journals.locked { journal, writing -> Result? in
                journal.id == write.sessionID ? try body(journal, writing) : nil
            }
            if let result { return result }
        }
        throw StoreError(
            .noSuchSession, "the journal of the last write was not found", path: write.session,
            cure: ["mount its disk, then undo again", "\(verb: "undo --skip") skips this write"])
    }

    /// Where the session lies now.
    ///
    /// - Parameter applied: The entries of the write that went into it: when a moment was kept, its session was not known.
    func session(of write: UndoableWrite, _ applied: [SpoolEntry] = []) throws -> SessionTarget {
        let sessionID = write.sessionID ?? applied.first?.journalID
        if let path = write.session, let target = try? SessionTarget(reading: path),
            write.mayHaveGone(into: target.session.id, sessionID)
        {
            return target
        }
        let paths = sessionID.map(locate) ?? []
        guard paths.count == 1, let path = paths.first, let target = try? SessionTarget(reading: path),
            target.session.id == sessionID
        else {
            throw StoreError(
                .noSuchSession, "the session of the last write was not found",
                path: write.session,
                cure: ["mount its disk, then undo again", "\(verb: "undo --skip") skips this write"]
            )
        }
        return target
    }
}

extension UndoableWrite {
    /// Whether the session that has this id can be the one that is looked for; where a repair is taken back, it may have none that can be read.
    fileprivate func mayHaveGone(into id: ULID?, _ sessionID: ULID?) -> Bool {
        guard let id else { return operation == .repair }
        return sessionID == nil || id == sessionID
    }

    /// Whether it went into another kind of journal than a session.
    package var isInOtherJournal: Bool { changes.contains(where: \.isOfDocument) }
}

extension UndoableWrite.Change {
    fileprivate var isInSession: Bool {
        if case .queued = self { false } else { true }
    }

    /// Whether it was made in a document of another kind of journal.
    fileprivate var isOfDocument: Bool {
        if case .members = self { true } else { false }
    }
}
