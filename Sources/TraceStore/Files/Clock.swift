internal import Glibc
public import TraceFormat

/// The wall clock.
public enum Clock {
    /// Nanoseconds since 1970, in the kernel's view (clock_gettime(2), CLOCK_REALTIME).
    package static func nanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// How long the calling thread has used a processor so far (clock_gettime(2), CLOCK_THREAD_CPUTIME_ID):
    /// what a piece of work costs, however long it had to wait for its turn.
    package static func threadTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// The present moment.
    public static func now() -> Timestamp { Timestamp(milliseconds: nanoseconds() / 1_000_000) }
}
