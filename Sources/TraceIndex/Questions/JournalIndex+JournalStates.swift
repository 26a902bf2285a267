internal import GRDB
package import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceStore

/// What can be seen of a journal other than a session without reading its records: two that are equal say the same.
package struct IndexedJournalState: Sendable, Hashable {
    /// Its directory, or the file that is a journal on its own.
    package let path: FilePath
    /// The root below which it was found.
    package let root: FilePath?
    /// Nil if the header can't be read, or there is none.
    package let id: ULID?
    /// Its title.
    package let title: String?
    fileprivate let state: String
    fileprivate let isOnline: Bool
    /// How far each of its files was read, and in which transaction.
    fileprivate let files: [[Int64]]
    /// What is wrong with it, without the places, which move with what comes before them.
    fileprivate let findings: Set<String>
}

extension JournalIndex {
    /// The states of the journals other than sessions, in the order of their paths.
    ///
    /// - Parameter path: Only the one there; nil for all.
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    /// - Complexity: O(their number + their findings)
    package func journalStates(at path: FilePath? = nil) throws -> [IndexedJournalState] {
        try database.read { database in
            let files = try database.query(
                """
                SELECT slot, read_since, rows_since, size, next_line FROM file WHERE source_id = ? ORDER BY slot
                """)
            let findings = try database.query(
                "SELECT file || ' ' || rule || ' ' || message FROM finding WHERE source_id = ? AND rule != ?")
            let sources = try database.query(
                """
                SELECT source.id, source.path, root.path, journal_id, title, state, root.is_online
                FROM source LEFT JOIN root ON root.id = source.root_id
                WHERE kind != ?1 AND \(path == nil ? "?2 IS NULL" : "source.path = ?2") ORDER BY source.path
                """
            ).with(JournalKind.session.name, path?.bytes)
            let rows = try sources.map { row in
                (
                    key: row.int(0), path: FilePath(bytes: row.blob(1)),
                    root: row.isNull(2) ? nil : FilePath(bytes: row.blob(2)), id: row.text(3),
                    title: row.text(4),
                    state: row.text(5), isOnline: row.isNull(6) || row.bool(6)
                )
            }
            return try rows.map { row in
                IndexedJournalState(
                    path: row.path, root: row.root, id: row.id.flatMap { ULID($0) }, title: row.title,
                    state: row.state ?? "", isOnline: row.isOnline,
                    files: try files.with(row.key).map { file in
                        (0..<5).map { file.optionalInt($0) ?? -1 }
                    },
                    findings: Set(
                        try findings.with(row.key, Rule.lineInTransit.id).map { $0.text(0) ?? "" }))
            }
        }
    }
}
