internal import GRDB
package import RecordFormat
package import SystemPackage
package import TraceFiles
package import TraceFormat
package import TraceStore

extension JournalIndex: RecordLookup {
    /// What the rows say of the files that are surely those that were read, or those with more lines behind them.
    ///
    /// What lags is not brought up to date: that would wait for a writer of the index, while the caller holds the lock of
    /// the session. The caller reads what comes after the rows, which is what was appended since the daemon looked last.
    ///
    /// - Returns: Nothing where the index can't be read.
    /// - Complexity: O(log of all records) for each id; of a large file that has grown, three blocks are compared.
    package func knownLines(
        of ids: Set<ULID>, in files: [RecordKind: OpenRegularFile], at session: FilePath
    ) -> [RecordKind: KnownLines] {
        let known = try? database.read { database -> [RecordKind: KnownLines] in
            guard let source = try KnownSource(database, at: session), source.kind == .session else {
                return [:]
            }
            var known: [RecordKind: KnownLines] = [:]
            for (kind, file) in files {
                guard let row = source[kind.slot], try Self.isKnown(row, file, in: database) else { continue }
                known[kind] = KnownLines(places: [], resumePoint: row.resumePoint)
            }
            try Self.forEachPlace(of: ids, in: source, database) { kind, place in
                guard let end = known[kind]?.resumePoint.byteOffset, place.byteOffset < end else { return }
                known[kind]?.places.append(place)
            }
            return known
        }
        return known ?? [:]
    }

    /// Whether a file begins with what was read of it.
    private static func isKnown(
        _ row: KnownFile, _ file: OpenRegularFile, in database: Database
    ) throws -> Bool {
        // A large file that is as it was read is trusted as a look right after an event does.
        if row.identity == IndexedIdentity(file.identity), row.isProven || row.isLarge { return true }
        return try IndexedPrefix(of: row, in: database).resumption(in: file, .quick) != nil
    }

    /// Hands out the lines that have one of these ids, superseded ones too, in the order of each file.
    private static func forEachPlace(
        of ids: Set<ULID>, in source: KnownSource, _ database: Database,
        _ take: (RecordKind, KnownLines.Place) -> Void
    ) throws {
        let query = try database.query(
            """
            SELECT kind, byte_offset, byte_length FROM record INDEXED BY record_by_id
            WHERE source_id = ? AND record_id = ? ORDER BY id
            """)
        for id in ids {
            try query.with(source.id, id.description).forEach { row in
                guard let kind = RecordKind.lines.first(where: { $0.code == Int(row.int(0)) }) else { return }
                take(
                    kind,
                    KnownLines.Place(id: id, byteOffset: Int(row.int(1)), byteLength: Int(row.int(2))))
            }
        }
    }
}
