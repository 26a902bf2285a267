internal import Glibc
public import RecordFormat
internal import TraceFiles

/// The wall clock.
public enum Clock {
    /// How long the calling thread has used a processor so far (clock_gettime(2), CLOCK_THREAD_CPUTIME_ID):
    /// what a piece of work costs, however long it had to wait for its turn.
    package static func threadTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// By how much the clocks of devices that are right may differ, in milliseconds: more than a network makes of it. What is later than
    /// that is in the future.
    package static let tolerance: Int64 = 60_000

    /// The present moment.
    public static func now() -> Timestamp { SystemTime.now().timestamp }
}
