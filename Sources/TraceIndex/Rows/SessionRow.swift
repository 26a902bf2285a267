internal import GRDB
internal import RecordFormat
internal import TraceFormat

/// What the index keeps of `session.json` beside what it keeps of any header (``HeaderRow``).
struct SessionRow: Equatable {
    var status: Session.Status?
    var createdAt, updatedAt, endTime: Timestamp?
    var duration: SessionOffset?

    init(_ session: Session) {
        status = session.status
        createdAt = session.createdAt
        updatedAt = session.updatedAt
        endTime = session.endTime
        duration = session.duration
    }

    /// The tables of what only sessions have, each of which names the source in `source_id`.
    static let tables = ["session", "pause", "media_path"]

    /// What ``init(row:from:)`` reads.
    static let columns = "status, created_ms, updated_ms, end_ms, duration_ms"

    init(row: Query.Columns, from first: Int32) {
        func time(_ index: Int32) -> Timestamp? {
            row.optionalInt(first + index).map(Timestamp.init(milliseconds:))
        }
        status = row.text(first).flatMap(Session.Status.init(rawValue:))
        createdAt = time(1)
        updatedAt = time(2)
        endTime = time(3)
        duration = row.optionalInt(first + 4).map(SessionOffset.init(milliseconds:))
    }

    /// The row of a source, if it has one.
    init?(_ database: Database, of source: Int64) throws {
        let row = try database.query("SELECT \(Self.columns) FROM session WHERE source_id = ?").with(source)
            .first { SessionRow(row: $0, from: 0) }
        guard let row else { return nil }
        self = row
    }

    /// Writes the row of a source.
    func write(of source: Int64, in database: Database) throws {
        try database.query(
            "INSERT OR REPLACE INTO session (source_id, \(Self.columns)) VALUES (?, ?, ?, ?, ?, ?)"
        ).with(
            source, status?.rawValue, createdAt?.milliseconds, updatedAt?.milliseconds, endTime?.milliseconds,
            duration?.milliseconds
        ).run()
    }
}
