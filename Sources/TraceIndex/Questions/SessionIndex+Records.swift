internal import GRDB
public import SystemPackage
public import TraceFormat
internal import TraceStore

extension SessionIndex {
    /// The records of a session in the order of their offsets, then of their lines; those without an offset
    /// come first.
    ///
    /// - Parameters:
    ///   - kind: Only those of that kind; of several kinds at one offset, they come in the order of
    ///   ``RecordKind/lines``.
    ///   - offsets: Only those that stand within.
    ///   - tag: Only those that bear it, in whatever case.
    ///   - authoritativeOnly: Only the last line of each id; else lines that were superseded or have no id
    ///   too.
    ///   - limit: At most so many.
    /// - Throws: ``IndexError`` with `.noSuchSession`, `.busy`, `.corrupt` or `.io`.
    /// - Complexity: O(log of all records + what is returned), for one kind and without a tag.
    public func records(
        of session: FilePath, kind: RecordKind? = nil, offsets: ClosedRange<SessionOffset>? = nil,
        tag: String? = nil,
        authoritativeOnly: Bool = true, limit: Int? = nil
    ) throws -> [IndexedRecord] {
        try database.read { database in
            let query = try RecordQuery(session, in: database)
            var conditions = ["record.source_id = ?1"]
            if kind != nil { conditions.append("record.kind = ?2") }
            if offsets != nil { conditions.append("offset_ms BETWEEN ?3 AND ?4") }
            if authoritativeOnly { conditions.append("is_authoritative") }
            if tag != nil {
                conditions.append(
                    "EXISTS (SELECT 1 FROM tag WHERE record_id = record.id AND name = ?5 COLLATE NOCASE)")
            }
            return try query.records(
                "\(conditions.joined(separator: " AND ")) ORDER BY offset_ms, record.kind, record.id LIMIT ?6",
                kind?.code, offsets?.lowerBound.milliseconds, offsets?.upperBound.milliseconds, tag,
                limit ?? -1)
        }
    }

    /// The marker that stands last in `markers.jsonl`, of those with an id and an offset, or nil.
    ///
    /// - Throws: ``IndexError`` with `.noSuchSession`, `.busy`, `.corrupt` or `.io`.
    public func lastMarker(of session: FilePath) throws -> IndexedRecord? {
        try database.read { database in
            let query = try RecordQuery(session, in: database)
            let file = try database.query("SELECT id FROM file WHERE source_id = ? AND kind = ?")
                .with(query.source, RecordKind.marker.rawValue).first { $0.int(0) }
            guard let file else { return nil }
            let keys = RecordKey.range(ofFile: file)
            let condition = "record.id BETWEEN ?2 AND ?3 AND is_authoritative AND offset_ms IS NOT NULL"
            return try query.records(
                "\(condition) ORDER BY record.id DESC LIMIT 1", keys.lowerBound, keys.upperBound
            ).first
        }
    }

    /// The bytes of a record's line, without its line break, read from the file.
    ///
    /// - Throws: ``IndexError`` with `.stale` where the file holds another line there by now; `TraceStore`'s
    ///   `StoreError` where it can't be read.
    public func line(of record: IndexedRecord) throws -> [UInt8] {
        let stale = IndexError(
            .stale, "line \(record.line) is no longer what the index read", path: record.file,
            hint: "ask again when the session has been reconciled")
        let directory = try OpenDirectory(record.session)
        guard let file = try directory.openRegularFile(record.kind.component) else { throw stale }
        let before = record.byteOffset > 0 ? 1 : 0
        // One byte before the line and two behind it: the breaks between which it must lie.
        let bytes = try file.bytes(
            at: Int64(record.byteOffset - before), count: before + record.byteLength + 2)
        let line = bytes.dropFirst(before).prefix(record.byteLength)
        let end = bytes.dropFirst(before + record.byteLength)
        guard before == 0 || bytes.first == UInt8(ascii: "\n"), line.count == record.byteLength,
            end.first == UInt8(ascii: "\n") || end.elementsEqual("\r\n".utf8),
            !line.contains(UInt8(ascii: "\n")),
            try holds(line, record)
        else { throw stale }
        return Array(line)
    }

    /// Whether a line holds that record still, as far as its id and offset tell.
    private func holds(_ bytes: some Collection<UInt8>, _ record: IndexedRecord) throws -> Bool {
        let checker = try RecordChecker(record.kind)
        return PaddedBytes.withLine(bytes) { line in
            guard let checked = checker.check(line, report: { _ in }) else { return false }
            let summary = RecordSummarizer(record.kind).summary(of: checked, on: line)
            return summary.id == record.id && summary.offset == record.offset
        }
    }
}

/// Reads records of one session.
private struct RecordQuery {
    let session: FilePath
    let source: Int64
    private let start: Timestamp?
    private let database: Database

    init(_ session: FilePath, in database: Database) throws {
        let row = try database.query(
            "SELECT source.id, start_ms FROM source LEFT JOIN session ON source_id = source.id WHERE path = ?"
        ).with(session.bytes).first { ($0.int(0), $0.optionalInt(1)) }
        guard let (source, start) = row else {
            throw IndexError(
                .noSuchSession, "the index has no such session", path: session,
                hint: "reconcile it, or read its files")
        }
        self.session = session
        self.source = source
        self.start = start.map(Timestamp.init(milliseconds:))
        self.database = database
    }

    /// - Parameter arguments: Those from ?2 on; ?1 is the source.
    func records(_ condition: String, _ arguments: (any SQLArgument)?...) throws -> [IndexedRecord] {
        let query = try database.query(
            "SELECT \(RecordSummary.columns), is_authoritative FROM record WHERE \(condition)")
        var records = try query.with([source] + arguments).map { row in
            let isAuthoritative = row.bool(RecordSummary.columnCount)
            return (row.int(0), record(try RecordSummary(row: row), isAuthoritative: isAuthoritative))
        }
        let tags = try database.query("SELECT name FROM tag WHERE record_id = ? ORDER BY position")
        for index in records.indices where records[index].1.kind == .marker {
            records[index].1.tags = try tags.with(records[index].0).map { $0.text(0) ?? "" }
        }
        return records.map(\.1)
    }

    private func record(_ summary: RecordSummary, isAuthoritative: Bool) -> IndexedRecord {
        IndexedRecord(
            session: session, kind: summary.kind, line: summary.line, byteOffset: summary.byteOffset,
            byteLength: summary.byteLength, id: summary.id, isAuthoritative: isAuthoritative,
            offset: summary.offset, duration: summary.duration,
            wallTime: start.flatMap { start in summary.offset.map { start + $0 } },
            createdAt: summary.createdAt, reference: summary.reference, detail: summary.detail,
            text: summary.text, note: summary.note, mediaPath: summary.mediaPath, tags: [])
    }
}

extension OpenRegularFile {
    /// Up to `count` bytes from `offset`; fewer where the file ends.
    fileprivate func bytes(at offset: Int64, count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let filled = try bytes.withUnsafeMutableBytes { try read(into: $0, at: offset) }
        return Array(bytes.prefix(filled))
    }
}
