import Foundation
import Testing

/// Where the tests begin (`make test`): on more threads than there are cores.
///
/// Swift's own pool has a thread a core, and most tests wait there for programs that they started. A preference holds for all tasks below the one that
/// has it, so this one holds for each test that names no other.
@main struct Entry {
    static func main() async {
        let status = await withTaskExecutorPreference(WideExecutor(width: 6)) {
            await Testing.__swiftPMEntryPoint() as CInt
        }
        exit(status)
    }
}

/// Runs tasks on threads that may block; what came last comes first, so that a test that has begun is not left waiting behind thousands that have not.
// Sound: the condition's lock guards the only state that changes.
private final class WideExecutor: TaskExecutor, @unchecked Sendable {
    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []

    /// - Parameter width: How many tasks run at once.
    init(width: Int) {
        for _ in 0..<width {
            let thread = Thread { [self] in
                // As on the threads of the pool: a signal is for others, and interrupts no call of a test.
                var all = sigset_t()
                sigfillset(&all)
                pthread_sigmask(SIG_SETMASK, &all, nil)
                while true { next().runSynchronously(on: asUnownedTaskExecutor()) }
            }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.withLock { jobs.append(job) }
        condition.signal()
    }

    private func next() -> UnownedJob {
        condition.withLock {
            while true {
                if let job = jobs.popLast() { return job }
                condition.wait()
            }
        }
    }
}
