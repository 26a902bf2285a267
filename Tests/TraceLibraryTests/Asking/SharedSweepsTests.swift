import Foundation
import Synchronization
import SystemPackage
import Testing

@testable import TraceLibrary

struct SharedSweepsTests {
    /// Does the work, and knows how often.
    private final class Work: Sendable {
        private let count = Mutex(0)
        private let answers = Mutex<[Int]>([])
        let begun = DispatchSemaphore(value: 0)
        let mayEnd = DispatchSemaphore(value: 0)
        let ended = DispatchGroup()

        /// The answers that threads got: the number of the sweep each.
        var numbers: [Int] { answers.withLock { $0 } }

        func sweep() -> SharedSweeps.Sweep {
            var sweep = SharedSweeps.Sweep()
            sweep.lagging = count.withLock { count in
                count += 1
                return count
            }
            return sweep
        }

        func note(_ number: Int) { answers.withLock { $0.append(number) } }
    }

    /// Has a thread ask.
    private func ask(_ sweeps: SharedSweeps, _ work: Work, waits: Bool = false) {
        work.ended.enter()
        Thread.detachNewThread {
            let sweep = try? sweeps.run(["/a"]) {
                if waits {
                    work.begun.signal()
                    work.mayEnd.wait()
                }
                return work.sweep()
            }
            work.note(sweep?.lagging ?? -1)
            work.ended.leave()
        }
    }

    @Test func `threads that ask while one is under way share the next, and never get that one`() throws {
        // Whether a thread has asked already is not seen, so it is tried until some surely had.
        for _ in 0..<10_000 {
            let sweeps = SharedSweeps()
            let work = Work()
            ask(sweeps, work, waits: true)
            work.begun.wait()
            for _ in 0..<4 { ask(sweeps, work) }
            for _ in 0..<100 { sched_yield() }
            work.mayEnd.signal()
            work.ended.wait()
            let numbers = work.numbers
            try #require(numbers.count == 5)
            #expect(numbers.filter { $0 == 1 }.count == 1)
            #expect(numbers.allSatisfy { $0 > 0 })
            if Set(numbers).count == 2 { return }
        }
        Issue.record("no two threads have shared one")
    }

    @Test func `one after the other, each has its own; one that fails is no answer for others`() throws {
        struct Failure: Error {}
        let (sweeps, work) = (SharedSweeps(), Work())
        #expect(try sweeps.run(["/a"], work.sweep).lagging == 1)
        #expect(try sweeps.run(["/a"], work.sweep).lagging == 2)
        #expect(throws: Failure.self) { try sweeps.run(["/a"]) { throw Failure() } }
        #expect(try sweeps.run(["/a", "/b"], work.sweep).lagging == 3)
    }
}
