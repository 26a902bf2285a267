internal import GRDB
internal import Synchronization
internal import TraceFiles

/// The connections to one database file: the one for everything, and a second, which only reads, for a question that finds
/// the first in use by another thread, whose transaction may take long.
///
/// Each question sees one state on either: the log of SQLite (WAL) leaves the state before a transaction readable.
final class IndexConnections: Sendable {
    /// Which file it is.
    let file: FileID?
    /// Locked as long as it is in use.
    private let first: Mutex<DatabaseQueue>
    /// Opened when it is needed.
    private let second = Mutex<DatabaseQueue?>(nil)

    init(_ first: DatabaseQueue, to file: FileID?) {
        self.first = Mutex(first)
        self.file = file
    }

    // The last connection that is closed empties the log, and only the first can.
    deinit { second.withLock { $0 = nil } }

    /// Runs `body` on the first connection, as soon as no other thread uses it.
    func write<Result>(_ body: (DatabaseQueue) throws -> Result) throws -> Result {
        var result: Result?
        try first.withLock { result = try body($0) }
        guard let result else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
        return result
    }

    /// Runs `body` on the first connection if no other thread uses it, else on the second.
    ///
    /// - Parameter open: Opens the second connection to a file. Without one, `body` waits for the first.
    func read<Result>(
        opening open: (FileID?) -> DatabaseQueue?, _ body: (DatabaseQueue) throws -> Result
    ) throws -> Result {
        var result: Result?
        try first.withLockIfAvailable { result = try body($0) }
        if let result { return result }
        guard let queue = queue(openedBy: open) else { return try write(body) }
        return try body(queue)
    }

    private func queue(openedBy open: (FileID?) -> DatabaseQueue?) -> DatabaseQueue? {
        second.withLock { second in
            if second == nil { second = open(file) }
            return second
        }
    }

    /// Gives back the memory of both, of the second by closing it.
    func releaseMemory() {
        second.withLock { $0 = nil }
        first.withLock { $0.releaseMemory() }
    }

    /// Closes both, once nobody uses them.
    func close() throws {
        try second.withLock { second in
            try second?.close()
            second = nil
        }
        try first.withLock { try $0.close() }
    }
}
