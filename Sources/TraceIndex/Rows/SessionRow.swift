internal import GRDB
internal import TraceFormat

/// What the index keeps of `session.json`.
struct SessionRow: Equatable {
    var id: ULID?
    var title: String?
    var status: Session.Status?
    var createdAt, updatedAt, startTime, endTime: Timestamp?
    var duration: SessionOffset?

    init(_ session: Session) {
        id = session.id
        title = session.title
        status = session.status
        createdAt = session.createdAt
        updatedAt = session.updatedAt
        startTime = session.startTime
        endTime = session.endTime
        duration = session.duration
    }

    /// What ``init(row:from:)`` reads.
    static let columns = "ulid, title, status, created_ms, updated_ms, start_ms, end_ms, duration_ms"
    /// How many ``columns`` there are.
    static let columnCount: Int32 = 8

    init(row: Query.Columns, from first: Int32) {
        func time(_ index: Int32) -> Timestamp? {
            row.optionalInt(first + index).map(Timestamp.init(milliseconds:))
        }
        id = row.text(first).flatMap { ULID($0) }
        title = row.text(first + 1)
        status = row.text(first + 2).flatMap(Session.Status.init(rawValue:))
        createdAt = time(3)
        updatedAt = time(4)
        startTime = time(5)
        endTime = time(6)
        duration = row.optionalInt(first + 7).map(SessionOffset.init(milliseconds:))
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
            "INSERT OR REPLACE INTO session (source_id, \(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        ).with(
            source, id?.description, title, status?.rawValue, createdAt?.milliseconds,
            updatedAt?.milliseconds, startTime?.milliseconds, endTime?.milliseconds, duration?.milliseconds
        ).run()
    }
}
