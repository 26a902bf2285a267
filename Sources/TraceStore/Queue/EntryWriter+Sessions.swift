internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceText

/// Entries that ask for something to be done with a session as a whole: one rename → ledger.
///
/// Source: docs/queue.md#deleting-a-session.
extension EntryWriter {
    /// Deletes or restores a session.
    ///
    /// - Parameters:
    ///   - place: Where the session is; afterwards, where it is then.
    ///   - bin: Where it goes, and comes from.
    /// - Note: Durable on return. Killed between the rename and the ledger, the same entry finds the session where it is to be; where somebody has
    ///   moved it back by then, the entry moves it once more.
    func writeWhole(_ item: Item, at place: inout SessionPlace, _ bin: Bin) -> Written {
        let entry = item.entry
        do {
            let verdict = try ledger.read { EntryVerdict(entry, standing: nil, makesRecords: false, $0) }
            if let result = settled(item, verdict) { return Written(result: result) }
            let result: DrainOutcome.Result
            switch (place, entry.kind) {
            case (.found(let path), .removeSession):
                guard mayAdminister(item.deliverer) else { return Self.notPermitted }
                let target = try SessionTarget(requiring: path)
                guard target.session.id == entry.journalID else {
                    return Written(
                        result: .waiting("its session \(entry.journalID) was not found"), holdsUp: true)
                }
                var writer = SessionWriter(target, runtimeDirectory: runtimeDirectory)
                writer.failPoint = failPoint
                writer.lockTimeout = lockTimeout
                place = .inBin(try bin.put(target, by: writer, at: now()))
                result = .applied
            case (.inBin(let deleted), .restoreSession):
                guard mayAdminister(item.deliverer) else { return Self.notPermitted }
                place = .found(try bin.restore(deleted))
                result = .applied
            case (.found, _), (.inBin, _): result = .alreadyApplied
            case (.erased, _): return Written(result: .erased)
            case (.unknown(let reason), _): return Written(result: .waiting(reason))
            }
            try note([(item, result)])
            return Written(result: result)
        } catch {
            return Written(result: .failed(error.structured), holdsUp: true)
        }
    }

    private static let notPermitted = Written(
        result: .rejected(
            "deleting and restoring sessions needs a token of scope admin, which its sender has not"))
}
