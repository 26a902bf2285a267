import Glibc
import Synchronization
import Testing
import TraceFiles

/// A thread of its own for one closure.
struct DedicatedThreadTests {
    private static func name() -> String? {
        guard let file = fopen("/proc/thread-self/comm", "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 32)
        guard fgets(&line, 32, file) != nil else { return nil }
        return String(
            decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether the thread that calls this would be interrupted by a signal of that number.
    private static func isBlocked(_ signal: Int32) -> Bool {
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        return sigismember(&mask, signal) == 1
    }

    @Test func `it runs beside the caller, under its name, and no signal interrupts it`() throws {
        let seen = Mutex<(name: String?, isBlocked: Bool, thread: pthread_t?)>((nil, false, nil))
        let thread = try DedicatedThread(name: "of-its-own") {
            seen.withLock { $0 = (Self.name(), Self.isBlocked(SIGINT), pthread_self()) }
        }
        thread.join()
        // Each returns after the end.
        thread.join()
        seen.withLock { seen in
            #expect(seen.name == "of-its-own" && seen.isBlocked)
            #expect(seen.thread != pthread_self())
        }
    }

    @Test func `what is run on one is over when the caller continues, and may use what the caller has`()
        throws
    {
        var found: (isOther: Bool, isBlocked: Bool)?
        let (caller, wasBlocked) = (pthread_self(), Self.isBlocked(SIGTERM))
        try DedicatedThread.run {
            found = (pthread_self() != caller, Self.isBlocked(SIGTERM))
        }
        #expect(found?.isOther == true && found?.isBlocked == true)
        // The caller stays as it was.
        #expect(Self.isBlocked(SIGTERM) == wasBlocked)
    }
}
