internal import GRDB
internal import GRDBSQLite

/// A prepared statement of a connection: bound, run and read without an object a row.
///
/// GRDB prepares and keeps it. A query is used inside the connection's transaction, and never by two loops at
/// a time.
struct Query {
    private let statement: Statement
    /// Soundness: belongs to `statement`, which this value keeps alive.
    private let handle: SQLiteStatement
    private let database: Database

    init(_ database: Database, _ sql: String) throws {
        statement = try database.cachedStatement(sql: sql)
        handle = statement.sqliteStatement
        self.database = database
        sqlite3_reset(handle)
    }

    // MARK: - Arguments, counted from 1

    // In line, where there are many of them: a call hands out a copy of the query.
    @discardableResult
    @inline(__always)
    func bind(_ index: Int32, _ value: Int64?) -> Query {
        if let value { sqlite3_bind_int64(handle, index, value) } else { sqlite3_bind_null(handle, index) }
        return self
    }

    @discardableResult
    @inline(__always)
    func bind(_ index: Int32, _ value: Int?) -> Query { bind(index, value.map(Int64.init)) }

    @discardableResult
    @inline(__always)
    func bind(_ index: Int32, _ value: Bool) -> Query { bind(index, value ? 1 : 0 as Int64) }

    @discardableResult
    func bind(_ index: Int32, _ value: String?) -> Query {
        guard var value else {
            sqlite3_bind_null(handle, index)
            return self
        }
        value.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                // An empty buffer may have no address, which SQLite would take for NULL.
                _ = sqlite3_bind_text(handle, index, $0.baseAddress ?? emptyText, Int32($0.count), copied)
            }
        }
        return self
    }

    /// Binds a text that SQLite does not copy.
    ///
    /// The caller keeps its memory until something else is bound there, or ``forgetArguments()``.
    @discardableResult
    @inline(__always)
    func bind(_ index: Int32, lent utf8: UnsafeRawBufferPointer?) -> Query {
        guard let utf8 else {
            sqlite3_bind_null(handle, index)
            return self
        }
        let bytes = utf8.assumingMemoryBound(to: CChar.self)
        sqlite3_bind_text(handle, index, bytes.baseAddress ?? emptyText, Int32(bytes.count), nil)
        return self
    }

    /// Binds nothing any more.
    func forgetArguments() { sqlite3_clear_bindings(handle) }

    @discardableResult
    func bind(_ index: Int32, blob: [UInt8]) -> Query {
        // Sound: the array lends its bytes for the length of the call, in which SQLite copies them.
        blob.withUnsafeBytes { _ = sqlite3_bind_blob(handle, index, $0.baseAddress, Int32($0.count), copied) }
        return self
    }

    /// Binds all arguments.
    func with(_ values: (any SQLArgument)?...) -> Query { with(values) }

    /// Binds all arguments.
    func with(_ values: [(any SQLArgument)?]) -> Query {
        for (index, value) in values.enumerated() {
            let index = Int32(truncatingIfNeeded: index + 1)
            if let value { value.bind(to: self, at: index) } else { sqlite3_bind_null(handle, index) }
        }
        return self
    }

    // MARK: - Running

    /// Runs a statement that has no rows to give.
    func run() throws {
        defer { sqlite3_reset(handle) }
        let code = sqlite3_step(handle)
        guard code == SQLITE_DONE || code == SQLITE_ROW else { throw failure(code) }
    }

    /// Hands each row to `body`.
    func forEach(_ body: (Columns) throws -> Void) throws {
        defer { sqlite3_reset(handle) }
        while true {
            let code = sqlite3_step(handle)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else { throw failure(code) }
            try body(Columns(handle: handle))
        }
    }

    /// What `body` makes of each row.
    func map<Value>(_ body: (Columns) throws -> Value) throws -> [Value] {
        var values: [Value] = []
        try forEach { values.append(try body($0)) }
        return values
    }

    /// What `body` makes of the first row, or nil when there is none.
    func first<Value>(_ body: (Columns) throws -> Value) throws -> Value? {
        defer { sqlite3_reset(handle) }
        switch sqlite3_step(handle) {
        case SQLITE_DONE: return nil
        case SQLITE_ROW: return try body(Columns(handle: handle))
        case let code: throw failure(code)
        }
    }

    /// Hashes all rows, in their order, with the types of their values.
    func hash(into hasher: inout Hasher) throws {
        defer { sqlite3_reset(handle) }
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_DONE: return
            case SQLITE_ROW: Columns(handle: handle).hash(into: &hasher)
            case let code: throw failure(code)
            }
        }
    }

    /// Hashes a number as ``Columns/hash(from:into:)`` does.
    static func hash(_ number: Int64?, into hasher: inout Hasher) {
        hasher.combine(number == nil ? SQLITE_NULL : SQLITE_INTEGER)
        if let number { hasher.combine(number) }
    }

    /// Hashes a text as ``Columns/hash(from:into:)`` does.
    static func hash(_ text: String?, into hasher: inout Hasher) {
        hasher.combine(text == nil ? SQLITE_NULL : SQLITE_TEXT)
        guard var text else { return }
        text.withUTF8 { bytes in
            hasher.combine(bytes.count)
            hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        }
    }

    private func failure(_ code: Int32) -> DatabaseError {
        let connection = sqlite3_db_handle(handle)
        let message = sqlite3_errmsg(connection).map { String(cString: $0) }
        return DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
    }

    /// The columns of the row at which a query stands, counted from 0; valid until the query moves on.
    struct Columns {
        fileprivate let handle: SQLiteStatement

        var count: Int32 { sqlite3_column_count(handle) }

        fileprivate func hash(into hasher: inout Hasher) { hash(from: 0, into: &hasher) }

        /// Hashes the columns from that one on, with the types of their values; ``Query`` does the same for
        /// values that are to be written.
        func hash(from first: Int32, into hasher: inout Hasher) {
            for index in first..<count {
                let type = sqlite3_column_type(handle, index)
                hasher.combine(type)
                switch type {
                case SQLITE_NULL: continue
                case SQLITE_INTEGER: hasher.combine(int(index))
                default:
                    let bytes = bytes(index)
                    hasher.combine(bytes.count)
                    hasher.combine(bytes: bytes)
                }
            }
        }

        /// The bytes of a text or a blob, valid until the query moves on.
        private func bytes(_ index: Int32) -> UnsafeRawBufferPointer {
            // Sound: SQLite keeps the bytes until the statement's next step, and says how many they are once it has
            // been asked for them.
            let start = sqlite3_column_blob(handle, index)
            return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index)))
        }

        func isNull(_ index: Int32) -> Bool { sqlite3_column_type(handle, index) == SQLITE_NULL }

        func isText(_ index: Int32) -> Bool { sqlite3_column_type(handle, index) == SQLITE_TEXT }

        func int(_ index: Int32) -> Int64 { sqlite3_column_int64(handle, index) }

        func optionalInt(_ index: Int32) -> Int64? { isNull(index) ? nil : int(index) }

        func double(_ index: Int32) -> Double { sqlite3_column_double(handle, index) }

        func bool(_ index: Int32) -> Bool { int(index) != 0 }

        func text(_ index: Int32) -> String? {
            guard let text = sqlite3_column_text(handle, index) else { return nil }
            // Sound: SQLite keeps the bytes until the statement's next step, and says how many they are.
            let bytes = UnsafeRawBufferPointer(start: text, count: Int(sqlite3_column_bytes(handle, index)))
            return String(decoding: bytes, as: UTF8.self)
        }

        /// Whether the bytes of a text are these.
        func holds(_ text: [UInt8], at index: Int32) -> Bool { bytes(index).elementsEqual(text) }

        /// Puts the bytes of a text into `text`, which keeps its memory.
        func copy(_ index: Int32, into text: inout [UInt8]) {
            text.removeAll(keepingCapacity: true)
            text.append(contentsOf: bytes(index))
        }

        func blob(_ index: Int32) -> [UInt8] {
            guard let blob = sqlite3_column_blob(handle, index) else { return [] }
            // Sound: as above.
            return [UInt8](
                UnsafeRawBufferPointer(start: blob, count: Int(sqlite3_column_bytes(handle, index))))
        }
    }
}

/// Tells SQLite to copy what is bound (`SQLITE_TRANSIENT`, a macro that Swift does not see).
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

/// Soundness: allocated once, never written again and never freed.
nonisolated(unsafe) private let emptyText: UnsafePointer<CChar> = {
    let memory = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    memory.initialize(to: 0)
    return UnsafePointer(memory)
}()

/// An argument of a query.
protocol SQLArgument {
    func bind(to query: Query, at index: Int32)
}

extension Int64: SQLArgument {
    func bind(to query: Query, at index: Int32) { query.bind(index, self) }
}

extension Int: SQLArgument {
    func bind(to query: Query, at index: Int32) { query.bind(index, self) }
}

extension Bool: SQLArgument {
    func bind(to query: Query, at index: Int32) { query.bind(index, self) }
}

extension String: SQLArgument {
    func bind(to query: Query, at index: Int32) { query.bind(index, self) }
}

extension [UInt8]: SQLArgument {
    func bind(to query: Query, at index: Int32) { query.bind(index, blob: self) }
}

extension Database {
    func query(_ sql: String) throws -> Query { try Query(self, sql) }
}
