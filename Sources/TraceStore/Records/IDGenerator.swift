public import RecordFormat
internal import Synchronization

/// Generates the ids of this process: unique, and each greater than the one before.
public enum IDGenerator {
    private static let generator = Mutex(ULIDGenerator())

    /// A new id that has the present time.
    public static func next() -> ULID {
        let now = Clock.now()
        return generator.withLock { $0.next(milliseconds: now.milliseconds) }
    }
}
