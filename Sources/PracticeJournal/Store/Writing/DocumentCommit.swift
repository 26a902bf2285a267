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
        // Before something is said that could not be: others may have written since the document was read.
        try requireUnchanged(in: journal)
        if case .foreign(let after) = opened.known, let checksum = opened.checksum {
            try log.append(
                SyncLine.text(
                    ofDocument: document.bytes, foreignStamp(isFirst: after == nil), clock: opened.clock,
                    before: after, after: checksum), by: journal.lock)
        }
        let line = SyncLine.text(
            of: write, .own(after: opened.clock, at: now), before: opened.checksum,
            after: OpenedDocument.checksum(of: new), changes: change.json(in: document))
        try log.append(line, by: journal.lock)
        try journal.directory.replaceFile(
            OpenedDocument.file, with: new, expecting: opened.identity)
        return true
    }

    private func requireUnchanged(in journal: LockedJournal) throws {
        let path = journal.directory.path(of: OpenedDocument.file)
        let status = try journal.directory.statusIfPresent(of: OpenedDocument.file, followingLinks: true)
        guard status?.identity == opened.identity else {
            throw FileError(.changedMeanwhile, "changed while it was read", path: path, hint: "try again")
        }
    }

    /// When what others have written was said: by the file's time; of what was there before anybody was noted, by its newest date.
    private func foreignStamp(isFirst: Bool) -> SyncStamp {
        if isFirst {
            let newest = PracticeArray.allCases.flatMap { opened.document.times(of: $0) }.compactMap(\.self)
                .max()
            return SyncStamp(
                milliseconds: newest.flatMap { Int64(exactly: $0.rounded(.down)) } ?? 0, counter: 0,
                device: "")
        }
        let modified = opened.identity?.modified.timestamp.milliseconds ?? now.milliseconds
        return SyncStamp(
            milliseconds: min(modified, now.milliseconds), counter: 0, device: SyncStamp.documentDevice)
    }
}
