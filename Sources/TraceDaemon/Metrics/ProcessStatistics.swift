internal import Glibc
internal import SystemPackage
internal import TraceFiles

/// The kernel's statistics of this process.
struct ProcessStatistics: Sendable {
    /// Nil if it can't be determined.
    var residentBytes = Self.residentBytes
    var descriptorCount = Self.descriptorCount
    var processorTime = Self.processorTime

    /// Source: proc(5), /proc/self/statm, field 2, in pages.
    private static var residentBytes: Int? {
        guard let file = try? FileDescriptor.open("/proc/self/statm", .readOnly, options: .closeOnExec) else {
            return nil
        }
        var buffer = [UInt8](repeating: 0, count: 256)
        let count =
            (try? file.closeAfter { try buffer.withUnsafeMutableBytes { try file.read(into: $0) } }) ?? 0
        let fields = String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? Int(fields[1]).map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) } : nil
    }

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
