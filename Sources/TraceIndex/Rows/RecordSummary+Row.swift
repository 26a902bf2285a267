internal import RecordFormat

extension RecordSummary {
    /// What ``init(row:)`` reads.
    static let columns = """
        record.id, record.kind, record.byte_offset, record.byte_length, record.record_id, record.offset_ms,
        record.duration_ms, record.created_ms, record.reference, record.detail, record.text, record.note,
        record.media_path, record.tags, record.wall_ms, record.subject
        """
    /// How many ``columns`` there are.
    static let columnCount: Int32 = 16

    /// The record's key, of a row with ``columns``.
    static func key(in row: Query.Columns) -> Int64 { row.int(0) }

    /// What is in `record.offset_ms`, of a row with ``columns``; 0 if that is nothing.
    static func offset(in row: Query.Columns) -> SessionOffset { SessionOffset(milliseconds: row.int(5)) }

    init(row: Query.Columns) throws {
        guard let kind = EntryKind(column: row.int(1)) else {
            throw IndexDamage(description: "a record of no known kind")
        }
        func offset(_ column: Int32) -> SessionOffset? {
            row.optionalInt(column).map(SessionOffset.init(milliseconds:))
        }
        func id(_ column: Int32) -> ULID? { row.text(column).flatMap { ULID($0) } }
        self.init(
            kind: kind, line: RecordKey.line(of: row.int(0)), byteOffset: Int(row.int(2)),
            byteLength: Int(row.int(3)),
            id: id(4), offset: offset(5), duration: offset(6),
            createdAt: row.optionalInt(7).map(Timestamp.init(milliseconds:)),
            wallTime: row.optionalInt(14).map(Timestamp.init(milliseconds:)), reference: id(8),
            detail: row.text(9),
            text: row.text(10), note: row.text(11), mediaPath: row.text(12),
            tags: row.text(13).map(TagText.tags) ?? [])
        if self.id == nil { otherID = row.text(4) }
        subject = row.text(15)
    }
}
