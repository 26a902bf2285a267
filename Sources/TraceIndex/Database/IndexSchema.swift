internal import GRDB
internal import RecordFormat
internal import TraceStore

/// The tables of the index.
///
/// A change of anything here asks for a new ``version``: an index of another version is rebuilt, never migrated, for the files
/// have it all. So does another table of the characters that separate words, or of plain letters.
enum IndexSchema {
    /// Marks the database as ours: "TRCX".
    static let applicationID: Int64 = 0x5452_4358
    /// That of the tables, and behind it, in two digits each, the version of the table of plain letters and that of Unicode by which
    /// words are cut.
    static let version: Int64 = (19 * 100 + PlainLetters.version) * 100 + WordTable.unicodeVersion

    /// - Parameter formats: The kinds of journal whose entries the index can hold.
    static func create(for formats: JournalRegistry, in database: Database) throws {
        let entries = formats.formats.flatMap(\.layout.entryKinds)
        let search = SearchText.schema(of: entries.filter(\.isSearched).map(\.kind))
        try database.execute(sql: tables + indexes + recordIndexes + wideIndexes + search + view)
        for entry in entries {
            try database.query("INSERT INTO record_kind (code, name) VALUES (?, ?)").with(
                Int(entry.kind.code), entry.name
            ).run()
        }
        try database.execute(sql: "INSERT INTO revision (id, epoch, number) VALUES (1, random(), 0)")
        try database.execute(
            sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
    }

    /// Whether the tables, indexes and views of a database are all there, as they were made.
    static func isWhole(for formats: JournalRegistry, in database: Database) throws -> Bool {
        func statements(_ database: Database) throws -> Set<String> {
            try String.fetchSet(database, sql: "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
        }
        let whole = try DatabaseQueue().inDatabase { empty in
            try SearchTokenizer.register(in: empty)
            try create(for: formats, in: empty)
            return try statements(empty)
        }
        return try whole.isSubset(of: statements(database))
    }

    /// A *source* is a journal, of whatever kind. Its *files* are what was looked at: those of records, the header, the
    /// directory itself and its `media`, each with the number that the layout of its kind gives it. `offset_ms` counts from the
    /// source's `epoch_ms`; `first_ms` and `last_ms` are the moments between which all its records stand, where that is known.
    /// A record's key is its file's id · 2³² + its line, so that a file's lines are next to each other, in order. `rows_since` is the
    /// revision since which rows of a file were only added, behind those that were there, and `read_since` the one since which it was
    /// not read from its first byte: lines that supersede others change the former alone.
    private static let tables = """
        CREATE TABLE root (
            id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, is_online INTEGER NOT NULL,
            device INTEGER, inode INTEGER);
        CREATE TABLE source (
            id INTEGER PRIMARY KEY, kind TEXT NOT NULL, path BLOB NOT NULL UNIQUE, root_id INTEGER,
            journal_id TEXT, title TEXT, epoch_ms INTEGER, first_ms INTEGER, last_ms INTEGER, state TEXT NOT NULL);
        CREATE TABLE session (
            source_id INTEGER PRIMARY KEY, status TEXT, created_ms INTEGER, updated_ms INTEGER, end_ms INTEGER,
            duration_ms INTEGER);
        CREATE TABLE file (
            id INTEGER PRIMARY KEY, source_id INTEGER NOT NULL, slot INTEGER NOT NULL, is_searched INTEGER NOT NULL,
            device INTEGER, inode INTEGER, size INTEGER, modified_ns INTEGER, changed_ns INTEGER,
            is_proven INTEGER NOT NULL, is_in_transit INTEGER NOT NULL, bytes_indexed INTEGER NOT NULL,
            next_line INTEGER NOT NULL, last_offset_ms INTEGER, id_count INTEGER NOT NULL,
            search_line INTEGER NOT NULL DEFAULT 1, rows_since INTEGER NOT NULL DEFAULT 0,
            read_since INTEGER NOT NULL DEFAULT 0,
            UNIQUE (source_id, slot));
        CREATE TABLE block (
            file_id INTEGER NOT NULL, number INTEGER NOT NULL, hash INTEGER NOT NULL,
            PRIMARY KEY (file_id, number)) WITHOUT ROWID;
        CREATE TABLE record_kind (code INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE record (
            id INTEGER PRIMARY KEY, source_id INTEGER NOT NULL, kind INTEGER NOT NULL, is_authoritative INTEGER NOT NULL,
            offset_ms INTEGER, duration_ms INTEGER, byte_offset INTEGER NOT NULL, byte_length INTEGER NOT NULL,
            created_ms INTEGER, record_id TEXT, reference TEXT, subject TEXT, detail TEXT, text TEXT, note TEXT, media_path TEXT,
            tags TEXT, wall_ms INTEGER);
        CREATE TABLE shared_id (
            source_id INTEGER NOT NULL, record_id TEXT NOT NULL, PRIMARY KEY (source_id, record_id)) WITHOUT ROWID;
        CREATE TABLE pause (
            source_id INTEGER NOT NULL, offset_ms INTEGER NOT NULL, length_ms INTEGER NOT NULL, total_ms INTEGER NOT NULL,
            PRIMARY KEY (source_id, offset_ms, length_ms)) WITHOUT ROWID;
        CREATE TABLE media_path (
            source_id INTEGER NOT NULL, path TEXT NOT NULL, state TEXT NOT NULL,
            PRIMARY KEY (source_id, path)) WITHOUT ROWID;
        CREATE TABLE finding (
            id INTEGER PRIMARY KEY, source_id INTEGER NOT NULL, file_id INTEGER, rule TEXT NOT NULL,
            severity TEXT NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL, byte_offset INTEGER NOT NULL,
            column INTEGER NOT NULL, message TEXT NOT NULL);
        CREATE TABLE revision (id INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, number INTEGER NOT NULL);

        """

    private static let indexes = """
        CREATE INDEX source_by_root ON source (root_id);
        CREATE INDEX source_by_journal_id ON source (journal_id);
        CREATE INDEX source_by_start ON source (epoch_ms DESC, path);
        CREATE INDEX finding_by_source ON finding (source_id, severity);
        CREATE INDEX finding_by_file ON finding (source_id, file_id, line);
        CREATE INDEX finding_unreadable ON finding (source_id) WHERE rule = '\(Rule.fileUnreadable.id)';

        """

    private static let recordIndexes = """
        CREATE INDEX record_by_span ON record (source_id, kind, offset_ms) WHERE duration_ms > 0;
        CREATE INDEX record_by_reference ON record (source_id) WHERE reference IS NOT NULL;

        """

    /// The indexes that hold each record.
    private static let wideIndexes = """
        CREATE INDEX record_by_id ON record (source_id, record_id) WHERE record_id IS NOT NULL;
        CREATE INDEX record_by_offset ON record (source_id, kind, offset_ms);

        """

    /// Takes the indexes that hold each record away, so that many rows are inserted faster, if so many bytes of a file are to be read
    /// that making them again, with the rows that are there, costs less than keeping them up with each row.
    ///
    /// - Returns: Whether they are gone. ``createWideIndexes(in:)`` must follow in the same transaction then. Others see neither.
    static func dropWideIndexes(in database: Database, before byteCount: Int64) throws -> Bool {
        guard byteCount > 4 << 20 else { return false }
        // A record has some 250 bytes.
        let limit = byteCount / 1024
        let count = try database.query("SELECT count(*) FROM (SELECT 1 FROM record LIMIT ?)").with(limit)
            .first { $0.int(0) }
        guard (count ?? 0) < limit else { return false }
        try database.execute(sql: "DROP INDEX record_by_id; DROP INDEX record_by_offset")
        return true
    }

    /// Makes these indexes: from sorted rows, which is faster than one row at a time.
    static func createWideIndexes(in database: Database) throws {
        try database.execute(sql: wideIndexes)
    }

    /// For people with `sqlite3`; the program does not use it.
    private static let view = """
        CREATE VIEW records AS
        SELECT CAST(source.path AS TEXT) AS source, record_kind.name AS kind, record.id & 0xFFFFFFFF AS line,
            record.record_id AS id, record.offset_ms, record.duration_ms, \(PauseRows.wallTime) AS wall_ms,
            record.byte_offset, record.byte_length, record.is_authoritative, record.detail, record.text, record.note,
            replace(trim(record.tags, char(10)), char(10), ' ') AS tags
        FROM record JOIN source ON source.id = record.source_id JOIN record_kind ON record_kind.code = record.kind;

        """
}
