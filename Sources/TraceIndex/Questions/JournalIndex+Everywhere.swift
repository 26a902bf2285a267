internal import GRDB
public import RecordFormat
public import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceStore

extension JournalIndex {
    /// The markers of several sessions that count, in the order of the moments at which they stand; those of sessions
    /// without a start come last.
    ///
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    /// - Complexity: O(sessions + their markers within the offsets).
    public func markers(_ filter: RecordFilter) throws -> [IndexedRecord] {
        try records(at: markerPlaces(filter)[...])
    }

    /// Where in the index a record stands, as long as that does not change.
    package struct RecordPlace {
        fileprivate let key: Int64
    }

    /// Where the markers are that ``markers(_:)`` returns: eight bytes for each, for those who take many of them bit by bit.
    ///
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    package func markerPlaces(_ filter: RecordFilter) throws -> [RecordPlace] {
        try markers(
            filter, "record.id",
            "ORDER BY epoch_ms IS NULL, \(PauseRows.wallTime), source.path, offset_ms, record.id"
        ) { RecordPlace(key: $0.int(0)) }
    }

    /// What `make` makes of the columns of each marker that counts.
    ///
    /// - Parameter rest: What follows the conditions.
    func markers<Value>(
        _ filter: RecordFilter, _ columns: String, _ rest: String, _ make: (Query.Columns) throws -> Value
    ) throws -> [Value] {
        var conditions = Conditions()
        filter.constrain(&conditions)
        return try database.read { database in
            try database.query(
                """
                SELECT \(columns)
                FROM source CROSS JOIN record INDEXED BY record_by_offset
                    ON record.source_id = source.id AND record.kind = \(RecordKind.marker.code)
                WHERE is_authoritative AND \(conditions.sql) \(rest)
                """
            ).with(conditions.arguments).map(make)
        }
    }

    /// The records that are there, in that order.
    ///
    /// - Throws: ``IndexError`` with `.stale` if one of them counts no more, `.busy`, `.corrupt` or `.io`.
    package func records(at places: ArraySlice<RecordPlace>) throws -> [IndexedRecord] {
        try database.read { database in
            let first = RecordSummary.columnCount
            let query = try database.query(
                """
                SELECT \(RecordSummary.columns), source.path, \(PauseRows.wallTime)
                FROM record JOIN source ON source.id = record.source_id WHERE record.id = ? AND is_authoritative
                """)
            return try places.map { place in
                let record = try query.with(place.key).first { row in
                    try IndexedRecord(
                        RecordSummary(row: row), of: FilePath(bytes: row.blob(first)),
                        at: row.optionalInt(first + 1).map(Timestamp.init(milliseconds:)),
                        isAuthoritative: true, formats)
                }
                guard let record else { throw IndexError(.stale, "the session has changed", path: path) }
                return record
            }
        }
    }

    /// The sessions that ran at a moment, and where in them it lies, the earliest start first.
    ///
    /// A closed session runs until its duration is over, or until its `end_time`; where it has neither, until its last
    /// record. An active one runs until now.
    ///
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    public func sessions(
        runningAt moment: Timestamp, in scope: RecordFilter.Scope, now: Timestamp
    ) throws -> [(session: FilePath, offset: SessionOffset)] {
        var conditions = Conditions()
        scope.constrain(&conditions)
        conditions.add("epoch_ms <= ?", moment.milliseconds)
        return try database.read { database in
            let candidates = try database.query(
                """
                SELECT source.id, source.path, epoch_ms, status, duration_ms, end_ms
                FROM source JOIN session ON session.source_id = source.id
                WHERE \(conditions.sql) ORDER BY epoch_ms, source.path
                """
            ).with(conditions.arguments).map { row in
                let isActive = row.text(3) == Session.Status.active.rawValue
                return (
                    id: row.int(0), path: FilePath(bytes: row.blob(1)),
                    start: Timestamp(milliseconds: row.int(2)), isActive: isActive,
                    duration: row.optionalInt(4).map(SessionOffset.init(milliseconds:)),
                    end: row.optionalInt(5).map(Timestamp.init(milliseconds:))
                )
            }
            return try candidates.compactMap { session in
                let clock = try PauseRows(source: session.id, database: database).clock(
                    startingAt: session.start, isActive: session.isActive)
                let end: Timestamp
                if session.isActive {
                    end = now
                } else if let stated = session.duration.map(clock.wall(at:)) ?? session.end {
                    end = stated
                } else {
                    end = clock.wall(
                        at: try RecordSpan.offsets(
                            of: session.id, RecordKind.lines.map(\.entryKind), in: database)?.upperBound
                            ?? .zero)
                }
                return end < moment ? nil : (session.path, clock.offset(at: moment))
            }
        }
    }

    /// Statistics of the index.
    ///
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    public func statistics() throws -> IndexStatistics {
        try database.read { database in
            func number(_ sql: String) throws -> Int { Int(try database.query(sql).first { $0.int(0) } ?? 0) }
            let search = SearchText(database: database)
            let (lines, filled) = try search.lines()
            return IndexStatistics(
                schemaVersion: Int(IndexSchema.version), sessions: try number("SELECT count(*) FROM session"),
                otherJournals: try number(
                    "SELECT count(*) FROM source WHERE kind != '\(JournalKind.session.name)'"),
                records: try number("SELECT sum(id_count) FROM file"),
                findings: try number("SELECT count(*) FROM finding"), searchableLines: lines,
                filledLines: filled, searchLags: try search.lags())
        }
    }
}

/// Statistics of the index.
public struct IndexStatistics: Sendable, Hashable {
    /// The version of its tables.
    public var schemaVersion: Int
    /// Sessions that have rows.
    public var sessions: Int
    /// Journals of other kinds that have rows.
    public var otherJournals: Int
    /// Records; lines of one id count once.
    public var records: Int
    /// What breaks a rule.
    public var findings: Int
    /// Lines that may have words to search for.
    public var searchableLines: Int
    /// How many of them the search text holds.
    public var filledLines: Int
    /// Whether the search text is out of date with them, or behind the sessions' titles.
    public var searchLags: Bool

    /// Of an index that is still to be made.
    package static var none: IndexStatistics {
        IndexStatistics(
            schemaVersion: Int(IndexSchema.version), sessions: 0, otherJournals: 0, records: 0, findings: 0,
            searchableLines: 0,
            filledLines: 0, searchLags: false)
    }
}
