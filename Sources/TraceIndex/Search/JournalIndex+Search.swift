internal import GRDB
internal import RecordFormat
internal import Synchronization
internal import SystemPackage
internal import TraceFiles
internal import TraceStore

extension JournalIndex {
    /// The records and titles in which all terms are found, the best first.
    ///
    /// What lags is filled in before (``fillSearch()``), by the caller.
    ///
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    /// - Complexity: O(all lines in which the terms are found).
    public func search(_ words: SearchWords, _ filter: RecordFilter, limit: Int) throws -> [SearchHit] {
        if words.terms.isEmpty { return [] }
        var conditions = Conditions()
        conditions.add("search MATCH ?", words.expression)
        conditions.add("(record.id IS NULL OR is_authoritative)")
        filter.constrain(&conditions, offset: "coalesce(offset_ms, 0)")
        return try database.read { database in
            try database.query(Self.searchSQL(conditions, words)).with(conditions.arguments + [limit])
                .map { try FoundRow($0, words, formats) }.sorted().map(\.hit)
        }
    }

    /// The full-text table comes first in the join, because it hands out its rows in the order of their rank: no more of
    /// them are looked at than are asked for. The words around a hit are so many tokens, each of which is one character of
    /// text without spaces.
    private static func searchSQL(_ conditions: Conditions, _ words: SearchWords) -> String {
        """
        SELECT \(RecordSummary.columns), source.path, epoch_ms, search.rowid, search.rank,
            snippet(search, -1, char(\(SearchHit.Snippet.marks.start.value)), char(\(SearchHit.Snippet.marks.end.value)),
                '…', \(words.isUnspaced ? 40 : 16)), \(PauseRows.wallTime), source.kind
        FROM search LEFT JOIN record ON record.id = search.rowid
        CROSS JOIN source ON source.id = coalesce(record.source_id, -search.rowid)
        WHERE \(conditions.sql) ORDER BY search.rank LIMIT ?
        """
    }

    private struct FoundRow: Comparable {
        var hit: SearchHit
        private let key: Int64
        private let rank: Double
        private let start: Int64
        /// What the index says, of a moment, too.
        private let offset: SessionOffset

        init(_ row: Query.Columns, _ words: SearchWords, _ formats: JournalRegistry) throws {
            let first = RecordSummary.columnCount
            let path = FilePath(bytes: row.blob(first))
            let started = row.optionalInt(first + 1).map(Timestamp.init(milliseconds:))
            let record =
                row.isNull(0)
                ? nil
                : try IndexedRecord(
                    RecordSummary(row: row), of: path,
                    at: row.optionalInt(first + 5).map(Timestamp.init(milliseconds:)), isAuthoritative: true,
                    formats)
            let snippet = SearchHit.Snippet(marked: row.text(first + 4) ?? "", words)
            hit = SearchHit(
                session: path, journalKind: JournalKind(name: row.text(first + 6) ?? ""), record: record,
                snippet: snippet)
            offset = RecordSummary.offset(in: row)
            key = row.int(first + 2)
            rank = row.double(first + 3)
            start = started?.milliseconds ?? .max
        }

        static func == (left: Self, right: Self) -> Bool { left.key == right.key }

        /// The best first; of equals, in the order of time.
        static func < (left: Self, right: Self) -> Bool {
            if left.rank != right.rank { return left.rank < right.rank }
            let (one, other) = (left.hit, right.hit)
            if left.start != right.start { return left.start < right.start }
            if one.session != other.session {
                return one.session.bytes.lexicographicallyPrecedes(other.session.bytes)
            }
            return left.offset != right.offset ? left.offset < right.offset : left.key < right.key
        }
    }

    // MARK: - The search text

    /// Fills in whatever of the search text is out of date with the rows; other writers get their turns in between.
    ///
    /// - Parameter progress: Called with how many of how many lines are filled in, before each batch of them.
    /// - Throws: ``IndexError`` with `.busy`, `.diskFull` or `.io`.
    package func fillSearch(progress: (_ filled: Int, _ all: Int) -> Void = { _, _ in }) throws {
        while try database.read({ try searchLags($0) }) {
            let (all, filled) = try database.read { try SearchText(database: $0).lines() }
            progress(filled, all)
            if try fillSearch(lines: 50_000) { return }
        }
    }

    /// Looks at the tables of the search text, and empties it where they are damaged; it lags then (``fillSearch()``).
    ///
    /// - Parameter isDoubtful: Whether to look even if nothing has changed since this process last did.
    /// - Returns: Whether they were damaged.
    /// - Throws: ``IndexError`` with `.busy`, `.diskFull` or `.io`; with `.corrupt` where the index may not be written.
    package func clearDamagedSearch(ifDoubtful isDoubtful: Bool) throws -> Bool {
        let (revision, damage) = try database.read { database -> (IndexRevision, String?) in
            let revision = try IndexRevision(database)
            if !isDoubtful, soundRevision.withLock({ $0 == revision }) { return (revision, nil) }
            return (revision, try SearchTables(database: database).damage())
        }
        guard let damage else {
            soundRevision.withLock { $0 = revision }
            return false
        }
        guard database.access != .reading else {
            throw IndexError(
                .corrupt, "the search text of the index is damaged: \(damage)", path: path,
                cure: IndexError.rebuilding)
        }
        return try database.write { database in
            // Another process may have done it in between.
            guard try SearchTables(database: database).damage() != nil else { return false }
            try SearchText(database: database).clear()
            return true
        }
    }

    /// Whether something lags; in a state of the index in which nothing did, nothing does.
    private func searchLags(_ database: Database) throws -> Bool {
        let revision = try IndexRevision(database)
        if filledRevision.withLock({ $0 == revision }) { return false }
        let lags = try SearchText(database: database).lags()
        if !lags { filledRevision.withLock { $0 = revision } }
        return lags
    }

    /// Fills in about so many lines of the search text.
    ///
    /// - Returns: Whether nothing lags any more.
    /// - Throws: ``IndexError`` with `.busy`, `.diskFull` or `.io`.
    package func fillSearch(lines: Int) throws -> Bool {
        try database.write { try SearchText(database: $0).fill(lines: lines) }
    }

    /// Fills in what lags, and says whether the search text is then what the rows say.
    ///
    /// - Throws: ``IndexError`` with `.busy`, `.diskFull` or `.io`.
    package func isSearchConsistent() throws -> Bool {
        try fillSearch()
        return try database.write { database in
            let text = SearchText(database: database)
            return try text.fill(lines: .max) && text.isConsistent()
                && SearchTables(database: database).damage() == nil
        }
    }
}
