internal import GRDB
internal import TraceFormat

/// The tables of the index.
///
/// A change of anything here asks for a new ``version``: an index of another version is made anew, never
/// migrated, for the files have it all.
enum IndexSchema {
    /// Marks the database as ours: "TRCX".
    static let applicationID: Int64 = 0x5452_4358
    static let version: Int64 = 8

    static func create(in database: Database) throws {
        try database.execute(sql: tables + indexes + recordIndexes + wideIndexes + SearchText.schema + view)
        for kind in RecordKind.lines {
            try database.query("INSERT INTO record_kind (code, name) VALUES (?, ?)").with(
                kind.code, kind.rawValue
            ).run()
        }
        try database.execute(
            sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
    }

    /// Whether the tables, indexes and views of a database are all there, as they were made.
    static func isWhole(in database: Database) throws -> Bool {
        func statements(_ database: Database) throws -> Set<String> {
            try String.fetchSet(database, sql: "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
        }
        let whole = try DatabaseQueue().inDatabase { empty in
            try SearchTokenizer.register(in: empty)
            try create(in: empty)
            return try statements(empty)
        }
        return try whole.isSubset(of: statements(database))
    }

    /// A *source* is whatever is indexed as one thing; a session directory is one kind of source. Its *files*
    /// are what was looked at: those of records, `session.json`, the directory itself and its `media`. A
    /// record's key is its file's id · 2³² + its line, so that a file's lines lie beside each other, in
    /// order.
    private static let tables = """
        CREATE TABLE root (
            id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, is_online INTEGER NOT NULL,
            device INTEGER, inode INTEGER);
        CREATE TABLE source (
            id INTEGER PRIMARY KEY, kind TEXT NOT NULL, path BLOB NOT NULL UNIQUE, root_id INTEGER);
        CREATE TABLE session (
            source_id INTEGER PRIMARY KEY, ulid TEXT, title TEXT, status TEXT, created_ms INTEGER, updated_ms INTEGER,
            start_ms INTEGER, end_ms INTEGER, duration_ms INTEGER);
        CREATE TABLE file (
            id INTEGER PRIMARY KEY, source_id INTEGER NOT NULL, kind TEXT NOT NULL,
            device INTEGER, inode INTEGER, size INTEGER, modified_ns INTEGER, changed_ns INTEGER,
            is_proven INTEGER NOT NULL, is_in_transit INTEGER NOT NULL, bytes_indexed INTEGER NOT NULL,
            next_line INTEGER NOT NULL, last_offset_ms INTEGER, id_count INTEGER NOT NULL,
            search_line INTEGER NOT NULL DEFAULT 1,
            UNIQUE (source_id, kind));
        CREATE TABLE block (
            file_id INTEGER NOT NULL, number INTEGER NOT NULL, hash INTEGER NOT NULL,
            PRIMARY KEY (file_id, number)) WITHOUT ROWID;
        CREATE TABLE record_kind (code INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE record (
            id INTEGER PRIMARY KEY, source_id INTEGER NOT NULL, kind INTEGER NOT NULL, is_authoritative INTEGER NOT NULL,
            offset_ms INTEGER, duration_ms INTEGER, byte_offset INTEGER NOT NULL, byte_length INTEGER NOT NULL,
            created_ms INTEGER, ulid TEXT, reference TEXT, detail TEXT, text TEXT, note TEXT, media_path TEXT,
            tags TEXT, wall_ms INTEGER);
        CREATE TABLE shared_id (
            source_id INTEGER NOT NULL, ulid TEXT NOT NULL, PRIMARY KEY (source_id, ulid)) WITHOUT ROWID;
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

        """

    private static let indexes = """
        CREATE INDEX source_by_root ON source (root_id);
        CREATE INDEX session_by_ulid ON session (ulid);
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
        CREATE INDEX record_by_ulid ON record (source_id, ulid) WHERE ulid IS NOT NULL;
        CREATE INDEX record_by_offset ON record (source_id, kind, offset_ms);

        """

    /// Takes the indexes that hold each record away, so that many rows are inserted faster;
    /// ``createWideIndexes(in:)`` must follow in the same transaction. Others see neither.
    static func dropWideIndexes(in database: Database) throws {
        try database.execute(sql: "DROP INDEX record_by_ulid; DROP INDEX record_by_offset")
    }

    /// Makes these indexes: from sorted rows, which is faster than one row at a time.
    static func createWideIndexes(in database: Database) throws {
        try database.execute(sql: wideIndexes)
    }

    /// For people with `sqlite3`; the program does not use it.
    private static let view = """
        CREATE VIEW records AS
        SELECT CAST(source.path AS TEXT) AS session, record_kind.name AS kind, record.id & 0xFFFFFFFF AS line,
            record.ulid AS id, record.offset_ms, record.duration_ms, \(PauseRows.wallTime) AS wall_ms,
            record.byte_offset, record.byte_length, record.is_authoritative, record.detail, record.text, record.note,
            replace(trim(record.tags, char(10)), char(10), ' ') AS tags
        FROM record JOIN source ON source.id = record.source_id JOIN session ON session.source_id = source.id
            JOIN record_kind ON record_kind.code = record.kind;

        """
}
