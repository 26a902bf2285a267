internal import Glibc
internal import Synchronization

/// Counts of this process's writes and syncs through this module, not counting SQLite's.
package struct WriteCounts: Sendable, Equatable {
    package var writes = 0
    package var writtenBytes = 0
    package var syncs = 0
    /// How long the calls that make durable have taken.
    package var syncTime = Duration.zero

    private static let writes = Atomic(0)
    private static let writtenBytes = Atomic(0)
    private static let syncs = Atomic(0)
    private static let syncNanoseconds = Atomic<Int64>(0)

    /// So far.
    package static var now: WriteCounts {
        WriteCounts(
            writes: writes.load(ordering: .relaxed), writtenBytes: writtenBytes.load(ordering: .relaxed),
            syncs: syncs.load(ordering: .relaxed),
            syncTime: .nanoseconds(syncNanoseconds.load(ordering: .relaxed)))
    }

    static func noteWrite(of count: Int) {
        writes.add(1, ordering: .relaxed)
        writtenBytes.add(count, ordering: .relaxed)
    }

    /// Counts a call that makes durable, and takes its time, whatever becomes of it.
    static func timing<Failure: Error>(_ sync: () throws(Failure) -> Void) throws(Failure) {
        let start = ContinuousClock.now
        defer {
            syncs.add(1, ordering: .relaxed)
            syncNanoseconds.add(
                Int64((ContinuousClock.now - start) / .nanoseconds(1)), ordering: .relaxed)
        }
        try sync()
    }
}
