internal import Glibc
internal import SystemPackage

/// The memory of this process.
package enum ProcessMemory {
    /// Gives what the process has freed, but the C library keeps for reuse, back to the system: worth some milliseconds after a large
    /// piece of work that will not come again soon.
    package static func trim() { _ = GNUCall.mallocTrim?(0) }

    /// Has all threads take memory from a few heaps, so that what one frees, another takes: of a heap for each thread, a burst of work
    /// leaves all larger. To be called before there are threads.
    package static func shareHeaps() { _ = GNUCall.mallopt?(heapCountOption, heapCount) }

    /// `M_ARENA_MAX` of malloc.h, which Swift does not see.
    private static let heapCountOption: Int32 = -8
    private static let heapCount: Int32 = 2

    /// How much of it is resident; nil if it can't be determined.
    ///
    /// Source: proc(5), /proc/self/statm, field 2, in pages.
    package static var residentBytes: Int? {
        guard let file = try? FileDescriptor.open("/proc/self/statm", .readOnly, options: .closeOnExec) else {
            return nil
        }
        var buffer = [UInt8](repeating: 0, count: 256)
        let count =
            (try? file.closeAfter { try buffer.withUnsafeMutableBytes { try file.read(into: $0) } }) ?? 0
        let fields = String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? Int(fields[1]).map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) } : nil
    }
}
