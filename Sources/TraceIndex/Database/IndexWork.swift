internal import GRDB
internal import GRDBSQLite
internal import Glibc
internal import Synchronization

/// Lets other threads observe and interrupt the work of an index.
///
/// SQLite calls it regularly, also within long statements, and stops if it says so.
package final class IndexWork: Sendable {
    private let isStopped = Atomic(false)
    private let steps = Atomic(0)

    package init() {}

    /// Increases as long as SQLite is working.
    package var stepCount: Int { steps.load(ordering: .relaxed) }

    /// Ends what is under way, and whatever is begun later, with ``IndexError/Code/interrupted``: a transaction is rolled
    /// back as a whole. For a process that is about to end.
    package func stop() { isStopped.store(true, ordering: .relaxed) }

    /// Installs the progress handler on this connection.
    func attach(to database: Database) {
        // Sound: the connection's configuration holds this object, and SQLite calls only as long as the connection is open.
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_progress_handler(
            database.sqliteConnection, Self.instructions,
            { context in
                guard let context else { return 0 }
                return Unmanaged<IndexWork>.fromOpaque(context).takeUnretainedValue().shouldContinue() ? 0 : 1
            }, context)
    }

    /// The number of SQLite instructions between two calls: a millisecond or two.
    private static let instructions: Int32 = 20_000

    private func shouldContinue() -> Bool {
        steps.add(1, ordering: .relaxed)
        return !isStopped.load(ordering: .relaxed)
    }

    /// Waits briefly for a lock that another process holds.
    ///
    /// - Parameter tries: The number of earlier calls.
    /// - Returns: Whether to try again: for five seconds, unless the work is stopped.
    func shouldRetryLock(after tries: Int) -> Bool {
        guard !isStopped.load(ordering: .relaxed), tries < Self.lockTimeout / Self.pause else { return false }
        usleep(UInt32(Self.pause))
        return true
    }

    /// In microseconds.
    private static let lockTimeout = 5_000_000
    private static let pause = 5000
}
