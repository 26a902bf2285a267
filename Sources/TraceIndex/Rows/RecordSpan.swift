internal import GRDB
internal import RecordFormat

/// Where the records of a source begin and end.
enum RecordSpan {
    /// The least and the greatest offset of any of its records of these kinds; nil if none has one.
    ///
    /// - Complexity: Two steps in the index of the offsets for each kind.
    static func offsets(
        of source: Int64, _ kinds: [EntryKind], in database: Database
    ) throws -> ClosedRange<SessionOffset>? {
        let records = """
            FROM record INDEXED BY record_by_offset
            WHERE source_id = ?1 AND kind = ?2 AND offset_ms IS NOT NULL
            """
        let query = try database.query(
            "SELECT (SELECT min(offset_ms) \(records)), (SELECT max(offset_ms) \(records))")
        var span: ClosedRange<Int64>?
        for kind in kinds {
            try query.with(source, Int(kind.code)).forEach { row in
                guard let first = row.optionalInt(0), let last = row.optionalInt(1), first <= last else {
                    return
                }
                span = min(first, span?.lowerBound ?? first)...max(last, span?.upperBound ?? last)
            }
        }
        return span.map {
            SessionOffset(milliseconds: $0.lowerBound)...SessionOffset(milliseconds: $0.upperBound)
        }
    }
}
