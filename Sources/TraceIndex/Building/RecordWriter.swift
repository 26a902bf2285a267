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
    private let kind: EntryKind
    private let database: Database
    private let insertion: RecordInsertion
    private let selectID: Query?
    private let supersede: Query
    private let insertSharedID: Query

    init(source: Int64, file: Int64, kind: EntryKind, isBulk: Bool, in database: Database) throws {
        self.source = source
        self.file = file
        self.kind = kind
        self.database = database
        insertion = try RecordInsertion(source: source, file: file, in: database)
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

    /// Writes the rows of the next lines.
    func write(_ batch: RecordBatch) throws {
        // Sound: the statements are given texts in this memory, and forget them before it goes.
        try batch.bytes.withUnsafeBytes { memory in
            let queries = [insertSharedID] + (selectID.map { [$0] } ?? [])
            defer {
                insertion.forgetArguments()
                for query in queries { query.forgetArguments() }
            }
            for query in queries { query.bind(1, source) }
            var rows = batch.rows[...]
            while !rows.isEmpty {
                // An id that is looked up must be there before the next one is.
                let areMany = isDeferring && rows.count >= RecordInsertion.rowsAtOnce
                let next = rows.prefix(areMany ? RecordInsertion.rowsAtOnce : 1)
                for row in next { if let id = row.id.bytes(in: memory) { try take(id) } }
                try insertion.insert(next, of: kind, memory)
                rows = rows[next.endIndex...]
                count += next.count
                if count >= Self.lookupLimit { isDeferring = true }
            }
        }
        guard hasSuperseded else { return }
        hasSuperseded = false
        try KnownFile.noteChangedRows("id = ?", file, in: database)
    }

    private func take(_ id: UnsafeRawBufferPointer) throws {
        newIDCount += 1
        guard !isDeferring, let selectID else { return }
        var superseded: Int64?
        var isShared = false
        try selectID.bind(2, lent: id).forEach { row in
            if row.int(1) != Int64(kind.code) {
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
