internal import Glibc

/// What this thread does, counted: unlike the time that passes, it does not depend on what else the machine has to do.
package enum CountedWork {
    /// The processor time that this thread takes for something.
    package static func processorTime(_ body: () throws -> Void) rethrows -> Duration {
        func now() -> Duration {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
        let start = now()
        try body()
        return now() - start
    }

    /// How many bytes this thread reads for something; some hundred are its own.
    package static func bytesRead(_ body: () throws -> Void) rethrows -> Int {
        let start = bytesRead()
        try body()
        return bytesRead() - start
    }

    /// Source: proc(5), `rchar`.
    private static func bytesRead() -> Int {
        let file = open("/proc/thread-self/io", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = read(file, &bytes, bytes.count)
        guard count > 0 else { return 0 }
        let text = String(decoding: bytes[..<count], as: UTF8.self)
        return Int(text.split(separator: "\n").first?.split(separator: " ").last ?? "") ?? 0
    }
}
