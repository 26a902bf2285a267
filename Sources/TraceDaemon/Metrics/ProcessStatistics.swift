internal import Glibc
internal import SystemPackage
internal import TraceFiles

/// The kernel's statistics of this process.
struct ProcessStatistics: Sendable {
    /// Nil if it can't be determined.
    var residentBytes = ProcessMemory.residentBytes
    var descriptorCount = Self.descriptorCount
    var processorTime = Self.processorTime

    private static var descriptorCount: Int {
        var count = 0
        try? OpenDirectory("/proc/self/fd").forEachName { _ in count += 1 }
        // The directory itself is open while it is read.
        return max(0, count - 1)
    }

    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
