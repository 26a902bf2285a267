internal import GRDB
internal import Glibc
internal import Synchronization
internal import SystemPackage
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// The database file: reopened when another file has taken its place, and rebuilt when it is damaged.
final class IndexDatabase: Sendable {
    let path: FilePath
    let access: Access
    /// The kinds of journal that it holds.
    let formats: JournalRegistry
    private let work: IndexWork
    private let state = Mutex(State())
    /// How many files were opened.
    private let openedCount = Atomic(0)

    /// What a connection is for.
    enum Access: Sendable {
        /// Building and asking: damage is repaired.
        case writing
        /// Asking: damage is an error.
        case reading
        /// Filling a new one that nobody else knows yet: nothing is made durable before ``finish()``.
        case filling
    }

    private struct State {
        var connections: IndexConnections?
        var notes: [String] = []
    }

    init(
        _ path: FilePath, access: Access, formats: JournalRegistry, work: IndexWork = IndexWork()
    ) throws {
        self.path = path
        self.work = work
        self.access = access
        self.formats = formats
        // What GRDB leaves to libdispatch, and RecordScan's reader.
        try ThreadCapacity.require(3)
        _ = try explaining { try connections() }
    }

    func drainNotices() -> [String] {
        state.withLock { state in
            defer { state.notes = [] }
            return state.notes
        }
    }

    /// Gives back the memory of the connections, if there are any.
    func releaseMemory() {
        state.withLock { $0.connections }?.releaseMemory()
    }

    /// Looks at the file behind the open connection, which answers out of its memory as long as it can, and makes a new one
    /// where it was emptied, replaced or deleted.
    func checkFile() throws {
        _ = try explaining { try connections() }
        guard access == .writing, DatabaseFile(path: path).isEmptied else { return }
        let isEmptied = try state.withLock { state in
            guard let file = state.connections?.file, DatabaseFile(path: path).isEmptied else { return false }
            state.connections = nil
            try recreate(&state, because: "it was damaged: it had been emptied", ifStill: file)
            return true
        }
        if isEmptied { _ = try explaining { try connections() } }
    }

    /// The file that is open; opened again where the path leads to another one now.
    func opened() throws -> OpenedIndex? { try explaining { try connections().opened } }

    /// Whether a file has been open since, and the path still leads to it.
    func isStill(_ opened: OpenedIndex) -> Bool {
        // Nobody closes it while the path is looked at.
        state.withLock { state in
            state.connections?.opened == opened && DatabaseFile(path: path).identity == opened.file
        }
    }

    /// Takes the right to write and gives it back: whether the database answers. Nothing is written.
    func probe() throws {
        try explaining {
            try connections().write {
                try Self.transaction($0, .immediate) { _ = try $0.query("SELECT 1 FROM root").first { _ in } }
            }
        }
    }

    // MARK: - Transactions

    /// Runs `body`, which only reads, in one transaction; it never waits for another thread's ``write(_:)``.
    ///
    /// Not by GRDB's `read`: its `PRAGMA query_only` has SQLite compile every prepared statement again.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try explaining {
            let connections = try connections()
            do {
                return try connections.read(opening: openReader) { try transaction($0, .deferred, body) }
            } catch let damage as Damage {
                let error = damage.cause
                try replace(connections, because: error)
                throw IndexError(
                    .corrupt, "the index was damaged (\(error)); it was rebuilt and is still empty",
                    path: path,
                    cure: [
                        "reconcile the sessions (\(verb: "index rebuild")), or read the files",
                        IndexError.rebuildingOnServer,
                    ],
                    underlying: error)
            }
        }
    }

    /// Runs `body` in one write transaction, which is rolled back when it throws. On a damaged database it
    /// runs again on the new one.
    func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try explaining {
            let connections = try connections()
            do {
                return try connections.write {
                    try transaction($0, .immediate) { try Self.counted(body, $0) }
                }
            } catch let damage as Damage {
                try replace(connections, because: damage.cause)
                return try self.connections().write {
                    try Self.transaction($0, .immediate) { try Self.counted(body, $0) }
                }
            }
        }
    }

    /// Runs `body`, and counts the transaction if it has changed a row.
    private static func counted<Result>(
        _ body: (Database) throws -> Result, _ database: Database
    ) throws -> Result {
        let before = database.totalChangesCount
        let result = try body(database)
        if database.totalChangesCount != before { try IndexRevision.advance(in: database) }
        return result
    }

    /// An error that results from a file that is not what was written.
    private struct Damage: Error {
        var cause: any Error
    }

    /// As the static one; throws ``Damage`` where the connection that met it finds the file damaged.
    private func transaction<Result>(
        _ queue: DatabaseQueue, _ kind: Database.TransactionKind, _ body: (Database) throws -> Result
    ) throws -> Result {
        do { return try Self.transaction(queue, kind, body) } catch  where isDamage(error, in: queue) {
            throw Damage(cause: error)
        }
    }

    private static func transaction<Result>(
        _ queue: DatabaseQueue, _ kind: Database.TransactionKind, _ body: (Database) throws -> Result
    ) throws -> Result {
        try queue.writeWithoutTransaction { database in
            var result: Result?
            try database.inTransaction(kind) {
                result = try body(database)
                return .commit
            }
            guard let result else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
            return result
        }
    }

    // MARK: - Opening

    /// The connections, opened again where the path leads to another file now: the index may be deleted at any time.
    private func connections() throws -> IndexConnections {
        // Nobody waits while another thread looks at the file.
        if let open = state.withLock({ $0.connections }), DatabaseFile(path: path).identity == open.file {
            return open
        }
        return try state.withLock { state in
            if let connections = state.connections {
                if DatabaseFile(path: path).identity == connections.file { return connections }
                state.connections = nil
                state.notes.append(
                    "\(path.escaped): the index was deleted or replaced by another process; everything will be read again"
                )
            }
            let connections = try open(&state)
            state.connections = connections
            return connections
        }
    }

    /// Opens one more connection, which only reads, to a file that the first keeps open, so that no other can take its number.
    ///
    /// - Returns: Nil if there is to be none, or there can be none: why is for the first to find.
    private func openReader(to file: FileID?) -> DatabaseQueue? {
        guard access == .writing, let name = try? name else { return nil }
        var configuration = configuration
        // It makes no file where there is none any more.
        configuration.readonly = true
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA cache_size = -\(Self.readersCacheKilobytes)")
        }
        let database = DatabaseFile(path: path)
        return try? database.hold {
            let queue = try DatabaseQueue(path: name, configuration: configuration)
            return database.identity == file ? queue : nil
        }
    }

    /// Ends the filling of a new one: it is as one that was made with ``Access/writing``, and on the disk.
    func finish() throws {
        try explaining {
            let connections = try connections()
            try connections.write { try useLog($0) }
            state.withLock { $0.connections = nil }
            try connections.close()
        }
        // No connection of this process is left whose locks this descriptor would take with it.
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
            try file.closeAfter { if fsync(file.rawValue) != 0 { throw Errno(rawValue: errno) } }
        } catch let error as Errno {
            throw IndexError(error, "sync", path)
        }
    }

    /// Puts a finished database in the place of this one.
    func replace(with other: FilePath) throws {
        try explaining {
            let file = DatabaseFile(path: path)
            try state.withLock { state in
                let old = state.connections
                state.connections = nil
                try old?.close()
                try file.lock { try file.replace(with: other) }
            }
        }
    }

    private func replace(_ damaged: IndexConnections, because error: any Error) throws {
        try state.withLock { state in
            // Another thread may have done it already.
            guard state.connections === damaged else { return }
            state.connections = nil
            guard access == .writing else { return }
            try recreate(&state, because: "it was damaged: \(reason(error))", ifStill: damaged.file)
        }
    }

    private func open(_ state: inout State) throws -> IndexConnections {
        let file = DatabaseFile(path: path)
        guard access == .writing else { return try file.hold { try connect(file) } }
        do { return try openOrCreate(file) } catch let refusal as Refusal {
            try recreate(
                &state, because: (refusal.isDamage ? "it was damaged: " : "") + refusal.reason,
                ifStill: refusal.file)
        }
        return try openOrCreate(file)
    }

    private func openOrCreate(_ file: DatabaseFile) throws -> IndexConnections {
        while true {
            if let made = try create(file) { return made }
            // Where it was moved aside since, SQLite would make another one beside the process that is about to make one under the lock.
            if let there = try file.hold({ file.identity == nil ? nil : try connect(file) }) { return there }
        }
    }

    /// Makes the database where there is none.
    ///
    /// A log that is there without its database would be replayed into the new one, so it is removed; and that nobody removes
    /// the log of a database which another has made in between, it is made under the lock.
    private func create(_ file: DatabaseFile) throws -> IndexConnections? {
        guard file.identity == nil else { return nil }
        return try file.lock {
            guard file.identity == nil else { return nil }
            try file.removeOrphans()
            try file.make()
            return try connect(file)
        }
    }

    private func recreate(
        _ state: inout State, because reason: String, ifStill identity: FileID?
    ) throws {
        let file = DatabaseFile(path: path)
        try file.lock {
            guard file.identity == identity else { return }
            let kept = try file.moveAside()
            let place = kept.map { "; the old file is kept as \($0.escaped)" } ?? ""
            state.notes.append("\(path.escaped): the index was rebuilt because \(reason)\(place)")
        }
    }

    /// Why a database can't be used although SQLite can read it.
    private struct Refusal: Error {
        var reason: String
        var isDamage = false
        var file: FileID?
    }

    /// The path as SQLite takes it.
    private var name: String {
        get throws {
            if let name = path.withPlatformString({ String(validatingCString: $0) }) { return name }
            throw IndexError(
                .invalidPath, "the path of the index is not UTF-8", path: path,
                cure: "choose a state directory whose name is UTF-8")
        }
    }

    private func connect(_ file: DatabaseFile) throws -> IndexConnections {
        let name = try name
        while true {
            let status = file.status
            let before = status?.identity.file
            if access == .reading, before == nil {
                throw IndexError(
                    .notFound, "there is no index", path: path,
                    cure: "traced creates it, or the next \(verb: "sessions")")
            }
            do {
                if status?.kind == .directory { throw HeaderDamage(reason: DatabaseFile.noDatabase) }
                let (queue, kind) = try opened(name)
                if let reason = try kind.refusal ?? prepare(queue, isEmpty: kind.isEmpty) {
                    throw Refusal(reason: reason, file: before)
                }
                let after = file.identity
                if before == nil || before == after {
                    let number = openedCount.add(1, ordering: .relaxed).newValue
                    return IndexConnections(queue, to: after, number: number)
                }
            } catch let damage as HeaderDamage {
                throw Refusal(reason: damage.reason, isDamage: true, file: before)
            } catch  where access == .writing && Self.isDamage(error) {
                throw Refusal(reason: reason(error), isDamage: true, file: before)
            }
        }
    }

    /// Why the file can't be a database of ours, found before SQLite reads it.
    private struct HeaderDamage: Error {
        var reason: String
    }

    private var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "index"
        configuration.foreignKeysEnabled = false
        configuration.readonly = access == .reading
        let work = work
        configuration.busyMode = .callback { work.shouldRetryLock(after: $0) }
        let isFilling = access == .filling
        let file = DatabaseFile(path: path)
        configuration.prepareDatabase { database in
            if let reason = file.headerDamage(asReadBy: database) { throw HeaderDamage(reason: reason) }
            work.attach(to: database)
            try SearchTokenizer.register(in: database)
            // What is sorted to make an index grows with the file, and must not be in memory as a whole. Threads sort it.
            try database.execute(
                sql: """
                    PRAGMA synchronous = NORMAL; PRAGMA temp_store = FILE; PRAGMA trusted_schema = OFF;
                    PRAGMA cell_size_check = ON; PRAGMA cache_size = -\(Self.cacheKilobytes);
                    PRAGMA journal_size_limit = \(Self.journalLimit); PRAGMA threads = 2
                    """)
            // What can't be seen before it is finished needs no log, and no sync but one at the end.
            guard isFilling else { return }
            try database.execute(sql: "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
        }
        return configuration
    }

    /// Has SQLite write to a log (WAL); nothing is written where the file says so already.
    ///
    /// Not by GRDB's `journalMode`: that makes a table at each opening and drops it again, so that the log is not empty,
    /// which is a transaction, two syncs and a millisecond.
    private func useLog(_ queue: DatabaseQueue) throws {
        let mode = try waiting {
            try queue.inDatabase { try $0.query("PRAGMA journal_mode = WAL").first { $0.text(0) } }
        }
        guard mode == "wal" else {
            throw DatabaseError(
                resultCode: .SQLITE_IOERR,
                message: "the file system does not support the index's write-ahead log (WAL)")
        }
    }

    /// Runs `body` again as long as another connection has the lock that it needs, and no longer than any statement waits.
    ///
    /// For what reads before it writes: SQLite refuses such a statement without asking the busy handler, as two that each
    /// wait for the other's reading to end would wait for ever (sqlite.org/c3ref/busy_handler.html).
    private func waiting<Result>(_ body: () throws -> Result) throws -> Result {
        var tries = 0
        while true {
            do { return try body() } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                guard work.shouldRetryLock(after: tries) else { throw error }
                tries += 1
            }
        }
    }

    /// How much of the database a connection keeps in memory, at most.
    private static let cacheKilobytes = 8192
    /// There may be as many readers as threads.
    private static let readersCacheKilobytes = 2048
    /// To how many bytes the journal is cut again when a large transaction has swelled it.
    private static let journalLimit = 16 << 20

    /// Opens the database, and asks what it is.
    private func opened(
        _ name: String
    ) throws -> (queue: DatabaseQueue, kind: (isEmpty: Bool, refusal: String?)) {
        do {
            let queue = try DatabaseQueue(path: name, configuration: configuration)
            // In one transaction: between two readings another process may make the tables.
            return (queue, try Self.transaction(queue, .deferred) { try Self.kind(of: $0) })
        } catch let error as DatabaseError where Self.refusals.contains(error.resultCode) {
            // So little is asked of every database.
            throw IndexDamage(description: error.message ?? "its schema can't be read")
        }
    }

    /// Sees to the log, and makes the tables in a database that is empty; says why another one is not ours.
    private func prepare(_ queue: DatabaseQueue, isEmpty: Bool) throws -> String? {
        if access == .writing { try useLog(queue) }
        guard isEmpty else { return nil }
        guard access != .reading else { return "it is empty" }
        return try Self.transaction(queue, .immediate) { database in
            // Another process may have made them in between.
            let (isEmpty, reason) = try Self.kind(of: database)
            if isEmpty { try IndexSchema.create(for: formats, in: database) }
            return reason
        }
    }

    private static func kind(of database: Database) throws -> (isEmpty: Bool, refusal: String?) {
        func number(_ sql: String) throws -> Int64 { try database.query(sql).first { $0.int(0) } ?? 0 }
        let id = try number("PRAGMA application_id")
        let version = try number("PRAGMA user_version")
        if id == IndexSchema.applicationID {
            guard version != IndexSchema.version else { return (false, nil) }
            return (false, "it has version \(version), not \(IndexSchema.version)")
        }
        if id == 0, version == 0, try number("SELECT count(*) FROM sqlite_schema") == 0 { return (true, nil) }
        return (false, "it belongs to another program")
    }

    // MARK: - Errors

    /// Whether an error says that the file is not what was written.
    private static func isDamage(_ error: any Error) -> Bool {
        if error is IndexDamage { return true }
        guard let error = error as? DatabaseError else { return false }
        return [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
            || error.extendedResultCode == .SQLITE_IOERR_SHORT_READ
    }

    /// What SQLite answers to a statement that it can't prepare, or that breaks a constraint.
    private static let refusals: [ResultCode] = [
        .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_FORMAT,
    ]

    /// Whether an error results from a file that is not what was written.
    ///
    /// The statements are fixed, so that one which is refused has met a damaged database or is wrong itself, and then a new
    /// database would not help: whether the tables are ours, and SQLite's own check, decide.
    private func isDamage(_ error: any Error, in queue: DatabaseQueue) -> Bool {
        if Self.isDamage(error) { return true }
        guard let error = error as? DatabaseError, Self.refusals.contains(error.resultCode) else {
            return false
        }
        do {
            return try queue.inDatabase { database in
                guard try IndexSchema.isWhole(for: formats, in: database) else { return true }
                if try database.query("PRAGMA integrity_check(1)").first({ $0.text(0) }) != "ok" {
                    return true
                }
                return try SearchTables(database: database).damage() != nil
            }
        } catch { return Self.isDamage(error) }
    }

    private func reason(_ error: any Error) -> String {
        (error as? DatabaseError)?.message ?? "\(error)"
    }

    private func explaining<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as DatabaseError {
            throw IndexError(error, path)
        } catch let damage as IndexDamage {
            throw IndexError(
                .corrupt, "the index is damaged: \(damage)", path: path,
                cure: IndexError.rebuilding)
        } catch let refusal as Refusal {
            throw IndexError(
                refusal.isDamage ? .corrupt : .otherSchema,
                "the index \(refusal.isDamage ? "is damaged" : "can't be used"): \(refusal.reason)",
                path: path, cure: IndexError.rebuilding)
        }
    }
}

extension IndexError {
    static let rebuildingOnServer = Cure.Way.overHTTP("run \(verb: "index rebuild") on the server")
    static let rebuilding: Cure = [
        "\(verb: "index rebuild") makes a new one from the session files", rebuildingOnServer,
    ]

    /// What SQLite's refusal means.
    init(_ error: DatabaseError, _ path: FilePath) {
        let (code, cure): (Code, Cure?) =
            switch error.resultCode {
            case .SQLITE_BUSY, .SQLITE_LOCKED: (.busy, "try again when the other process has finished")
            case .SQLITE_FULL: (.diskFull, "free some space on the index's file system, then try again")
            case .SQLITE_INTERRUPT: (.interrupted, nil)
            case .SQLITE_CORRUPT, .SQLITE_NOTADB:
                (.corrupt, Self.rebuilding)
            case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
                (.permissionDenied, "give the user that runs this permission on the index and its directory")
            case .SQLITE_CANTOPEN where Self.parentIsMissing(path):
                (.notFound, "create the directory of the index")
            case .SQLITE_CANTOPEN:
                (.permissionDenied, "give the user that runs this permission on the index and its directory")
            default: (.io, nil)
            }
        self.init(code, error.message ?? "SQLite failed", path: path, cure: cure, underlying: error)
    }

    private static func parentIsMissing(_ path: FilePath) -> Bool {
        path.removingLastComponent().withPlatformString { access($0, F_OK) } != 0
    }
}
