internal import GRDB
package import RecordFormat
public import SystemPackage
internal import TraceFiles
public import TraceFormat
internal import TraceStore

extension JournalIndex {
    /// The sessions, the latest start first, those without a start last.
    ///
    /// - Parameters:
    ///   - root: Only those below it.
    ///   - status: Only those of that status.
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    public func sessions(in root: FilePath? = nil, status: Session.Status? = nil) throws -> [IndexedSession] {
        try database.read { database in
            try SessionQuery(database: database).sessions(
                "(?1 IS NULL OR root.path = ?1) AND (?2 IS NULL OR status = ?2)",
                [root?.bytes, status?.rawValue], by: .order)
        }
    }

    /// The session in that directory, or nil when it has no rows.
    ///
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    public func session(at path: FilePath) throws -> IndexedSession? {
        try database.read { try SessionQuery(database: $0).sessions("source.path = ?1", path.bytes).first }
    }

    /// As ``session(at:)``, without the numbers of its records and findings.
    ///
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    package func uncountedSession(at path: FilePath) throws -> IndexedSession? {
        try database.read {
            try SessionQuery(database: $0).sessions(
                "source.path = ?1", [path.bytes], by: .condition, isCounted: false
            ).first
        }
    }

    /// How many journals of any kind have this id.
    ///
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    /// - Complexity: O(log journals).
    package func journalCount(withID id: ULID) throws -> Int {
        try database.read { database in
            try database.query("SELECT count(*) FROM source WHERE journal_id = ?").with(id.description)
                .first { Int($0.int(0)) } ?? 0
        }
    }

    /// The directories of the journals of any kind that have this id, but for those of roots that can't be reached.
    ///
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    package func onlineJournals(withID id: ULID) throws -> [FilePath] {
        try database.read { database in
            try database.query(
                """
                SELECT source.path FROM source LEFT JOIN root ON root.id = source.root_id
                WHERE journal_id = ? AND root.is_online ORDER BY source.path
                """
            ).with(id.description).map { FilePath(bytes: $0.blob(0)) }
        }
    }

    /// The sessions whose id begins so, in either case; several directories may hold one id.
    ///
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    public func sessions(withIDPrefix prefix: String) throws -> [IndexedSession] {
        let prefix = prefix.uppercased()
        return try database.read { database in
            // Every character of an id sorts before "~".
            try SessionQuery(database: database).sessions(
                "journal_id >= ?1 AND journal_id < ?1 || '~'", prefix)
        }
    }
}

/// Reads sessions with their counts.
struct SessionQuery {
    let database: Database

    /// How the sessions are found.
    enum Way {
        /// By what the condition says of them: few, which are sorted.
        case condition
        /// In their order, each compared with the condition: nothing is sorted.
        case order
    }

    func sessions(_ condition: String, _ arguments: (any SQLArgument)?...) throws -> [IndexedSession] {
        try sessions(condition, arguments, by: .condition)
    }

    /// - Parameters:
    ///   - arguments: Those of the condition, as many as the highest of their numbers.
    ///   - limit: At most so many; nil for all.
    ///   - isCounted: Whether their records and findings are counted.
    func sessions(
        _ condition: String, _ arguments: [(any SQLArgument)?], by way: Way, limit: Int? = nil,
        isCounted: Bool = true
    ) throws -> [IndexedSession] {
        let query = try database.query(
            """
            SELECT source.id, source.path, root.path, root.is_online, \(HeaderRow.columns), \(SessionRow.columns)
            FROM source \(way == .order ? "INDEXED BY source_by_start" : "")
            JOIN session ON session.source_id = source.id LEFT JOIN root ON root.id = source.root_id
            WHERE \(condition) ORDER BY epoch_ms DESC, source.path LIMIT ?
            """)
        var keys: [Int64] = []
        var root: (bytes: [UInt8], path: FilePath)?
        var sessions = try query.with(arguments + [limit ?? -1]).map { row in
            keys.append(row.int(0))
            // Nearly all have the root of the one before, and to make a path of bytes is a part of what a row costs.
            if let known = root, row.holds(known.bytes, at: 2) {
                return IndexedSession(row, in: known.path)
            }
            root = row.isNull(2) ? nil : { (bytes: $0, path: FilePath(bytes: $0)) }(row.blob(2))
            return IndexedSession(row, in: root?.path)
        }
        try SessionDetails(database).add(to: &sessions, keys, isCounted: isCounted)
        return sessions
    }
}

extension IndexedSession {
    fileprivate init(_ row: Query.Columns, in root: FilePath?) {
        let header = HeaderRow(row: row, from: 4)
        let known = SessionRow(row: row, from: 4 + HeaderRow.columnCount)
        path = FilePath(bytes: row.blob(1))
        self.root = root
        isOnline = row.isNull(3) || row.bool(3)
        id = header.id.flatMap { ULID($0) }
        title = header.title
        status = known.status
        createdAt = known.createdAt
        updatedAt = known.updatedAt
        startTime = header.epoch
        endTime = known.endTime
        duration = known.duration
        pausedAt = nil
        lastRecord = nil
        counts = [:]
        findingCounts = [:]
    }
}
