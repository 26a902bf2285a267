internal import GRDB
package import SystemPackage
internal import TraceFiles
internal import TraceStore

extension JournalIndex {
    /// What the index says, as text: one line a row, in an order and with keys that do not depend on how the
    /// rows came about. Two indexes of the same files have the same dump.
    ///
    /// Left out is what the index notes for itself: row ids, roots, and whether a file is proven or in
    /// transit.
    ///
    /// - Parameter session: Only that session.
    package func dump(of session: FilePath? = nil) throws -> [String] {
        try database.read { database in
            let all = try database.query(
                "SELECT id, kind, path FROM source \(session == nil ? "" : "WHERE path = ?") ORDER BY path")
            let sources = try (session.map { all.with($0.bytes) } ?? all).map {
                ($0.int(0), $0.text(1) ?? "", FilePath(bytes: $0.blob(2)))
            }
            return try sources.flatMap { id, kind, path in
                var rows = ["source \(kind) \(path.escaped)"]
                for part in try Part.all(of: id, in: database) {
                    rows += try part.query(in: database).map { row in
                        "\(part.name)\(row.texts.map { " \($0)" }.joined())"
                    }
                }
                return rows
            }
        }
    }

    /// A hash of what the index says about a session: two indexes have the same where both have the same ``dump(of:)``. It is
    /// keyed by the process, so that no text can be made for two to share one, and of no use outside of it.
    ///
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    /// - Complexity: O(rows of the session) in time; no more than a row is held.
    package func rowsHash(of session: FilePath) throws -> Int {
        try database.read { database in
            var hasher = Hasher()
            for part in try Part.all(of: session, in: database) {
                hasher.combine(part.name)
                try part.query(in: database).hash(into: &hasher)
            }
            return hasher.finalize()
        }
    }

    /// Rows of one table about a source, in their order.
    private struct Part {
        let name: String
        let sql: String
        /// What stands for the `?` of `sql`.
        let arguments: [(any SQLArgument)?]

        func query(in database: Database) throws -> Query { try database.query(sql).with(arguments) }

        /// All about a session; nothing where it is not known.
        static func all(of session: FilePath, in database: Database) throws -> [Part] {
            let source = try database.query("SELECT id FROM source WHERE path = ?").with(session.bytes).first
            {
                $0.int(0)
            }
            return try source.map { try all(of: $0, in: database) } ?? []
        }

        static func all(of source: Int64, in database: Database) throws -> [Part] {
            let files = try database.query(
                "SELECT id, bytes_indexed > 0 FROM file WHERE source_id = ? ORDER BY slot"
            ).with(source).map { (id: $0.int(0), isOfLines: $0.bool(1)) }
            return JournalIndex.tables.map { Part(name: $0.name, sql: $0.sql, arguments: [source]) }
                + files.map { file in
                    // By their keys, so that nothing is sorted. Records of no file are among those that are counted.
                    let keys = RecordKey.range(ofFile: file.id)
                    return Part(
                        name: "record",
                        sql: file.isOfLines ? JournalIndex.recordRows : JournalIndex.documentRows,
                        arguments: [keys.lowerBound, keys.upperBound])
                }
        }
    }

    private static let tables: [(name: String, sql: String)] = [
        ("header", "SELECT \(HeaderRow.columns) FROM source WHERE id = ?"),
        ("session", "SELECT \(SessionRow.columns) FROM session WHERE source_id = ?"),
        (
            "file",
            """
            SELECT slot, device, inode, size, modified_ns, changed_ns, bytes_indexed,
                iif(bytes_indexed > 0, next_line, 1), last_offset_ms, id_count
            FROM file WHERE source_id = ? ORDER BY slot
            """
        ),
        (
            "block",
            """
            SELECT slot, number, hash FROM file JOIN block ON file_id = file.id WHERE source_id = ?
            ORDER BY slot, number
            """
        ),
        (
            "pause",
            "SELECT offset_ms, length_ms, total_ms FROM pause WHERE source_id = ? ORDER BY offset_ms, length_ms"
        ),
        ("media", "SELECT path, state FROM media_path WHERE source_id = ? ORDER BY path"),
        (
            "finding",
            """
            SELECT file.slot, rule, severity, file, line, byte_offset, column, message
            FROM finding LEFT JOIN file ON file.id = finding.file_id WHERE finding.source_id = ?
            ORDER BY file.slot, file, line, byte_offset, column, rule, message
            """
        ),
        ("records", "SELECT count(*) FROM record INDEXED BY record_by_offset WHERE source_id = ?"),
    ]

    private static let recordRows =
        "SELECT id & 0xFFFFFFFF, \(recordColumns) FROM record WHERE id BETWEEN ? AND ? ORDER BY id"

    /// Of a document no line is counted: the numbers of its rows are the index's own, and their order is that of the bytes.
    private static let documentRows =
        "SELECT 0, \(recordColumns) FROM record WHERE id BETWEEN ? AND ? ORDER BY byte_offset, kind, byte_length"

    private static let recordColumns = """
        kind, is_authoritative, offset_ms, duration_ms, byte_offset, byte_length, created_ms,
        record_id, reference, subject, detail, text, note, media_path, tags, wall_ms
        """
}

extension Query.Columns {
    /// All columns, quoted where they are text.
    fileprivate var texts: [String] {
        (0..<count).map { index in
            guard let text = text(index) else { return "-" }
            return isText(index) ? text.debugDescription : text
        }
    }
}
