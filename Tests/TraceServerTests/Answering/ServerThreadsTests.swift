import Dispatch
import Testing

@testable import TraceServer

/// Which work waits for which.
struct ServerThreadsTests {
    @Test(.timeLimit(.minutes(5)))
    func `who lost a token is looked for while all threads are busy with questions`() async {
        let threads = ServerThreads()
        let isOver = DispatchSemaphore(value: 0)
        async let questions: Void = withDiscardingTaskGroup { group in
            // More than there are threads for them, each until the look has come.
            for work in [Endpoint.Work.asking, .searching, .writing] {
                for _ in 0..<8 { group.addTask { try? await threads.run(work) { isOver.wait() } } }
            }
        }
        await withCheckedContinuation { look in threads.watch { look.resume() } }
        for _ in 0..<24 { isOver.signal() }
        await questions
        threads.end()
    }
}
