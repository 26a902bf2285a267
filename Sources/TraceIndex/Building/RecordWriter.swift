internal import GRDB
internal import RecordFormat

/// Writes the rows of one file's records, and keeps straight which line of an id counts and which ids are
/// used by several kinds.
///
/// The first records are looked up one by one, which is cheapest for an append. After ``lookupLimit`` of them it leaves that to
/// one skip the ids at the end (``settleIDs(of:in:)``), which is cheapest for a whole file; or, if a whole file is expected
/// (`isBulk`), from the start.
final class RecordWriter {
    /// How many rows were written.
    private(set) var count = 0
    /// How many ids that the file did not have before were seen. When ``isDeferring``, the superseded lines
    /// are still to be taken off.
    private(set) var newIDCount = 0
    /// Whether the ids of the last records were not looked up.
    private(set) var isDeferring = false
    /// Whether rows that were there before have been changed since that was noted.
    private var hasSuperseded = false

    private static let lookupLimit = 4096

    private let source: Int64
    private let file: Int64
    private let schema: RecordSchema
    private let database: Database
    private let insertRecord, insertRecords: Query
    private let selectID: Query?
    private let supersede: Query
    private let insertSharedID: Query

    init(source: Int64, file: Int64, schema: RecordSchema, isBulk: Bool, in database: Database) throws {
        self.source = source
        self.file = file
        self.schema = schema
        self.database = database
        insertRecord = try database.query(Self.insertionOfOne)
        insertRecords = try database.query(Self.insertionOfMany)
        isDeferring = isBulk
        // In bulk there is no such index now.
        selectID =
            isBulk
            ? nil
            : try database.query(
                "SELECT id, kind, is_authoritative FROM record INDEXED BY record_by_id WHERE source_id = ? AND record_id = ?"
            )
        supersede = try database.query("UPDATE record SET is_authoritative = 0 WHERE id = ?")
        insertSharedID = try database.query(
            "INSERT OR IGNORE INTO shared_id (source_id, record_id) VALUES (?, ?)")
    }

    /// How many rows one statement writes where ids are not looked up: it seeks their place once.
    private static let rowsAtOnce = 16

    /// A statement whose arguments are the source, the kind, and those of each row.
    private static func insertion(rows: Int) -> String {
        let places = (0..<rows).map { row in
            let columns = (1...rowArguments).map { ", ?\(Int(firstArgument(of: row)) + Int($0))" }
            return "(\(columns[0].dropFirst(2)), ?1, ?2\(columns.dropFirst().joined()))"
        }
        return """
            INSERT INTO record (id, source_id, kind, is_authoritative, offset_ms, duration_ms, byte_offset, byte_length,
                created_ms, record_id, reference, subject, detail, text, note, media_path, tags, wall_ms)
            VALUES \(places.joined(separator: ", "))
            """
    }

    private static let insertionOfOne = insertion(rows: 1)
    private static let insertionOfMany = insertion(rows: rowsAtOnce)
    private static let rowArguments: Int32 = 16

    /// The number of the argument before those of a row.
    private static func firstArgument(of row: Int) -> Int32 { 2 + rowArguments * Int32(row) }

    /// Writes the rows of the next lines.
    func write(_ batch: RecordBatch) throws {
        // Sound: the statements are given texts in this memory, and forget them before it goes.
        try batch.bytes.withUnsafeBytes { memory in
            let queries = [insertRecord, insertRecords, insertSharedID] + (selectID.map { [$0] } ?? [])
            defer { for query in queries { query.forgetArguments() } }
            for insert in [insertRecord, insertRecords] {
                insert.bind(1, source).bind(2, Int(schema.kind.code))
            }
            selectID?.bind(1, source)
            insertSharedID.bind(1, source)
            var next = 0
            while next < batch.rows.count {
                let areMany = isDeferring && batch.rows.count - next >= Self.rowsAtOnce
                let end = next + (areMany ? Self.rowsAtOnce : 1)
                try write(batch.rows[next..<end], memory, by: areMany ? insertRecords : insertRecord)
                next = end
            }
        }
        guard hasSuperseded else { return }
        hasSuperseded = false
        try KnownFile.noteChangedRows("id = ?", file, in: database)
    }

    private func write(
        _ rows: ArraySlice<RecordBatch.Row>, _ memory: UnsafeRawBufferPointer, by insert: Query
    ) throws {
        for (index, row) in rows.enumerated() {
            if let id = row.id.bytes(in: memory) { try take(id) }
            try bind(row, memory, to: insert, at: Self.firstArgument(of: index))
        }
        try insert.run()
        count += rows.count
        if count >= Self.lookupLimit { isDeferring = true }
    }

    private func bind(
        _ row: RecordBatch.Row, _ memory: UnsafeRawBufferPointer, to insert: Query, at first: Int32
    ) throws {
        guard row.line <= RecordKey.maximumLine else {
            throw IndexError(.io, "\(schema.fileName) has more lines than the index can hold")
        }
        insert.bind(first + 1, RecordKey.key(file: file, line: row.line))
        insert.bind(first + 2, !row.id.isNone)
        insert.bind(first + 3, row.offset)
        insert.bind(first + 4, row.duration)
        insert.bind(first + 5, row.byteOffset)
        insert.bind(first + 6, row.byteLength)
        insert.bind(first + 7, row.createdAt)
        insert.bind(first + 8, lent: row.id.bytes(in: memory))
        insert.bind(first + 9, lent: row.reference.bytes(in: memory))
        insert.bind(first + 10, lent: row.subject.bytes(in: memory))
        insert.bind(first + 11, lent: row.detail.bytes(in: memory))
        insert.bind(first + 12, lent: row.text.bytes(in: memory))
        insert.bind(first + 13, lent: row.note.bytes(in: memory))
        insert.bind(first + 14, lent: row.mediaPath.bytes(in: memory))
        insert.bind(first + 15, lent: row.tags.bytes(in: memory))
        insert.bind(first + 16, row.wallTime)
    }

    private func take(_ id: UnsafeRawBufferPointer) throws {
        newIDCount += 1
        guard !isDeferring, let selectID else { return }
        var superseded: Int64?
        var isShared = false
        try selectID.bind(2, lent: id).forEach { row in
            if row.int(1) != Int64(schema.kind.code) {
                isShared = true
            } else if row.bool(2) {
                superseded = row.int(0)
            }
        }
        if let superseded {
            newIDCount -= 1
            try supersede.bind(1, superseded).run()
            hasSuperseded = true
        }
        if isShared { try insertSharedID.bind(2, lent: id).run() }
    }

    /// Does for all ids of a source what was not done one by one.
    ///
    /// - Returns: How many lines turned out to be superseded.
    /// - Complexity: One skip the index of the source's ids, and a few look-ups for each id that is twice.
    static func settleIDs(of source: Int64, in database: Database) throws -> Int {
        let repeated = """
            (SELECT record_id FROM record INDEXED BY record_by_id WHERE source_id = ?1 AND record_id IS NOT NULL
            GROUP BY record_id HAVING count(*) > 1)
            """
        guard try hasRepeatedIDs(source, in: database) else { return 0 }
        try database.query(
            """
            INSERT OR IGNORE INTO shared_id (source_id, record_id)
            SELECT ?1, record.record_id FROM \(repeated) AS repeated CROSS JOIN record INDEXED BY record_by_id
            ON record.source_id = ?1 AND record.record_id = repeated.record_id
            GROUP BY record.record_id HAVING min(record.kind) <> max(record.kind)
            """
        ).with(source).run()
        try database.query(
            """
            UPDATE record SET is_authoritative = 0 WHERE id IN (
                SELECT earlier.id FROM \(repeated) AS repeated
                CROSS JOIN record AS earlier INDEXED BY record_by_id
                ON earlier.source_id = ?1 AND earlier.record_id = repeated.record_id
                WHERE earlier.is_authoritative AND EXISTS (
                    SELECT 1 FROM record AS later INDEXED BY record_by_id
                    WHERE later.source_id = ?1 AND later.record_id = earlier.record_id
                        AND later.kind = earlier.kind AND later.id > earlier.id))
            """
        ).with(source).run()
        let count = database.changesCount
        if count > 0 { try KnownFile.noteChangedRows("source_id = ?", source, in: database) }
        return count
    }

    /// Whether an id is twice among a source's records: by their index, in which such are neighbours.
    private static func hasRepeatedIDs(_ source: Int64, in database: Database) throws -> Bool {
        var last: [UInt8] = []
        var isRepeated = false
        try database.query(
            "SELECT record_id FROM record INDEXED BY record_by_id WHERE source_id = ? AND record_id IS NOT NULL ORDER BY record_id"
        ).with(source).forEach { row in
            if isRepeated { return }
            isRepeated = row.holds(last, at: 0)
            row.copy(0, into: &last)
        }
        return isRepeated
    }
}
