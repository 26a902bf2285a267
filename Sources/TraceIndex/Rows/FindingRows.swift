internal import GRDB
internal import RecordFormat
internal import TraceStore

/// The findings of one source in the database.
struct FindingRows {
    let source: Int64
    /// Who knows the rules that findings name.
    let rules: JournalRegistry
    let database: Database

    /// The origin of findings.
    enum Origin {
        /// The lines of a file, from a line on; and the file as a whole.
        case file(Int64, fromLine: Int)
        /// The header, and the rules across lines and files.
        case journal
    }

    func insert(_ finding: Finding, file: Int64?) throws {
        try database.query(
            """
            INSERT INTO finding (source_id, file_id, rule, severity, file, line, byte_offset, column, message)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        ).with(
            source, file, finding.rule.id, finding.severity.rawValue, finding.place.file, finding.place.line,
            finding.place.byteOffset, finding.place.column, finding.message
        ).run()
    }

    /// At most `limit` findings.
    func list(_ origin: Origin, limit: Int = .max) throws -> [Finding] {
        try select(
            origin, "SELECT \(Finding.columns) FROM finding", "ORDER BY line, byte_offset, id LIMIT ?4", limit
        )
        .map { try Finding(row: $0, rules) }
    }

    func delete(_ origin: Origin) throws {
        try select(origin, "DELETE FROM finding", "", 0).run()
    }

    func count() throws -> Int {
        try database.query("SELECT count(*) FROM finding WHERE source_id = ?").with(source)
            .first { Int($0.int(0)) } ?? 0
    }

    private func select(_ origin: Origin, _ verb: String, _ rest: String, _ limit: Int) throws -> Query {
        let condition = "INDEXED BY finding_by_file WHERE source_id = ?1 AND"
        return switch origin {
        case .file(let file, let line):
            try database.query("\(verb) \(condition) file_id = ?2 AND (line >= ?3 OR line = 0) \(rest)")
                .with(source, file, line, limit)
        case .journal:
            try database.query("\(verb) \(condition) file_id IS NULL \(rest)").with(source, nil, nil, limit)
        }
    }
}

extension Finding {
    /// What ``init(row:)`` reads.
    static let columns = "rule, file, line, byte_offset, column, message"

    /// - Parameters:
    ///   - first: The number of the first of ``columns``.
    ///   - rules: Who knows them.
    init(row: Query.Columns, from first: Int32 = 0, _ rules: JournalRegistry) throws {
        guard let rule = row.text(first).flatMap(rules.rule(named:)) else {
            throw IndexDamage(description: "a finding of no known rule")
        }
        self.init(
            rule,
            at: Place(
                file: row.text(first + 1) ?? "", line: Int(row.int(first + 2)),
                byteOffset: Int(row.int(first + 3)),
                column: Int(row.int(first + 4))),
            row.text(first + 5) ?? "")
    }
}
