internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceStore

/// Writes a change into the document of a journal that is locked: the log's line durable → the document replaced.
///
/// A kill in between leaves the log's line, whose checksums tell the next writer that the document lacks the change; it finishes
/// it (``OpenedDocument/open(in:now:)``).
struct DocumentCommit {
    let opened: OpenedDocument
    let now: Timestamp

    /// - Parameter write: What the log says of the write.
    /// - Returns: Whether something was changed.
    /// - Throws: ``FileError``; with `.changedMeanwhile` if another program has written the document: look again; with `.invalidData`
    ///   if something in the document is not what it should be.
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
                hint: error.hint)
        }
        guard new != document.bytes || opened.identity == nil else { return false }
        journal.state = nil
        let log = SyncLog(journal.directory)
        try requireUnchanged(in: journal)
        try opened.note(in: log, by: journal.lock, now: now)
        let line = SyncLine.text(
            of: write, .own(after: opened.clock, at: now), before: opened.checksum,
            after: OpenedDocument.checksum(of: new), changes: change.json(in: document))
        try log.append(line, by: journal.lock)
        try journal.directory.replaceFile(
            OpenedDocument.file, with: new, expecting: opened.identity)
        shorten(log, besides: new.count, in: journal)
        return true
    }

    /// What was written stands whatever becomes of this: a log that could not be shortened is as it was, and the next write tries again.
    func shorten(_ log: SyncLog, besides document: Int, in journal: LockedJournal) {
        try? log.shorten(besides: document, by: journal.lock)
    }

    /// Before something is said that could not be: others may have written since the document was read.
    ///
    /// - Throws: ``FileError`` with `.changedMeanwhile`.
    func requireUnchanged(in journal: LockedJournal) throws {
        let path = journal.directory.path(of: OpenedDocument.file)
        let status = try journal.directory.statusIfPresent(of: OpenedDocument.file, followingLinks: true)
        guard status?.identity == opened.identity else {
            throw FileError(.changedMeanwhile, "changed while it was read", path: path, hint: "try again")
        }
    }
}
