internal import GRDB
internal import RecordFormat
internal import TraceStore

/// Writes the rows of one document. A record that is as before keeps its row, wherever in the document it is now; so a
/// record that is added to many costs its own row, and the places of those behind it.
///
/// A row's number says nothing about the record's place: of a document, the order is that of the bytes.
final class DocumentWriter {
    /// How many records of each kind got rows.
    private(set) var added: [EntryKind: Int] = [:]
    private(set) var removedCount = 0
    /// How many rows have another place in the file.
    private(set) var movedCount = 0
    /// The number of the next new row.
    private(set) var nextNumber: Int

    private let source, file: Int64
    private let isRead: Bool
    private let database: Database
    private let insertion: RecordInsertion
    private let remove, move: Query

    init(source: Int64, _ file: KnownFile, in database: Database) throws {
        self.source = source
        self.file = file.id
        self.database = database
        isRead = file.idCount > 0
        nextNumber = file.resumePoint.lineNumber
        insertion = try RecordInsertion(source: source, file: file.id, in: database)
        remove = try database.query("DELETE FROM record WHERE id = ?")
        move = try database.query("UPDATE record SET byte_offset = ?, byte_length = ? WHERE id = ?")
    }

    /// A row that is there.
    private struct KnownRow {
        let key: Int64
        let range: Range<Int>
    }

    func replace(with records: [DocumentRecord]) throws {
        guard isRead else { return try insert(records) }
        var known = try rows()
        var new: [DocumentRecord] = []
        var moved: [(key: Int64, range: Range<Int>)] = []
        for record in records {
            guard !known.isEmpty, let row = known[Self.hash(of: record)]?.popLast() else {
                new.append(record)
                continue
            }
            if row.range != record.range { moved.append((row.key, record.range)) }
        }
        let gone = known.values.joined().map(\.key)
        try remove(gone)
        for (key, range) in moved { try move.with(range.lowerBound, range.count, key).run() }
        try insert(new)
        removedCount = gone.count
        movedCount = moved.count
        if !gone.isEmpty || !moved.isEmpty { try KnownFile.noteChangedRows("id = ?", file, in: database) }
    }

    private func insert(_ records: [DocumentRecord]) throws {
        var batch = RecordBatch(isFirst: records.count < RecordInsertion.rowsAtOnce)
        for (index, record) in records.enumerated() {
            batch.add(record, number: nextNumber)
            nextNumber += 1
            added[record.kind, default: 0] += 1
            let isLast = index + 1 == records.count || records[index + 1].kind != record.kind
            guard isLast || batch.isFull else { continue }
            try insertion.insert(batch, of: record.kind)
            batch.removeAll()
        }
    }

    /// Takes rows out, and their words.
    private func remove(_ keys: [Int64]) throws {
        guard !keys.isEmpty else { return }
        let search = SearchText(database: database)
        for key in keys {
            try search.remove(record: key, of: file)
            try remove.with(key).run()
        }
    }

    // MARK: - Comparing

    /// The rows by what they say, those of one record in the reverse of their order in the file.
    private func rows() throws -> [Int: [KnownRow]] {
        var rows: [Int: [KnownRow]] = [:]
        let keys = RecordKey.range(ofFile: file)
        try database.query(
            """
            SELECT id, byte_offset, byte_length, kind, offset_ms, record_id, reference, subject, detail, text, note, tags
            FROM record WHERE id BETWEEN ? AND ?
            """
        ).with(keys.lowerBound, keys.upperBound).forEach { row in
            let start = Int(row.int(1))
            let known = KnownRow(key: row.int(0), range: start..<start + Int(row.int(2)))
            var hasher = Hasher()
            row.hash(from: 3, into: &hasher)
            rows[hasher.finalize(), default: []].append(known)
        }
        for (hash, found) in rows where found.count > 1 {
            rows[hash] = found.sorted { $0.range.lowerBound > $1.range.lowerBound }
        }
        return rows
    }

    /// The hash of what the row of a record says, as that of a row that is there.
    private static func hash(of record: DocumentRecord) -> Int {
        var hasher = Hasher()
        Query.hash(Int64(record.kind.code), into: &hasher)
        Query.hash(record.time?.milliseconds, into: &hasher)
        for text in [
            record.id, record.reference, record.subject, record.detail, record.text, record.note,
            text(of: record.tags),
        ] {
            Query.hash(text, into: &hasher)
        }
        return hasher.finalize()
    }

    private static func text(of tags: [String]) -> String? {
        guard !tags.isEmpty else { return nil }
        var bytes: [UInt8] = []
        for tag in tags { TagText.append(tag.utf8, isFirst: bytes.isEmpty, to: &bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
