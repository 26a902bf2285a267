internal import GRDB
package import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceFormat
internal import TraceStore

extension JournalIndex {
    /// Which lines of a session's files count, as the files were when the index read them.
    ///
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    /// - Complexity: O(records), a few nanoseconds each; in memory, a bit a line of files in which some do not count.
    package func liveLines(of session: FilePath) throws -> [RecordKind: LiveLines] {
        try database.read { database in
            let files = try database.query(
                """
                SELECT file.id, file.slot, next_line, id_count, source_id
                FROM file JOIN source ON source.id = file.source_id WHERE source.path = ?
                """
            ).with(session.bytes).map { row in
                (
                    id: row.int(0), kind: RecordKind(FileSlot(Int(row.int(1)))),
                    nextLine: row.int(2),
                    idCount: row.int(3), source: row.int(4)
                )
            }
            var lines: [RecordKind: LiveLines] = [:]
            for file in files {
                guard let kind = file.kind, kind != .session else { continue }
                var live = LiveLines()
                live.lastLine = Int(file.nextLine) - 1
                let count = try database.query(
                    "SELECT count(*) FROM record INDEXED BY record_by_offset WHERE source_id = ? AND kind = ?"
                ).with(file.source, kind.code).first { $0.int(0) }
                // Mostly no line is superseded, and no row must be looked at.
                if count != file.idCount {
                    let keys = RecordKey.range(ofFile: file.id)
                    try database.query(
                        "SELECT id FROM record WHERE id BETWEEN ? AND ? AND NOT is_authoritative"
                    ).with(keys.lowerBound, keys.upperBound).forEach {
                        live.superseded.insert(RecordKey.line(of: $0.int(0)))
                    }
                }
                lines[kind] = live
            }
            return lines
        }
    }
}
