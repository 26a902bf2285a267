internal import GRDB
internal import RecordFormat
package import SystemPackage
package import TraceFormat
internal import TraceStore

/// How far the records of a session have been reported to somebody who follows it.
package struct RecordMark: Sendable, Hashable {
    fileprivate let epoch: Int64
    fileprivate var files: [RecordKind: File] = [:]

    fileprivate struct File: Hashable {
        let id: Int64
        let readSince: Int64
        let nextLine: Int
    }
}

/// What has come to a session since a mark.
package struct RecordAdditions: Sendable {
    /// How far they are reported with this.
    package var mark: RecordMark
    /// The records on lines that were added, file by file in their order, with whether an earlier line has the same id.
    package var records: [(record: IndexedRecord, isLater: Bool)] = []
    /// Whether lines that were there before may have changed, or are too many: then there are no records, and the session is to be
    /// asked for again.
    package var isReset = false
}

extension JournalIndex {
    /// The records that were added to a session.
    ///
    /// - Parameters:
    ///   - mark: How far they were reported before; nil reports none.
    ///   - kinds: Which files are followed.
    ///   - limit: How many are reported at most.
    /// - Returns: Nil if the session is not in the index.
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    /// - Complexity: O(log of all records + what is returned).
    package func additions(
        to session: FilePath, since mark: RecordMark?, of kinds: [RecordKind], limit: Int
    ) throws -> RecordAdditions? {
        try database.read { database -> RecordAdditions? in
            guard let source = try KnownSource(database, at: session) else { return nil }
            var additions = RecordAdditions(mark: RecordMark(epoch: try IndexRevision(database).epoch))
            for kind in kinds {
                guard let file = source[kind.slot] else { continue }
                let since = try database.query("SELECT read_since FROM file WHERE id = ?").with(file.id)
                    .first { $0.int(0) }
                additions.mark.files[kind] = RecordMark.File(
                    id: file.id, readSince: since ?? 0, nextLine: file.resumePoint.lineNumber)
            }
            guard let mark else { return additions }
            guard mark.epoch == additions.mark.epoch else {
                additions.isReset = true
                return additions
            }
            let query = try RecordQuery(session, formats, in: database)
            for kind in kinds {
                let (old, new) = (mark.files[kind], additions.mark.files[kind])
                guard old != new else { continue }
                guard let new, old.map({ $0.id == new.id && $0.readSince == new.readSince }) ?? true,
                    old?.nextLine ?? 1 <= new.nextLine
                else {
                    additions.isReset = true
                    break
                }
                let keys = RecordKey.key(file: new.id, line: old?.nextLine ?? 1)
                let found = try query.records(
                    "record.id BETWEEN ?2 AND ?3 AND record_id IS NOT NULL ORDER BY record.id LIMIT ?4", keys,
                    RecordKey.range(ofFile: new.id).upperBound, limit + 1)
                for record in found {
                    let isLater = try database.query(
                        """
                        SELECT 1 FROM record INDEXED BY record_by_id
                        WHERE source_id = ? AND record_id = ? AND id BETWEEN ? AND ? LIMIT 1
                        """
                    ).with(
                        source.id, record.id?.description, RecordKey.range(ofFile: new.id).lowerBound,
                        RecordKey.key(file: new.id, line: record.line) - 1
                    ).first { _ in true }
                    additions.records.append((record, isLater ?? false))
                }
            }
            if additions.records.count > limit { additions.isReset = true }
            if additions.isReset { additions.records = [] }
            return additions
        }
    }
}
