internal import GRDB
internal import RecordFormat

/// The search text: a full-text table over the words of records and the titles of journals.
///
/// It is filled in behind the rows. `file.search_line` is the first line of a file that it does not hold yet; the table `title`
/// holds the titles that it holds, so that it can be compared with the current headers. It keeps no words of its own
/// (`content='search_text'`), so that those of a line are taken out while the line's row still stands. It holds superseded
/// lines too, so that a new line of an id changes nothing in it; a search leaves them out.
struct SearchText {
    let database: Database

    /// The tables.
    ///
    /// A title's key is its source's, negated: no record has a negative key.
    ///
    /// - Parameter kinds: The kinds of entry whose words it holds.
    static func schema(of kinds: [EntryKind]) -> String {
        """
        CREATE TABLE title (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
        CREATE VIEW search_text AS
        SELECT id, text, note FROM record WHERE kind IN (\(kinds.map { "\($0.code)" }.joined(separator: ", "))) AND \(hasWords)
        UNION ALL SELECT id, text, NULL FROM title;
        CREATE VIRTUAL TABLE search USING fts5(
            text, note, content='search_text', content_rowid='id',
            tokenize='\(SearchTokenizer.name) remove_diacritics 2');
        INSERT INTO search (search, rank) VALUES ('hashsize', \(bufferSize));
        CREATE INDEX file_to_fill ON file (id) WHERE \(isBehind);

        """
    }

    /// How many bytes of new words SQLite collects before it writes them: a third less work for a long file than with its own 1
    /// MiB.
    private static let bufferSize = 8 << 20

    private static let hasWords = "(text IS NOT NULL OR note IS NOT NULL)"
    private static let isBehind = "next_line > search_line AND is_searched"

    // MARK: - Filling in

    /// Fills in the titles and about so many lines.
    ///
    /// - Returns: Whether nothing lags any more.
    func fill(lines limit: Int) throws -> Bool {
        try fillTitles()
        let insert = try database.query(
            """
            INSERT INTO search (rowid, text, note)
            SELECT id, text, note FROM record WHERE id >= ? AND id < ? AND \(Self.hasWords) ORDER BY id
            """)
        let advance = try database.query("UPDATE file SET search_line = ? WHERE id = ?")
        var rest = limit
        while let file = try nextFile() {
            guard rest > 0 else { return false }
            let end = file.start + min(rest, file.end - file.start)
            try insert.with(
                RecordKey.key(file: file.id, line: file.start), RecordKey.key(file: file.id, line: end)
            ).run()
            try advance.with(end, file.id).run()
            rest -= end - file.start
        }
        return true
    }

    /// The lines of the first file that lags.
    private func nextFile() throws -> (id: Int64, start: Int, end: Int)? {
        try database.query(
            """
            SELECT id, search_line, next_line FROM file INDEXED BY file_to_fill WHERE \(Self.isBehind)
            ORDER BY id LIMIT 1
            """
        ).first { ($0.int(0), Int($0.int(1)), Int($0.int(2))) }
    }

    private func fillTitles() throws {
        let remove = try database.query(
            "INSERT INTO search (search, rowid, text, note) VALUES ('delete', ?, ?, NULL)")
        let forget = try database.query("DELETE FROM title WHERE id = ?")
        let note = try database.query("INSERT INTO title (id, text) VALUES (?, ?)")
        let insert = try database.query("INSERT INTO search (rowid, text, note) VALUES (?, ?, NULL)")
        for (id, old, new) in try changedTitles() {
            if let old {
                try remove.with(id, old).run()
                try forget.with(id).run()
            }
            if let new {
                try note.with(id, new).run()
                try insert.with(id, new).run()
            }
        }
    }

    /// The titles that are others than those filled in.
    private func changedTitles() throws -> [(id: Int64, old: String?, new: String?)] {
        try database.query(
            """
            SELECT -source.id, title.text, source.title FROM source LEFT JOIN title ON title.id = -source.id
            WHERE title.text IS NOT source.title
            UNION ALL SELECT id, text, NULL FROM title WHERE -id NOT IN (SELECT id FROM source) ORDER BY 1
            """
        ).map { ($0.int(0), $0.text(1), $0.text(2)) }
    }

    /// Whether something lags.
    func lags() throws -> Bool { try nextFile() != nil || !changedTitles().isEmpty }

    /// The number of lines that may have words, and how many of them are filled in.
    func lines() throws -> (all: Int, filled: Int) {
        try database.query(
            "SELECT sum(next_line - 1), sum(search_line - 1) FROM file WHERE is_searched"
        ).first { (Int($0.int(0)), Int($0.int(1))) } ?? (0, 0)
    }

    // MARK: - Taking out

    /// From so many lines on, emptying all may be less work than taking out a file's lines one by one.
    private static let manyLines: Int64 = 10_000

    /// Takes out the lines of a file. Their rows must still be there.
    func remove(file: Int64) throws {
        let end = try database.query("SELECT search_line FROM file WHERE id = ?").with(file).first {
            $0.int(0)
        }
        guard let end, end > 1 else { return }
        if end > Self.manyLines {
            let (_, filled) = try lines()
            if end > filled / 2 { return try clear() }
        }
        try database.query(
            """
            INSERT INTO search (search, rowid, text, note)
            SELECT 'delete', id, text, note FROM record WHERE id >= ? AND id < ? AND \(Self.hasWords) ORDER BY id
            """
        ).with(RecordKey.key(file: file, line: 0), RecordKey.key(file: file, line: Int(end))).run()
        try database.query("UPDATE file SET search_line = 1 WHERE id = ?").with(file).run()
    }

    /// Takes out the words of one record, whose row must still be there, if they are in it.
    func remove(record key: Int64, of file: Int64) throws {
        try database.query(
            """
            INSERT INTO search (search, rowid, text, note)
            SELECT 'delete', id, text, note FROM record WHERE id = ?1 AND \(Self.hasWords)
                AND id & 0xFFFFFFFF < (SELECT search_line FROM file WHERE id = ?2 AND is_searched)
            """
        ).with(key, file).run()
    }

    /// Takes out everything; all is filled in again.
    func clear() throws {
        try database.query("INSERT INTO search (search) VALUES ('delete-all')").run()
        try database.query("DELETE FROM title").run()
        try database.query("UPDATE file SET search_line = 1 WHERE search_line > 1").run()
    }

    // MARK: - Comparing

    /// Whether it holds the words of the rows and the titles, and no others. Nothing may lag.
    func isConsistent() throws -> Bool {
        do {
            try database.query("INSERT INTO search (search, rank) VALUES ('integrity-check', 1)").run()
            return true
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return false
        }
    }
}
