internal import GRDB
internal import Synchronization
internal import TraceFiles

/// The connections to one database file: the one for everything, and others, which only read, for questions that find the first in
/// use by another thread, whose transaction may take long: as many as there are threads that ask at once.
///
/// Each question sees one state on either: the log of SQLite (WAL) leaves the state before a transaction readable.
final class IndexConnections: Sendable {
    /// Which file it is.
    let file: FileID?
    private let number: Int
    /// Locked as long as it is in use.
    private let first: Mutex<DatabaseQueue>
    /// Those that only read and that nobody uses at present; opened when they are needed.
    private let readers = Mutex<[DatabaseQueue]>([])

    /// How many of them are kept. More have been used at once now and then, and each would keep two descriptors and its pages for good.
    private static let idleLimit = 4

    /// - Parameter number: That of ``OpenedIndex``.
    init(_ first: DatabaseQueue, to file: FileID?, number: Int) {
        self.first = Mutex(first)
        self.file = file
        self.number = number
    }

    /// The file, as one that is open.
    var opened: OpenedIndex? { file.map { OpenedIndex(file: $0, number: number) } }

    // The last connection that is closed empties the log, and only the first can.
    deinit { readers.withLock { $0 = [] } }

    /// Runs `body` on the first connection, as soon as no other thread uses it.
    func write<Result>(_ body: (DatabaseQueue) throws -> Result) throws -> Result {
        var result: Result?
        try first.withLock { result = try body($0) }
        guard let result else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
        return result
    }

    /// Runs `body` on the first connection if no other thread uses it, else on another.
    ///
    /// - Parameter open: Opens another connection to a file. Without one, `body` waits for the first.
    func read<Result>(
        opening open: (FileID?) -> DatabaseQueue?, _ body: (DatabaseQueue) throws -> Result
    ) throws -> Result {
        var result: Result?
        try first.withLockIfAvailable { result = try body($0) }
        if let result { return result }
        guard let reader = readers.withLock({ $0.popLast() }) ?? open(file) else { return try write(body) }
        defer { readers.withLock { if $0.count < Self.idleLimit { $0.append(reader) } } }
        return try body(reader)
    }

    /// Gives back the memory of all, of those that only read by closing them.
    func releaseMemory() {
        readers.withLock { $0 = [] }
        first.withLock { $0.releaseMemory() }
    }

    /// Closes all, once nobody uses them.
    func close() throws {
        try readers.withLock { readers in
            for reader in readers { try reader.close() }
            readers = []
        }
        try first.withLock { try $0.close() }
    }
}
