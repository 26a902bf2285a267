internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceText

/// Entries for journals other than sessions: write durable → ledger.
extension EntryWriter {
    func writeOperations(
        _ items: [Item], to path: FilePath, shouldStop: () -> Bool
    ) throws -> [Written?] {
        var journals = JournalWriter(path, formats: formats, runtimeDirectory: runtimeDirectory)
        journals.failPoint = failPoint
        journals.lockTimeout = lockTimeout
        journals.onPutBack = onPutBack
        return try journals.locked { journal, writing in
            var outcomes: [Written?] = Array(repeating: nil, count: items.count)
            var isHeldUp = false
            var done: Set<ULID> = []
            for (index, item) in items.enumerated() {
                if shouldStop() { break }
                let written =
                    isHeldUp
                    ? Self.heldUp : try write(item, to: &journal, by: writing, after: done)
                isHeldUp = isHeldUp || written.holdsUp
                if !written.result.isPending { done.insert(item.entry.id) }
                outcomes[index] = written
            }
            noteInLedger(items, &outcomes)
            return outcomes
        }
    }

    /// - Parameter done: The entries before it that have left the queue, or are about to.
    private func write(
        _ item: Item, to journal: inout LockedJournal, by writing: any JournalWriting,
        after done: Set<ULID>
    ) throws -> Written {
        let entry = item.entry
        guard journal.id == entry.journalID else {
            return Written(
                result: .waiting("its journal \(entry.journalID) was not found"), holdsUp: true)
        }
        let kind = journal.format.layout.kind
        guard entry.kind.journal == kind else {
            return Written(
                result: .rejected("'\(entry.kind)' is not a write of a journal of the kind '\(kind)'"))
        }
        do {
            let checked = try item.checked ?? CheckedEntry(read: entry, by: formats)
            let standing = try writing.standing([entry.id], in: &journal)[entry.id]
            let verdict = try ledger.read {
                EntryVerdict(entry, standing: standing, makesRecords: checked.makesRecords, $0)
            }
            if let result = settled(item, verdict) { return Written(result: result, line: standing?.record) }
            let applied = try writing.apply(checked, to: &journal)
            return Written(result: .applied, line: applied.record)
        } catch let error as FormatError where error.code == .recordInvalid {
            if let other = waitingEntry(namedBy: entry, writing, besides: done) {
                return Written(result: .waiting("what it is about is in entry \(other), which waits"))
            }
            return Written(result: .rejected(error.message))
        } catch let error as FormatError {
            let failure = FileError(
                .invalidData, error.message, path: journal.directory.path, cure: error.cure)
            return Written(result: .failed(failure), holdsUp: true)
        } catch {
            return Written(result: .failed(error.structured), holdsUp: true)
        }
    }

    /// The entry in a spool that an entry can't do without: one that is still incomplete, say, and makes the row that this one deletes.
    ///
    /// - Complexity: O(entries in the spools), by their names alone
    private func waitingEntry(
        namedBy entry: SpoolEntry, _ writing: any JournalWriting, besides done: Set<ULID>
    ) -> ULID? {
        let waiting = directories.spools.lazy.flatMap { (try? $0.files()) ?? [] }.map(\.id)
        return waiting.first {
            $0 != entry.id && !done.contains($0) && writing.names(entry.payload, recordOf: $0)
        }
    }

    /// The outcome of an entry, or nil if it is to be written.
    func settled(_ item: Item, _ verdict: EntryVerdict) -> DrainOutcome.Result? {
        let isRetried = retried == item.entry.id
        return switch verdict {
        case .stands, .edited: .alreadyApplied
        case .conflict(let reason): .conflict(reason)
        case .vanished where !isRetried: .recordVanished
        case .removed where !isRetried: .removed
        case .dropped where !isRetried: .dropped
        case .new where hasOtherWaiting(item): .conflict("another entry with this id is waiting")
        case .new, .vanished, .removed, .dropped: nil
        }
    }

    /// What could not be noted fails: the writes stand, and who brings the entries again has them noted.
    private func noteInLedger(_ items: [Item], _ outcomes: inout [Written?]) {
        let written = outcomes.written
        guard !written.isEmpty else { return }
        do { try note(written.map { (items[$0.index], $0.result) }) } catch {
            let failure = error.structured
            for (index, _) in written { outcomes[index] = Written(result: .failed(failure), holdsUp: true) }
        }
    }
}
