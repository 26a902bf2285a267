internal import Dispatch

/// Runs an actor's jobs one after the other on a dispatch queue of its own, so that file and database calls, which
/// block, stay off the cooperative pool.
final class WorkerExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label, qos: .userInitiated)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }
}
