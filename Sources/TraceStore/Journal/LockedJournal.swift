internal import Glibc
package import RecordFormat
package import SystemPackage
package import TraceFiles
internal import TraceFormat
internal import TraceText

/// A journal in which nobody else of this product writes meanwhile.
package struct LockedJournal {
    package let lock: DirectoryLock
    package let format: any JournalFormat
    package let header: JournalHeader
    /// What a format has read of the journal and keeps from one step to the next; it checks itself whether it still holds.
    package var state: (any Sendable)?
    /// What another program had saved over, and is there again.
    package var putBack: [OverwrittenRecord] = []

    package var directory: OpenDirectory { lock.directory }

    /// Its id; nil if the header can't be read.
    package var id: ULID? { header.id.flatMap { ULID($0) } }
}

/// Opens one journal of any kind for writing.
package struct JournalWriter: Sendable {
    package let path: FilePath
    private let formats: JournalRegistry
    private let runtimeDirectory: FilePath?
    /// Where writes are noted that the user may want to undo.
    package var undoLog: UndoLog?
    /// What tests make happen between the steps.
    package var failPoint: FailPoint?
    /// How long to wait for a lock that somebody holds; zero tries once.
    package var lockTimeout = DirectoryLock.defaultTimeout
    /// Called once for each time that something is put back.
    package var onPutBack: PutBackReport?

    /// - Parameter runtimeDirectory: Where locks go for file systems that can't lock a directory.
    package init(_ path: FilePath, formats: JournalRegistry, runtimeDirectory: FilePath? = nil) {
        self.path = path
        self.formats = formats
        self.runtimeDirectory = runtimeDirectory
    }

    /// Runs `body` while no other writer of this product is at the journal.
    ///
    /// - Throws: ``FileError`` with `.notFound` if the directory is not a journal, `.sessionLocked`; ``StoreError`` with `.journalNotWritable`
    ///   if it is of a kind or a version that is only read; what `body` throws.
    package func locked<Result>(
        _ body: (inout LockedJournal, any JournalWriting) throws -> Result
    ) throws -> Result {
        guard !formats.isSingleFile(at: path) else { throw StoreError(single: path) }
        return try DirectoryLock.holding(
            path, runtimeDirectory: runtimeDirectory, timeout: lockTimeout, failPoint: failPoint
        ) { lock in
            var journal = try opened(lock)
            guard let writing = journal.format.writing else {
                throw StoreError(
                    .journalNotWritable, "a journal of the kind '\(journal.format.layout.kind)' is only read",
                    path: path, cure: "give a journal of another kind")
            }
            switch journal.header.state {
            case .open: break
            case .locked:
                throw StoreError(
                    .journalNotWritable, "the journal is sealed, and its key is not available", path: path,
                    cure: "give the key: key_file")
            case .newer:
                throw StoreError(
                    .journalNotWritable, "a newer version has written this journal", path: path,
                    cure: "install that version; until then the journal is read, not written")
            }
            try lock.removeLeftovers()
            // It is durable, whether or not the rest can be done.
            defer { if !journal.putBack.isEmpty { onPutBack?(path, journal.putBack) } }
            return try body(&journal, writing)
        }
    }

    /// Writes what an entry describes, as one write of the user.
    ///
    /// - Throws: ``FileError``; ``StoreError`` with `.otherSession` if another journal is there; ``FormatError`` with `.recordInvalid` if the
    ///   write is not possible: then nothing is written.
    /// - Note: Durable on return.
    package func write(_ checked: CheckedEntry) throws -> AppliedOperation {
        let entry = checked.entry
        return try locked { locked, writing in
            guard locked.id == entry.journalID else {
                throw StoreError(
                    .otherSession, "is not the journal \(entry.journalID) any more", path: path,
                    cure: "choose the journal again")
            }
            let applied = try writing.apply(checked, to: &locked)
            note(entry.id, .init(entry.kind), into: entry.journalID, applied.changes)
            return applied
        }
    }

    /// Notes a write that has been done, for an undo.
    ///
    /// - Parameter id: Of the write.
    package func note(
        _ id: ULID, _ operation: UndoableWrite.Operation, into journalID: ULID?,
        _ changes: [UndoableWrite.Change]
    ) {
        guard let undoLog, !changes.isEmpty else { return }
        let isText = String(validating: path.bytes, as: UTF8.self) != nil
        undoLog.note(
            UndoableWrite(
                id: id, time: Clock.now(), user: UInt32(geteuid()), operation: operation,
                sessionID: journalID, session: isText ? path : nil, command: undoLog.command,
                changes: changes))
    }

    /// What another program has saved over in a journal of a kind that is written; nothing is locked, and nothing written.
    ///
    /// - Throws: As ``JournalWriting/overwritten(in:settleTime:)``.
    package func overwritten(settleTime: Duration) throws -> [OverwrittenRecord] {
        guard let (directory, writing) = try look() else { return [] }
        return try writing.overwritten(in: directory, settleTime: settleTime)
    }

    /// As ``JournalWriting/isWrittenByOthers(in:)``.
    package func isWrittenByOthers() throws -> Bool {
        guard let (directory, writing) = try look() else { return false }
        return try writing.isWrittenByOthers(in: directory)
    }

    /// Nil if it is not a journal that is written.
    private func look() throws -> (directory: OpenDirectory, writing: any JournalWriting)? {
        guard let snapshot = try formats.snapshot(at: path, settleTime: .zero), snapshot.single == nil,
            let writing = snapshot.format.writing,
            try snapshot.format.header(of: snapshot).state == .open
        else { return nil }
        return (snapshot.directory, writing)
    }

    /// Takes up what another program has saved (``JournalWriting/takeUp(in:)``).
    ///
    /// - Returns: What came back.
    /// - Throws: As ``locked(_:)``.
    /// - Note: Durable on return.
    package func takeUp() throws -> [OverwrittenRecord] {
        try locked { journal, writing in
            try writing.takeUp(in: &journal)
            return journal.putBack
        }
    }

    private func opened(_ lock: DirectoryLock) throws -> LockedJournal {
        for format in formats.formats {
            // Whether its files have settled does not matter here.
            let snapshot = try JournalSnapshot(lock.directory, as: format, settleTime: .zero)
            guard snapshot.isJournal else { continue }
            return LockedJournal(
                lock: lock, format: format, header: try format.header(of: snapshot))
        }
        throw FileError(.notFound, "there is no journal", path: path, cure: "give the directory of a journal")
    }
}

extension StoreError {
    /// For a write into a file that is a journal on its own.
    package init(single path: FilePath) {
        self.init(
            .journalNotWritable, "a file that is a journal on its own is only read", path: path,
            cure: "make a journal of it: \(verb: "journal adopt")")
    }
}
