internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// Writes a change into the document of a journal that is locked: the log's line durable → the document replaced.
///
/// With the log's line the write is made, once and for all. A kill in between leaves it to the next writer, whom the line's checksums
/// tell that the document lacks the change (``OpenedDocument/open(in:now:acceptsEmptied:patience:)``); and where another program writes the
/// document in between, it is finished in the same way at once, and never made again.
///
/// Source: docs/decisions/0036-a-write-is-made-with-its-line.md.
struct DocumentCommit {
    let opened: OpenedDocument
    let now: Timestamp
    var patience = DocumentPatience()

    /// - Parameter write: What the log says of the write.
    /// - Returns: Whether something was changed.
    /// - Throws: ``FileError``; with `.changedMeanwhile` if another program has written the document: then nothing is noted, and it can be
    ///   tried again; with `.invalidData` if something in the document is not what it should be; ``PracticeError`` with `.writeUnfinished` if the
    ///   log has the write, and others keep it out of the document.
    /// - Note: Durable on return.
    func write(
        _ change: DocumentChange, as write: SyncLine.Write, in journal: inout LockedJournal
    ) throws -> Bool {
        let document = opened.document
        let new: [UInt8]
        do throws(FormatError) { new = try document.applying(change) } catch {
            // It is the document that is wrong, and not the write.
            throw FileError(
                .invalidData, error.message, path: journal.directory.path(of: OpenedDocument.file),
                cure: error.cure)
        }
        guard new != document.bytes || opened.identity == nil else { return false }
        try commit(new, in: &journal) {
            SyncLine.text(
                of: write, .own(after: opened.clock, at: now), before: opened.checksum,
                after: OpenedDocument.checksum(of: new), changes: change.json(in: document))
        }
        return true
    }

    /// Adds a line to the log, and gives the document the bytes of which it tells.
    ///
    /// - Throws: As ``write(_:as:in:)``.
    /// - Note: Durable on return. Killed in between, the next write finishes it.
    func commit(_ new: [UInt8], in journal: inout LockedJournal, line: () -> [UInt8]) throws {
        journal.state = nil
        let log = SyncLog(journal.directory)
        try requireUnchanged(in: journal)
        try opened.note(in: log, by: journal.lock, now: now)
        try log.append(line(), by: journal.lock)
        do {
            if new != opened.document.bytes || opened.identity == nil {
                try journal.directory.replaceFile(
                    OpenedDocument.file, with: new, expecting: opened.identity)
            }
        } catch let error as FileError where error.code == .changedMeanwhile {
            try finish(in: &journal)
        }
        shorten(log, besides: new.count, in: journal)
    }

    /// Brings the document in step with the log, which has the write.
    private func finish(in journal: inout LockedJournal) throws {
        do { _ = try OpenedDocument.open(in: &journal, now: now, patience: patience) } catch {
            let error = FileError(reading: error)
            throw PracticeError(
                .writeUnfinished, "the write is in sync.jsonl, and not in the document yet: \(error.message)",
                path: error.path ?? journal.directory.path(of: OpenedDocument.file),
                cure: "do not repeat it: the next write finishes it")
        }
    }

    /// What was written stands whatever becomes of this: a log that could not be shortened is as it was, and the next write tries again.
    private func shorten(_ log: SyncLog, besides document: Int, in journal: LockedJournal) {
        try? log.shorten(besides: document, by: journal.lock)
    }

    /// Before something is said that could not be: others may have written since the document was read.
    ///
    /// - Throws: ``FileError`` with `.changedMeanwhile`.
    private func requireUnchanged(in journal: LockedJournal) throws {
        let path = journal.directory.path(of: OpenedDocument.file)
        let status = try journal.directory.statusIfPresent(of: OpenedDocument.file, followingLinks: true)
        guard status?.identity == opened.identity else {
            throw FileError(.changedMeanwhile, "changed while it was read", path: path, cure: "try again")
        }
    }
}

extension FileError {
    /// The error itself, or what is wrong with a file in its words.
    fileprivate init(reading error: any Error) {
        self = error as? FileError ?? FileError(.invalidData, "\(error)")
    }
}
