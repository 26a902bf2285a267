internal import GRDB
internal import RecordFormat
internal import TraceFiles

/// Inserts the rows of a batch's records.
struct RecordInsertion {
    /// How many rows one statement inserts, at most: it seeks their place once.
    static let rowsAtOnce = 16

    private let source, file: Int64
    private let one, many: Query

    init(source: Int64, file: Int64, in database: Database) throws {
        self.source = source
        self.file = file
        one = try database.query(Self.one)
        many = try database.query(Self.many)
    }

    /// Inserts all rows of a batch.
    func insert(_ batch: RecordBatch, of kind: EntryKind) throws {
        // Sound: the statements are given texts in this memory, and forget them before it goes.
        try batch.bytes.withUnsafeBytes { memory in
            defer { forgetArguments() }
            var rows = batch.rows[...]
            while !rows.isEmpty {
                let next = rows.prefix(rows.count < Self.rowsAtOnce ? 1 : Self.rowsAtOnce)
                try insert(next, of: kind, memory)
                rows = rows[next.endIndex...]
            }
        }
    }

    /// Inserts one row, or ``rowsAtOnce``.
    ///
    /// - Parameter memory: That of the rows' texts. It stays until ``forgetArguments()``.
    func insert(_ rows: ArraySlice<RecordBatch.Row>, of kind: EntryKind, _ memory: UnsafeRawBufferPointer)
        throws
    {
        let insert = rows.count == 1 ? one : many
        insert.bind(1, source).bind(2, Int(kind.code))
        for (index, row) in rows.enumerated() {
            try bind(row, memory, to: insert, at: Self.firstArgument(of: index))
        }
        try insert.run()
    }

    /// Lets go of the rows' texts.
    func forgetArguments() {
        one.forgetArguments()
        many.forgetArguments()
    }

    private func bind(
        _ row: RecordBatch.Row, _ memory: UnsafeRawBufferPointer, to insert: Query, at first: Int32
    ) throws {
        guard row.line <= RecordKey.maximumLine else {
            throw IndexError(.io, "a file has more records than the index can hold")
        }
        insert.bind(first + 1, RecordKey.key(file: file, line: row.line))
        insert.bind(first + 2, row.isAuthoritative)
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

    // MARK: - The statements

    private static let one = sql(rows: 1)
    private static let many = sql(rows: rowsAtOnce)
    private static let rowArguments: Int32 = 16

    /// The number of the argument before those of a row.
    private static func firstArgument(of row: Int) -> Int32 { 2 + rowArguments * Int32(row) }

    /// A statement whose arguments are the source, the kind, and those of each row.
    private static func sql(rows: Int) -> String {
        let places = (0..<rows).map { row in
            let columns = (1...rowArguments).map { ", ?\(firstArgument(of: row) + $0)" }
            return "(\(columns[0].dropFirst(2)), ?1, ?2\(columns.dropFirst().joined()))"
        }
        return """
            INSERT INTO record (id, source_id, kind, is_authoritative, offset_ms, duration_ms, byte_offset, byte_length,
                created_ms, record_id, reference, subject, detail, text, note, media_path, tags, wall_ms)
            VALUES \(places.joined(separator: ", "))
            """
    }
}
