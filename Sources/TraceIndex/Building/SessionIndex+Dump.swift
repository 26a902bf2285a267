internal import GRDB
package import SystemPackage
internal import TraceFormat
internal import TraceStore

extension SessionIndex {
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
                ["source \(kind) \(path.escaped)"]
                    + (try Self.parts.flatMap { try $0.rows(of: id, in: database) })
            }
        }
    }

    /// A table, as it is dumped.
    private struct Part {
        let name: String
        let sql: String

        func rows(of source: Int64, in database: Database) throws -> [String] {
            try database.query(sql).with(source).map { "\(name)\($0.texts.map { " \($0)" }.joined())" }
        }
    }

    private static let parts = [
        Part(name: "session", sql: "SELECT \(SessionRow.columns) FROM session WHERE source_id = ?"),
        Part(
            name: "file",
            sql: """
                SELECT kind, device, inode, size, modified_ns, changed_ns, bytes_indexed, next_line, last_offset_ms, id_count
                FROM file WHERE source_id = ? ORDER BY kind
                """),
        Part(
            name: "block",
            sql: """
                SELECT kind, number, hash FROM file JOIN block ON file_id = file.id WHERE source_id = ?
                ORDER BY kind, number
                """),
        Part(
            name: "record",
            sql: """
                SELECT kind, id & 0xFFFFFFFF, is_authoritative, offset_ms, duration_ms, byte_offset, byte_length, created_ms,
                    ulid, reference, detail, text, note, media_path, tags FROM record WHERE source_id = ? ORDER BY kind, id
                """),
        Part(name: "media", sql: "SELECT path, state FROM media_path WHERE source_id = ? ORDER BY path"),
        Part(
            name: "finding",
            sql: """
                SELECT file.kind, rule, severity, file, line, byte_offset, column, message
                FROM finding LEFT JOIN file ON file.id = finding.file_id WHERE finding.source_id = ?
                ORDER BY file.kind, file, line, byte_offset, column, rule, message
                """),
    ]
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
