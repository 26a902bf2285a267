internal import Glibc

/// A moment as the kernel tells it, of the clock or of a file, exact to the nanosecond.
///
/// Any user can give a file a time in the year 2400, and a clock can be set to anything, so that such a time is never one number of
/// nanoseconds: those of 64 bits end in the year 2262. What is computed from it neither wraps nor traps.
///
/// Source: utimensat(2); clock_gettime(2).
package struct SystemTime: Hashable, Comparable, Sendable {
    /// Seconds since 1970, rounded down.
    package let seconds: Int64
    /// What comes on top of them, in nanoseconds: 0 ... 999,999,999, as the kernel gives it.
    package let nanoseconds: Int64

    package init(seconds: Int64, nanoseconds: Int64) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    init(_ time: timespec) {
        self.init(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
    }

    /// The present moment (clock_gettime(2), CLOCK_REALTIME), to compare the times of files with.
    package static func now() -> SystemTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return SystemTime(time)
    }

    package static func < (left: SystemTime, right: SystemTime) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }

    /// How long one moment is after another; negative where it is before.
    package static func - (later: SystemTime, earlier: SystemTime) -> Duration {
        // Durations have 128 bits, room for more than the largest distance there is.
        Duration.seconds(later.seconds) - Duration.seconds(earlier.seconds)
            + Duration.nanoseconds(later.nanoseconds) - Duration.nanoseconds(earlier.nanoseconds)
    }

    /// A number for telling this moment from another one, and for nothing else: nanoseconds since 1970, of which 64 bits are kept, so that
    /// it comes round every 584 years.
    package var stamp: Int64 { seconds &* 1_000_000_000 &+ nanoseconds }
}
