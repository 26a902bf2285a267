internal import GRDB
internal import TraceFormat

/// Writes the rows of one file's records, and keeps straight which line of an id counts and which ids are
/// used by several kinds.
///
/// The first records are looked up one by one, which is cheapest for an append. After ``lookupLimit`` of them
/// it leaves that to one pass over the ids at the end (``settleIDs(of:in:)``), which is cheapest for a whole
/// file; or, when it is told that a whole file comes (`isBulk`), from the start.
final class RecordWriter {
    /// How many rows were written.
    private(set) var count = 0
    /// How many ids that the file did not have before were seen. When ``isDeferring``, the superseded lines
    /// are still to be taken off.
    private(set) var newIDCount = 0
    /// Whether the ids of the last records were not looked up.
    private(set) var isDeferring = false

    private static let lookupLimit = 4096

    private let source: Int64
    private let file: Int64
    private let kind: RecordKind
    private let insertRecord: Query
    private let insertTag: Query
    private let selectID: Query?
    private let supersede: Query
    private let insertSharedID: Query

    init(source: Int64, file: Int64, kind: RecordKind, isBulk: Bool, in database: Database) throws {
        self.source = source
        self.file = file
        self.kind = kind
        insertRecord = try database.query(
            """
            INSERT INTO record (id, source_id, kind, is_authoritative, offset_ms, duration_ms, byte_offset, byte_length,
                created_ms, ulid, reference, detail, text, note, media_path)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        insertTag = try database.query("INSERT INTO tag (record_id, position, name) VALUES (?, ?, ?)")
        isDeferring = isBulk
        // In bulk there is no such index now.
        selectID =
            isBulk
            ? nil
            : try database.query(
                "SELECT id, kind, is_authoritative FROM record INDEXED BY record_by_ulid WHERE source_id = ? AND ulid = ?"
            )
        supersede = try database.query("UPDATE record SET is_authoritative = 0 WHERE id = ?")
        insertSharedID = try database.query("INSERT OR IGNORE INTO shared_id (source_id, ulid) VALUES (?, ?)")
        insertRecord.bind(2, source).bind(3, kind.code)
    }

    /// Writes the row of the next line.
    func write(_ record: RecordSummary) throws {
        guard record.line <= RecordKey.maximumLine else {
            throw IndexError(.io, "\(kind.fileName) has more lines than the index can hold")
        }
        let key = RecordKey.key(file: file, line: record.line)
        let id = record.id?.description
        if let id { try take(id) }
        insertRecord.bind(1, key).bind(4, id != nil)
            .bind(5, record.offset?.milliseconds).bind(6, record.duration?.milliseconds)
            .bind(7, record.byteOffset).bind(8, record.byteLength).bind(9, record.createdAt?.milliseconds)
            .bind(10, id).bind(11, record.reference?.description).bind(12, record.detail)
            .bind(13, record.text).bind(14, record.note).bind(15, record.mediaPath)
        try insertRecord.run()
        for (position, tag) in record.tags.enumerated() {
            try insertTag.bind(1, key).bind(2, position).bind(3, tag).run()
        }
        count += 1
        if count == Self.lookupLimit { isDeferring = true }
    }

    private func take(_ id: String) throws {
        newIDCount += 1
        guard !isDeferring, let selectID else { return }
        var superseded: Int64?
        var isShared = false
        try selectID.bind(1, source).bind(2, id).forEach { row in
            if row.int(1) != Int64(kind.code) {
                isShared = true
            } else if row.bool(2) {
                superseded = row.int(0)
            }
        }
        if let superseded {
            newIDCount -= 1
            try supersede.bind(1, superseded).run()
        }
        if isShared { try insertSharedID.bind(1, source).bind(2, id).run() }
    }

    /// Does for all ids of a source what was not done one by one.
    ///
    /// - Returns: How many lines turned out to be superseded.
    /// - Complexity: One pass over the index of the source's ids, and a few look-ups for each id that stands
    ///   twice.
    static func settleIDs(of source: Int64, in database: Database) throws -> Int {
        let repeated = """
            (SELECT ulid FROM record INDEXED BY record_by_ulid WHERE source_id = ?1 AND ulid IS NOT NULL
            GROUP BY ulid HAVING count(*) > 1)
            """
        guard try database.query("SELECT 1 FROM \(repeated) LIMIT 1").with(source).first({ _ in true }) != nil
        else {
            return 0
        }
        try database.query(
            """
            INSERT OR IGNORE INTO shared_id (source_id, ulid)
            SELECT ?1, record.ulid FROM \(repeated) AS repeated CROSS JOIN record INDEXED BY record_by_ulid
            ON record.source_id = ?1 AND record.ulid = repeated.ulid
            GROUP BY record.ulid HAVING min(record.kind) <> max(record.kind)
            """
        ).with(source).run()
        try database.query(
            """
            UPDATE record SET is_authoritative = 0 WHERE id IN (
                SELECT earlier.id FROM \(repeated) AS repeated
                CROSS JOIN record AS earlier INDEXED BY record_by_ulid
                ON earlier.source_id = ?1 AND earlier.ulid = repeated.ulid
                WHERE earlier.is_authoritative AND EXISTS (
                    SELECT 1 FROM record AS later INDEXED BY record_by_ulid
                    WHERE later.source_id = ?1 AND later.ulid = earlier.ulid
                        AND later.kind = earlier.kind AND later.id > earlier.id))
            """
        ).with(source).run()
        return database.changesCount
    }
}
