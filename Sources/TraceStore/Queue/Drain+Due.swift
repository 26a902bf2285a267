internal import TraceCrypto
package import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceFormat

extension Drain {
    /// Puts into the local spool what is due to be written into journals without anybody's asking, each once for ever: what a person
    /// has taken back is not written again.
    ///
    /// - Parameters:
    ///   - journals: Their directories. Those that can't be read are left out: what is wrong with them is a finding.
    ///   - zone: In which days are counted in journals that name none.
    /// - Returns: How many entries are new.
    /// - Throws: ``FileError`` if the ledger or the spool can't be used.
    package func queueDue(in journals: [FilePath], zone: ZoneRules) throws -> Int {
        let due = journals.flatMap { (try? dueEntries(in: $0, zone)) ?? [] }
        guard !due.isEmpty else { return 0 }
        try OpenDirectory.make(directories.state)
        let unwritten = try ledger.read(in: OpenDirectory(directories.state)) { contents in
            due.filter { !contents.contains($0.entry.id) && !contents.isDropped($0.entry) }
        }
        let new = unwritten.filter { due in
            !directories.places.contains { $0.1.entry(due.entry.id) != nil }
        }
        for entry in new { try directories.local.add(entry) }
        return new.count
    }

    private func dueEntries(in path: FilePath, _ zone: ZoneRules) throws -> [CheckedEntry] {
        guard let snapshot = try formats.snapshot(at: path, settleTime: .zero),
            let writing = snapshot.format.writing
        else { return [] }
        let header = try snapshot.format.header(of: snapshot)
        guard header.state == .open, let id = header.id.flatMap({ ULID($0) }) else { return [] }
        let zone = try header.timeZone.map { try ZoneFiles.rules(named: $0) } ?? zone
        let kind = snapshot.format.layout.kind
        return try writing.dueWrites(in: snapshot, at: now(), zone: zone).map { write in
            try CheckedEntry(
                write.operation, write.arguments, of: kind, id: write.id(in: id, of: kind), journalID: id,
                createdAt: write.time)
        }
    }
}

extension DueWrite {
    /// The id of its entry, which is always the same.
    fileprivate func id(in journal: ULID, of kind: JournalKind) -> ULID {
        let entry = EntryOperation(operation, of: kind)
        return ULID(
            milliseconds: time.milliseconds,
            digest: SHA256.hash(data: Array("trace:due:\(journal):\(entry):\(name)".utf8)))
    }
}
