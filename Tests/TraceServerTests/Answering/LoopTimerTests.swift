import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import TraceServer

/// What is done later on the threads of connections, and the end of these threads. A debug build of NIO ends the process that asks an
/// event loop for something that has ended, so each test is a process.
struct LoopTimerTests {
    @Test func `a request that ends after the event loops asks them for nothing`() async {
        await #expect(processExitsWith: .success) {
            let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            let threads = ServerThreads()
            let memory = MemoryRelease(loops, threads) {}
            memory.stop()
            threads.end()
            try await loops.shutdownGracefully()
            memory.noteWork()
        }
    }

    @Test func `what is scheduled when it is stopped is not called, and nothing is scheduled after it`() async
    {
        await #expect(processExitsWith: .success) {
            let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            let timer = LoopTimer(loops)
            let calls = Mutex<[String]>([])
            timer.schedule(in: .zero) { calls.withLock { $0.append("first") } }
            try await loops.next().scheduleTask(in: .milliseconds(1)) {}.futureResult.get()
            timer.schedule(in: .milliseconds(20)) { calls.withLock { $0.append("cancelled") } }
            timer.stop()
            try await loops.next().scheduleTask(in: .milliseconds(40)) {}.futureResult.get()
            try await loops.shutdownGracefully()
            timer.schedule(in: .zero) { calls.withLock { $0.append("late") } }
            timer.stop()
            #expect(calls.withLock { $0 } == ["first"])
        }
    }
}
