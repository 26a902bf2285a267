internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat

/// Writes entries into their session, in the steps that drains and deliveries share: audio durable in `media/` → line durable →
/// `session.json` → ledger. Those of a change are in `EntryWriter+Changes.swift`.
///
/// All of it happens under the session's lock, and what the ledger and the session say is read under it. So of two who bring one
/// entry, in whatever way, the second finds what the first has done; and who removes a record finds it noted as applied.
struct EntryWriter {
    let directories: QueueDirectories
    let runtimeDirectory: FilePath?
    let lockTimeout: Duration
    let now: @Sendable () -> Timestamp
    let failPoint: FailPoint?
    let ledger: Ledger
    /// What tells where records are without reading the session.
    let records: (any RecordLookup)?
    /// The kinds of journal that entries may be for.
    let formats: JournalRegistry

    /// Called when something is put back into a journal that another program has saved over.
    var onPutBack: PutBackReport?

    /// What who delivered an entry over the network may have changed, when it is written.
    var rights: @Sendable (Deliverer) -> DelivererRights = { _ in .nothing }

    /// Makes the sessions that entries begin; nil makes none.
    var begin: SessionBeginning?

    /// The one entry that is tried again on purpose: written even if its record was removed, or the entry
    /// dropped.
    var retried: ULID?

    /// The spool in which another entry of an id may wait, whose turn comes first; nil for the drain of that entry itself.
    var waiting: Spool?

    /// How many entries are written under one hold of a session's lock: it is given back now and then, so that a person who
    /// marks the session need not wait for a long queue.
    static let batchSize = 64

    /// An entry, and where its audio is.
    struct Item {
        let entry: SpoolEntry
        /// The same, where it has been checked before.
        var checked: CheckedEntry?
        let audio: Audio
        /// Who delivered it over the network.
        var deliverer: Deliverer?
    }

    /// Where an entry's audio is.
    enum Audio {
        /// Beside the entry, in a spool or a directory that keeps entries.
        case beside(Spool)
        /// A file of somebody else's; nil if it has not come yet.
        case file(FilePath?)
    }

    /// The outcome of an entry.
    struct Written {
        var result: DrainOutcome.Result
        /// The record's line as it is in the file, where it is there.
        var line: [UInt8]?
        /// Whether the entries behind it wait, too: what keeps it out of its journal is not of its own.
        var holdsUp = false
    }

    /// Of an entry behind one that is held up: what it is about may be what that one would have written.
    static let heldUp = Written(
        result: .waiting("an entry before it could not be written"), holdsUp: true)

    /// Writes entries of one journal.
    ///
    /// - Parameters:
    ///   - session: The directory; entries of another journal than is there now wait.
    ///   - waiting: Entries that wait for something of their own: what names the record of an earlier one of them waits, too.
    /// - Returns: The outcome of each, in their order; nil for those that a stop has left alone, at whatever step.
    /// - Throws: ``FileError`` if the journal can't be locked or read, or the ledger can't be read. What is written then is found
    ///   when the same entries come again.
    /// - Note: What was applied is durable on return.
    func write(
        _ items: [Item], to session: FilePath, behind waiting: Set<ULID>, shouldStop: () -> Bool = { false }
    ) throws -> [Written?] {
        let isOfSession = items.map(\.entry.kind.isOfSession)
        guard isOfSession.contains(false) else {
            return try writeInSession(items, to: session, behind: waiting, shouldStop: shouldStop)
        }
        guard isOfSession.contains(true) else {
            return try writeOperations(items, to: session, shouldStop: shouldStop)
        }
        // An id is one journal's, and so most of one kind or the other are refused.
        var written: [Written?] = Array(repeating: nil, count: items.count)
        for isOfSessions in [true, false] {
            let indices = items.indices.filter { isOfSession[$0] == isOfSessions }
            let part = try write(
                indices.map { items[$0] }, to: session, behind: waiting, shouldStop: shouldStop)
            for (index, outcome) in zip(indices, part) { written[index] = outcome }
        }
        return written
    }

    /// Records that follow each other are written together; a change finds what is before it done, and is done before what is behind it.
    private func writeInSession(
        _ items: [Item], to session: FilePath, behind waiting: Set<ULID>, shouldStop: () -> Bool
    ) throws -> [Written?] {
        var writer = SessionWriter(session, runtimeDirectory: runtimeDirectory)
        writer.failPoint = failPoint
        writer.lockTimeout = lockTimeout
        return try writer.locked { locked in
            var outcomes: [Written?] = []
            var waiting = waiting
            var done: Set<ULID> = []
            var isHeldUp = false
            while outcomes.count < items.count {
                let rest = items[outcomes.count...]
                let records = rest.prefix { !$0.entry.kind.isChange }
                let written: [Written?]
                if isHeldUp {
                    written = rest.map { _ in Self.heldUp }
                } else if shouldStop() {
                    written = rest.map { _ in nil }
                } else if records.isEmpty {
                    written = rest.prefix(1).map { write(change: $0, in: locked, after: done) }
                } else {
                    written = try write(
                        records: Array(records), in: locked, behind: waiting, shouldStop: shouldStop)
                }
                for (item, outcome) in zip(rest, written) {
                    guard let outcome else { continue }
                    isHeldUp = isHeldUp || outcome.holdsUp
                    if outcome.result.isPending {
                        waiting.insert(item.entry.id)
                    } else {
                        done.insert(item.entry.id)
                    }
                }
                outcomes += written
            }
            return outcomes
        }
    }

    private func write(
        records items: [Item], in session: LockedSession, behind waiting: Set<ULID>, shouldStop: () -> Bool
    ) throws -> [Written?] {
        var batch = try EntryBatch(items, in: session, by: self, behind: waiting)
        try batch.write(shouldStop: shouldStop)
        batch.updateHeader()
        batch.noteInLedger()
        return batch.outcomes
    }

    /// Notes in the ledger what is written, and who delivered it. That is who brought it if it was written for them: who brings a record
    /// again that is there already did not make it, and may not remove it either.
    ///
    /// - Throws: ``FileError``.
    func note(_ written: [(item: Item, result: DrainOutcome.Result)]) throws {
        try ledger.add(
            written.map { item, result in
                if case .applied = result { (item.entry, item.deliverer) } else { (item.entry, nil) }
            }, at: now())
    }

    /// Whether another record waits under an entry's id, e.g. a voice note for its audio: once it is written, this one would be in
    /// its way. So is the same record of somebody else, if it waits for audio: that is theirs to bring.
    func hasOtherWaiting(_ item: Item) -> Bool {
        guard let other = waiting?.entry(item.entry.id) else { return false }
        return LedgerContents.checksum(of: other) != LedgerContents.checksum(of: item.entry)
            || (other.attachment != nil && !Deliverer.areSame(other.deliveredBy, item.deliverer))
    }

    /// Where an entry's audio is now: where it came, or where an entry that shares it took it.
    func place(of attachment: SpoolEntry.Attachment, _ audio: Audio) throws -> FilePath? {
        let keeping = [directories.done, directories.failed, directories.dropped]
        switch audio {
        case .file(let path?): return path
        case .beside(let spool) where !keeping.contains(spool.path):
            if let name = try spool.name(of: attachment) { return spool.path.appending(name) }
        default: break
        }
        for kept in keeping {
            if let name = try Spool(kept).keptName(of: attachment) { return kept.appending(name) }
        }
        return nil
    }
}

extension DrainOutcome.Result {
    /// Whether a stop has ended the copying of its audio.
    var isCutShort: Bool {
        if case .failed(let failure) = self { (failure as? FileError)?.errno == .canceled } else { false }
    }

    /// Whether its record is in the session, and this is to be noted.
    package var isWritten: Bool {
        switch self {
        case .applied, .alreadyApplied: true
        default: false
        }
    }
}

extension [EntryWriter.Written?] {
    /// The entries whose records are in their journal, by their places.
    var written: [(index: Int, result: DrainOutcome.Result)] {
        indices.compactMap { index in
            self[index].flatMap { $0.result.isWritten ? (index, $0.result) : nil }
        }
    }
}
