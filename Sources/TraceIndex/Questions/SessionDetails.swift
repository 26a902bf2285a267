internal import GRDB
internal import RecordFormat
internal import TraceFormat
internal import TraceStore

/// What is counted of sessions, and what matters only while they run: asked of each, or of all in one pass where they are many.
struct SessionDetails {
    private let database: Database
    /// Of fewer sessions, each is asked about.
    private let many: Int

    /// If it is about every fourth session or more, one pass over all files is faster than steps to those of each.
    private static let share: Int64 = 4

    init(_ database: Database, many: Int = 500) {
        self.database = database
        self.many = many
    }

    /// - Parameters:
    ///   - keys: Those of the sessions' rows, in their order.
    ///   - isCounted: Whether records and findings are counted.
    func add(to sessions: inout [IndexedSession], _ keys: [Int64], isCounted: Bool = true) throws {
        if isCounted { try count(&sessions, keys) }
        try addPresent(to: &sessions, keys)
    }

    // MARK: - Counts

    private func count(_ sessions: inout [IndexedSession], _ keys: [Int64]) throws {
        let lastKey = try database.query("SELECT max(id) FROM source").first { $0.int(0) } ?? 0
        if sessions.count < many || Int64(sessions.count) * Self.share < lastKey {
            try countEach(&sessions, keys)
        } else {
            try countAll(&sessions, keys)
        }
    }

    private static let records = "SELECT source_id, slot, id_count FROM file WHERE id_count > 0"
    private static let findings = "SELECT source_id, severity, count(*) FROM finding"

    private func countEach(_ sessions: inout [IndexedSession], _ keys: [Int64]) throws {
        let records = try database.query("\(Self.records) AND source_id = ?")
        let findings = try database.query("\(Self.findings) WHERE source_id = ? GROUP BY severity")
        for (index, key) in keys.enumerated() {
            try records.bind(1, key).forEach { Self.addRecords($0, to: &sessions[index]) }
            try findings.bind(1, key).forEach { Self.addFindings($0, to: &sessions[index]) }
        }
    }

    private func countAll(_ sessions: inout [IndexedSession], _ keys: [Int64]) throws {
        var places: [Int64: Int] = [:]
        places.reserveCapacity(keys.count)
        for (index, key) in keys.enumerated() { places[key] = index }
        try database.query(Self.records).forEach { row in
            if let index = places[row.int(0)] { Self.addRecords(row, to: &sessions[index]) }
        }
        try database.query("\(Self.findings) GROUP BY source_id, severity").forEach { row in
            if let index = places[row.int(0)] { Self.addFindings(row, to: &sessions[index]) }
        }
    }

    private static func addRecords(_ row: Query.Columns, to session: inout IndexedSession) {
        guard let kind = RecordKind(FileSlot(Int(row.int(1)))) else { return }
        session.counts[kind] = Int(row.int(2))
    }

    private static func addFindings(_ row: Query.Columns, to session: inout IndexedSession) {
        guard let severity = row.text(1).flatMap(Rule.Severity.init(rawValue:)) else { return }
        session.findingCounts[severity] = Int(row.int(2))
    }

    // MARK: - While it runs

    /// Of sessions that are active: where they are paused, and when their last record is from.
    private func addPresent(to sessions: inout [IndexedSession], _ keys: [Int64]) throws {
        guard sessions.contains(where: { $0.status == .active }) else { return }
        let lastOffset = try database.query(Self.lastOffset)
        let hasPauses =
            try database.query("SELECT EXISTS (SELECT 1 FROM pause)").first { $0.bool(0) } ?? false
        for (index, key) in keys.enumerated() where sessions[index].status == .active {
            guard let start = sessions[index].startTime else { continue }
            let clock =
                hasPauses
                ? try PauseRows(source: key, database: database).clock(startingAt: start, isActive: true)
                : SessionClock(start: start)
            sessions[index].pausedAt = clock.pausedAt
            sessions[index].lastRecord =
                try lastOffset.bind(1, key).first { $0.optionalInt(0) }?
                .map { clock.wall(resumingAt: SessionOffset(milliseconds: $0)) }
        }
    }

    /// The greatest offset of any record: a step in the index of the offsets for each kind.
    private static let lastOffset: String = {
        let kinds = RecordKind.lines.map { kind in
            """
            SELECT (SELECT max(offset_ms) FROM record INDEXED BY record_by_offset
            WHERE source_id = ?1 AND kind = \(kind.code) AND offset_ms IS NOT NULL) AS last
            """
        }
        return "SELECT max(last) FROM (\(kinds.joined(separator: " UNION ALL ")))"
    }()
}
