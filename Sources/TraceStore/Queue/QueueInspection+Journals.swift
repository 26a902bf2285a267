internal import RecordFormat
internal import SystemPackage
internal import TraceFormat

/// Entries for journals other than sessions.
extension QueueInspection {
    /// What stands of the entries, journal by journal. A journal is locked for that: what was cut short in it is finished first.
    func standing(_ files: [InspectedFile]) -> [FilePath: [ULID: Standing]] {
        var ids: [FilePath: Set<ULID>] = [:]
        for file in files {
            guard let journal = file.session, let entry = file.entry, !entry.kind.isOfSession else {
                continue
            }
            ids[journal, default: []].insert(file.queued.file.id)
        }
        return ids.reduce(into: [:]) { standing, journal in
            var journals = JournalWriter(journal.key, formats: formats, runtimeDirectory: runtimeDirectory)
            journals.lockTimeout = .milliseconds(300)
            standing[journal.key] = try? journals.locked { locked, writing in
                try writing.standing(journal.value, in: &locked)
            }
        }
    }

    func verdict(
        of file: InspectedFile, _ standing: [FilePath: [ULID: Standing]], _ ledger: LedgerContents
    ) -> EntryVerdict? {
        guard let entry = file.entry, let found = file.session.flatMap({ standing[$0] }),
            let operation = try? formats.operation(of: entry.kind)
        else { return nil }
        return EntryVerdict(
            entry, standing: found[entry.id], makesRecords: operation.makesRecords, ledger)
    }
}
