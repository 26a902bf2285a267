import Dispatch
import Testing

/// Runs tests on threads that they share with no other suite.
///
/// The pool has a thread a core, on which most tests wait for programs: a test that waits for an event there also waits until
/// another one has ended.
struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(QueueExecutor.shared) { try await function() }
    }
}

extension Trait where Self == OwnThreads {
    static var ownThreads: Self { Self() }
}

/// Runs tasks on threads of a dispatch queue.
final class QueueExecutor: TaskExecutor {
    static let shared = QueueExecutor()

    private let queue = DispatchQueue(label: "tests", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
