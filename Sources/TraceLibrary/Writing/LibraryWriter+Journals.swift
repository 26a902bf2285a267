internal import Glibc
internal import Journals
package import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
package import TraceStore
internal import TraceText

/// The journal that a command writes into, or its id alone where it can't be found now.
package struct JournalTarget: Sendable {
    private let known: Result<ULID, StoreError>
    /// Nil if it is not available.
    package let candidate: JournalCandidate?

    init(id: ULID, candidate: JournalCandidate?) {
        known = .success(id)
        self.candidate = candidate
    }

    /// A file that is a journal on its own.
    init(single: JournalCandidate) {
        known = .failure(StoreError(single: single.path))
        candidate = single
    }

    /// By which the entries of its writes name it.
    ///
    /// - Throws: ``StoreError`` with `.journalNotWritable` for a file that is a journal on its own.
    package var id: ULID { get throws { try known.get() } }
}

/// The outcome of a write into a journal.
package enum JournalWriteOutcome {
    case written(AppliedOperation)
    /// It waits in the queue, with so many entries in all.
    case queued(pending: Int, reason: String)
}

/// Writes into journals besides sessions.
extension LibraryWriter {
    /// The journal of a kind that is meant.
    ///
    /// - Parameters:
    ///   - typed: A directory, an id or its beginning, or a title; nil for the one around the working directory, else the only one.
    ///   - mayBeAbsent: Whether what is written can wait: then a whole id names a journal that is not available, as does what the index
    ///     knows one by.
    /// - Returns: Also a file that is a journal on its own, which can only be read.
    /// - Throws: ``StoreError`` with `.noSuchSession` or `.ambiguousSession`.
    package func journal(
        _ typed: String?, of kind: JournalKind, from workingDirectory: FilePath, mayBeAbsent: Bool = false
    ) throws -> JournalTarget {
        let formats = Journals.all[kind].map { JournalRegistry([$0]) } ?? JournalRegistry([])
        let locator = JournalLocator(roots: roots.paths, formats: formats)
        do {
            let found = try locator.journal(typed, noun: "\(kind) journal", from: workingDirectory)
            if Journals.all.isSingleFile(at: found.path) { return JournalTarget(single: found) }
            guard let id = found.id else {
                throw FileError(
                    .invalidData, "its id can't be read", path: found.path,
                    cure: "\(verb: "validate") shows what is wrong with its header")
            }
            try checkIsOnlyOne(found, named: typed, from: workingDirectory)
            return JournalTarget(id: id, candidate: found)
        } catch let error as StoreError where error.code == .noSuchSession {
            guard let typed else { throw error }
            if mayBeAbsent, let id = ULID(typed.uppercased()) { return JournalTarget(id: id, candidate: nil) }
            guard let known = try remembered(typed, of: kind, from: workingDirectory) else { throw error }
            if mayBeAbsent, let id = known.id.flatMap({ ULID($0) }) {
                return JournalTarget(id: id, candidate: nil)
            }
            throw StoreError(
                .noSuchSession, "the \(kind) journal '\(known.listName.oneLine)' is offline",
                path: known.path,
                cure: "mount its disk, then repeat the command")
        }
    }

    /// The journal of a kind that is meant, of those that the index knows and whose roots can't be reached; nil if it is none of them.
    ///
    /// - Throws: ``LibraryError`` with `.journalAmbiguous`.
    private func remembered(
        _ typed: String, of kind: JournalKind, from workingDirectory: FilePath
    ) throws -> IndexedJournal? {
        // What is the last one depends on those that can be reached.
        guard typed != "last" else { return nil }
        do throws(LibraryError) {
            return try JournalName(typed).find(in: offlineJournals(of: kind), from: workingDirectory)
        } catch {
            if error.code == .noSuchJournal { return nil }
            throw error
        }
    }

    /// What is meant by a title may be on a disk that is not mounted now, and then what is here is the wrong one.
    ///
    /// - Throws: ``StoreError`` with `.ambiguousSession`.
    private func checkIsOnlyOne(
        _ found: JournalCandidate, named typed: String?, from workingDirectory: FilePath
    ) throws {
        guard let typed, found.path != workingDirectory.pushing(FilePath(typed)),
            !roots.paths.allSatisfy(Self.isFilled)
        else { return }
        let others = offlineJournals(of: found.kind).filter { $0.id != found.id?.description }
        let meant = others.filter { (try? JournalName(typed).find(in: [$0], from: workingDirectory)) != nil }
        guard let first = meant.first else { return }
        throw StoreError(
            .ambiguousSession,
            "'\(typed.oneLine)' names \(found.path.escaped), and \(first.path.escaped), which is offline",
            cure: "give the directory or the id of one of them with \(option: "journal")")
    }

    /// Whether a root is there and has something in it: an empty one may be where a disk is to be mounted.
    private static func isFilled(_ root: FilePath) -> Bool {
        var isFilled = false
        try? OpenDirectory(root).forEachName { _ in isFilled = true }
        return isFilled
    }

    /// Writes what an entry describes into its journal; where that is not available or can't be written now, it waits in the queue.
    ///
    /// - Parameter mayQueue: Else it fails where the journal can't be written.
    /// - Throws: ``FileError``; ``FormatError`` with `.recordInvalid` if the write is not possible.
    package func perform(
        _ entry: CheckedEntry, in target: JournalTarget, mayQueue: Bool = true
    ) throws -> JournalWriteOutcome {
        guard let candidate = target.candidate else {
            return try queued(entry, "the journal was not found")
        }
        let writer = journalWriter(at: candidate.path)
        do { return .written(try writer.write(entry)) } catch
            where mayQueue && error.isAboutReaching
        {
            return try queued(entry, "\(error)")
        }
    }

    /// What writes into the journal in a directory.
    package func journalWriter(at path: FilePath) -> JournalWriter {
        var writer = JournalWriter(path, formats: Journals.all, runtimeDirectory: runtimeDirectory)
        writer.undoLog = undoLog
        writer.onPutBack = onPutBack
        if let lockTimeout { writer.lockTimeout = lockTimeout }
        return writer
    }

    /// Puts an entry for a journal into the queue.
    ///
    /// - Throws: ``FileError``.
    package func queued(_ checked: CheckedEntry, _ reason: String) throws -> JournalWriteOutcome {
        try queue.local.add(checked)
        noteQueued([checked.entry.id], .queueAdd, for: checked.entry.journalID)
        return .queued(pending: (try? queue.local.files().count) ?? 1, reason: reason)
    }
}
