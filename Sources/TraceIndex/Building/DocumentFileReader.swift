internal import GRDB
internal import RecordFormat
internal import TraceFiles
internal import TraceStore

/// Brings the rows of one file that is a document up to the file: it is read whole, and what is not as before is written.
struct DocumentFileReader {
    let rows: IndexedFileRows
    let snapshot: JournalSnapshot

    private var database: Database { rows.database }

    /// - Parameter old: What the index knows of the file.
    func reconcile(_ old: KnownFile?) throws -> IndexedFileRows.Outcome {
        let time = SystemTime.now()
        do {
            guard let reading = try snapshot.format.read(rows.file.slot, of: snapshot) else {
                return try rows.remove(old)
            }
            var known = try old ?? rows.insert()
            known.identity = IndexedIdentity(reading.identity)
            known.isProven = !reading.identity.isTooFresh(at: time)
            var outcome = IndexedFileRows.Outcome()
            outcome.isReread = old?.identity != nil
            try write(reading.records, of: reading.identity.size, &known, &outcome)
            try write(reading.findings, known, &outcome)
            try known.update(in: database)
            outcome.known = known
            return outcome
        } catch let error as FileError {
            return try rows.markUnreadable(old, error)
        }
    }

    private func write(
        _ records: [DocumentRecord], of size: Int64, _ known: inout KnownFile,
        _ outcome: inout IndexedFileRows.Outcome
    ) throws {
        if known.resumePoint.lineNumber + records.count > RecordKey.maximumLine {
            // The numbers are used up: they begin again.
            try known.deleteContents(from: database)
            known.resumePoint = .start
        }
        let isBulk = try known.idCount == 0 && IndexSchema.dropWideIndexes(in: database, before: size)
        let writer = try DocumentWriter(source: rows.findings.source, known, in: database)
        try writer.replace(with: records)
        if isBulk { try IndexSchema.createWideIndexes(in: database) }
        outcome.added = writer.added
        outcome.removedCount = writer.removedCount
        outcome.hasMoved = writer.movedCount > 0
        known.resumePoint.lineNumber = writer.nextNumber
        known.idCount = records.count
    }

    private func write(
        _ findings: [Finding], _ known: KnownFile, _ outcome: inout IndexedFileRows.Outcome
    ) throws {
        let old = try rows.list(of: known)
        outcome.before = old
        outcome.after = Array(findings.prefix(JournalReconciliation.findingLimit))
        guard old != outcome.after else { return }
        try rows.findings.delete(.file(known.id, fromLine: 0))
        for finding in findings { try rows.findings.insert(finding, file: known.id) }
    }
}
