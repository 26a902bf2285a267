internal import GRDB
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceStore

/// Brings the rows of one file of records up to the file.
struct RecordFileReader {
    let rows: IndexedFileRows
    let name: FilePath.Component
    let schema: RecordSchema
    let snapshot: JournalSnapshot
    let verification: Verification

    private var findings: FindingRows { rows.findings }
    private var database: Database { rows.database }
    private var source: Int64 { findings.source }

    /// - Parameter old: What the index knows of the file.
    func reconcile(_ old: KnownFile?) throws -> IndexedFileRows.Outcome {
        let time = SystemTime.now()
        do {
            guard let file = try snapshot.directory.openRegularFile(name) else {
                return try rows.remove(old)
            }
            var known = try old ?? rows.insert()
            let isRead = old?.identity != nil
            if isRead,
                let (hasher, isWhole) = try IndexedPrefix(of: known, in: database).resumption(
                    in: file, verification)
            {
                known.isProven = isWhole && !file.identity.isTooFresh(at: time)
                return try read(file, known, hasher)
            }
            known.isProven = !file.identity.isTooFresh(at: time)
            return try rereadFile(file, known, hadRows: isRead)
        } catch let error as FileError {
            return try rows.markUnreadable(old, error)
        }
    }

    // MARK: - Reading

    private func rereadFile(
        _ file: OpenRegularFile, _ old: KnownFile, hadRows: Bool
    ) throws -> IndexedFileRows.Outcome {
        let before = try rows.list(of: old)
        try old.deleteContents(from: database)
        var known = KnownFile(id: old.id)
        known.isProven = old.isProven
        var outcome = try read(file, known, BlockHasher())
        outcome.before = before
        outcome.isReread = hadRows
        return outcome
    }

    private func read(
        _ file: OpenRegularFile, _ old: KnownFile, _ hasher: BlockHasher
    ) throws -> IndexedFileRows.Outcome {
        var outcome = IndexedFileRows.Outcome()
        let tail = FindingRows.Origin.file(old.id, fromLine: old.resumePoint.lineNumber)
        outcome.before = try rows.list(of: old, fromLine: old.resumePoint.lineNumber)
        try findings.delete(tail)
        let isBulk = try IndexSchema.dropWideIndexes(
            in: database, before: file.identity.size - Int64(old.resumePoint.byteOffset))
        let writer = try RecordWriter(
            source: source, file: old.id, kind: schema.kind, isBulk: isBulk, in: database)
        let scanFindings = ScanFindings()
        let scan = RecordScan(
            file: file, schema: schema, start: old.resumePoint, hasher: hasher,
            isSettled: snapshot.isSettled(file.identity))
        let result = try scan.run { [findings] batch in
            try writer.write(batch)
            for finding in batch.findings {
                try findings.insert(finding, file: old.id)
                scanFindings.add(finding)
            }
        }
        if isBulk { try IndexSchema.createWideIndexes(in: database) }
        try IndexedPrefix.write(result.hasher, of: old.id, in: database)

        var known = old
        known.identity = result.isWhole ? IndexedIdentity(file.identity) : nil
        known.isInTransit = scanFindings.isInTransit
        known.resumePoint = result.resumePoint
        known.idCount += writer.newIDCount
        try known.update(in: database)
        outcome.known = known
        if writer.count > 0 { outcome.added = [schema.kind: writer.count] }
        outcome.isDeferring = writer.isDeferring
        outcome.after = scanFindings.findings
        return outcome
    }

    /// Collects what the scan's closures find.
    private final class ScanFindings {
        var findings: [Finding] = []
        var isInTransit = false

        func add(_ finding: Finding) {
            if finding.rule == .lineInTransit { isInTransit = true }
            if findings.count < JournalReconciliation.findingLimit { findings.append(finding) }
        }
    }
}
