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

/// Runs tasks on threads that may block.
private final class WideExecutor: TaskExecutor {
    private let queue = OperationQueue()

    /// - Parameter width: How many tasks run at once.
    init(width: Int) { queue.maxConcurrentOperationCount = width }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
