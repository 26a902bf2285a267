internal import Glibc
package import RecordFormat
package import SystemPackage
package import TraceFiles
package import TraceFormat

/// A journal in which nobody else of this product writes meanwhile.
package struct LockedJournal {
    package let lock: DirectoryLock
    package let format: any JournalFormat
    package let header: JournalHeader
    /// What a format has read of the journal and keeps from one step to the next; it checks itself whether it still holds.
    package var state: (any Sendable)?

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
    package var journal: UndoJournal?
    /// What tests make happen between the steps.
    package var failPoint: FailPoint?
    /// How long to wait for a lock that somebody holds; zero tries once.
    package var lockTimeout = DirectoryLock.defaultTimeout

    /// - Parameter runtimeDirectory: Where locks go for file systems that can't lock a directory.
    package init(_ path: FilePath, formats: JournalRegistry, runtimeDirectory: FilePath? = nil) {
        self.path = path
        self.formats = formats
        self.runtimeDirectory = runtimeDirectory
    }

    /// Runs `body` while no other writer of this product is at the journal.
    ///
    /// - Throws: ``FileError`` with `.notFound` if the directory is not a journal, `.journalNotWritable` if it is of a kind or a
    ///   version that is only read, `.sessionLocked`, or what `body` throws.
    package func locked<Result>(
        _ body: (inout LockedJournal, any JournalWriting) throws -> Result
    ) throws -> Result {
        guard !formats.isSingleFile(at: path) else { throw FileError(single: path) }
        return try DirectoryLock.holding(
            path, runtimeDirectory: runtimeDirectory, timeout: lockTimeout, failPoint: failPoint
        ) { lock in
            var journal = try opened(lock)
            guard let writing = journal.format.writing else {
                throw FileError(
                    .journalNotWritable, "a journal of the kind '\(journal.format.layout.kind)' is only read",
                    path: path, hint: "give a journal of another kind")
            }
            switch journal.header.state {
            case .open: break
            case .locked:
                throw FileError(
                    .journalNotWritable, "the journal is sealed, and its key is not available", path: path,
                    hint: "give the key: key_file")
            case .newer:
                throw FileError(
                    .journalNotWritable, "a newer version has written this journal", path: path,
                    hint: "install that version; until then the journal is read, not written")
            }
            try lock.removeLeftovers()
            return try body(&journal, writing)
        }
    }

    /// Writes what an entry describes, as one write of the user.
    ///
    /// - Throws: ``FileError``; with `.otherSession` if another journal is there. ``FormatError`` with `.recordInvalid` if the write is
    ///   not possible: then nothing is written.
    /// - Note: Durable on return.
    package func write(_ entry: SpoolEntry) throws -> AppliedOperation {
        try locked { locked, writing in
            guard locked.id == entry.journalID else {
                throw FileError(
                    .otherSession, "is not the journal \(entry.journalID) any more", path: path,
                    hint: "choose the journal again")
            }
            let applied = try writing.apply(
                try writing.operation(of: entry), JournalWrite(entry), to: &locked)
            note(entry, applied)
            return applied
        }
    }

    private func note(_ entry: SpoolEntry, _ applied: AppliedOperation) {
        guard let journal, !applied.changes.isEmpty else { return }
        let isText = String(validating: path.bytes, as: UTF8.self) != nil
        journal.note(
            UndoableWrite(
                id: entry.id, time: Clock.now(), user: UInt32(geteuid()), operation: .init(entry.kind),
                sessionID: entry.journalID, session: isText ? path : nil, command: journal.command,
                changes: applied.changes))
    }

    private func opened(_ lock: DirectoryLock) throws -> LockedJournal {
        for format in formats.formats {
            // Whether its files have settled does not matter here.
            let snapshot = try JournalSnapshot(lock.directory, as: format, settleTime: .zero)
            guard snapshot.isJournal else { continue }
            return LockedJournal(
                lock: lock, format: format, header: try format.header(of: snapshot))
        }
        throw FileError(.notFound, "there is no journal", path: path, hint: "give the directory of a journal")
    }
}

extension FileError {
    /// For a write into a file that is a journal on its own.
    package init(single path: FilePath) {
        self.init(
            .journalNotWritable, "a file that is a journal on its own is only read", path: path,
            hint: "make a journal of it: 'trace journal adopt'")
    }
}

extension FileError.Code {
    /// The journal is of a kind or of a version that is read, not written.
    package static let journalNotWritable = FileError.Code(rawValue: "journal-not-writable")
}
