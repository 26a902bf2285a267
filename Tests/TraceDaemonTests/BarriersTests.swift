import Dispatch
import FileHarness
import Glibc
import Synchronization
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceIndex
import TraceLibrary

@testable import TraceDaemon

/// Who asks, who shares, who waits, and who is sent away.
struct BarriersTests {
    private let barriers = Barriers()
    private let passed = Passed()
    private let answer = WatchedRoots(database: FileID(device: 1, inode: 2), roots: ["/a": true])
    private let index = OpenedIndex(file: FileID(device: 1, inode: 2), number: 1)

    /// The barriers that went through the watcher.
    private final class Passed: Sendable {
        private let numbers = Mutex<[UInt64]>([])
        var all: [UInt64] { numbers.withLock { $0 } }
        func add(_ number: UInt64) { numbers.withLock { $0.append(number) } }
    }

    /// The answers that came.
    private final class Answers: Sendable {
        private let answers = Mutex<[WatchedRoots?]>([])
        var all: [WatchedRoots?] { answers.withLock { $0 } }
        func add(_ answer: WatchedRoots?) { answers.withLock { $0.append(answer) } }
    }

    private func begin() {
        let passed = passed
        barriers.begin { passed.add($0) }
    }

    private func ask(_ count: Int = 1) -> Answers {
        let answers = Answers()
        for _ in 0..<count { barriers.ask { answers.add($0) } }
        return answers
    }

    @Test func `without a watcher, and after it, nothing is known`() {
        #expect(ask().all == [nil])
        begin()
        let waiting = ask()
        #expect(passed.all == [1] && waiting.all.isEmpty)
        barriers.end()
        #expect(waiting.all == [nil])
        #expect(ask().all == [nil])
        // It comes through too late.
        barriers.finish(1, answer)
        #expect(waiting.all == [nil] && !barriers.isAwaited(1))
    }

    @Test func `those who come while one is under way share the next`() {
        begin()
        let first = ask()
        let others = ask(3)
        #expect(passed.all == [1] && barriers.isAwaited(1))
        barriers.finish(1, answer)
        #expect(first.all == [answer] && others.all.isEmpty)
        #expect(passed.all == [1, 2] && barriers.isAwaited(2))
        barriers.finish(2, nil)
        #expect(others.all == [nil, nil, nil])
        #expect(passed.all == [1, 2])
    }

    @Test func `during a scan nothing is known, and those who wait are told`() {
        begin()
        let waiting = ask(2)
        barriers.beginScan()
        barriers.beginScan()
        #expect(waiting.all == [nil, nil])
        #expect(ask().all == [nil])
        barriers.endScan(sessionCount: 0)
        #expect(ask().all == [nil])
        barriers.endScan(sessionCount: 0)
        let later = ask()
        #expect(later.all.isEmpty)
        barriers.finish(passed.all.last ?? 0, answer)
        #expect(later.all == [answer])
    }

    /// Lets ten through that find something to look at, which is as many as go at once.
    private func exhaust() -> UInt64 {
        begin()
        for _ in 0..<10 {
            _ = ask()
            barriers.finish(passed.all.last ?? 0, answer)
        }
        return passed.all.last ?? 0
    }

    private func scan(_ sessionCount: Int) {
        barriers.beginScan()
        barriers.endScan(sessionCount: sessionCount)
    }

    @Test func `ten go through at once, and then one in a fifth of a second, which all share who wait`()
        throws
    {
        scan(50_000)
        #expect(exhaust() == 10)
        let waiting = ask(2)
        // A machine may be so slow that the next may go already.
        if passed.all.count == 10 { #expect(waiting.all.isEmpty) }
        try soon("the next goes through") { passed.all.count == 11 }
        barriers.finish(11, answer)
        #expect(waiting.all == [answer, answer])
    }

    @Test func `an answer that lasts is given again for as long as nothing has happened`() {
        let still = Mutex(true)
        let passed = passed
        barriers.begin(isStill: { number, known in
            number == 1 && known == index && still.withLock { $0 }
        }) { passed.add($0) }
        _ = ask()
        barriers.finish(1, answer, isFree: true, lasting: index)
        #expect(ask().all == [answer] && barriers.wait() == answer && passed.all == [1])
        still.withLock { $0 = false }
        #expect(ask().all.isEmpty && passed.all == [1, 2])
        still.withLock { $0 = true }
        // Of the second one it is not known that it lasts.
        barriers.finish(2, answer)
        #expect(ask().all.isEmpty && passed.all == [1, 2, 3])
    }

    @Test func `no answer lasts beyond a scan or the watcher`() {
        for change in [{ scan(20) }, { barriers.end() }] {
            let passed = passed
            barriers.begin(isStill: { _, _ in true }) { passed.add($0) }
            _ = ask()
            barriers.finish(passed.all.last ?? 0, answer, isFree: true, lasting: index)
            let count = passed.all.count
            change()
            let asked = ask().all
            #expect(asked.isEmpty ? passed.all.count == count + 1 : asked == [nil])
            barriers.end()
        }
    }

    @Test func `those that find nothing to look at cost nothing`() {
        scan(50_000)
        begin()
        for number in 1...100 as ClosedRange<UInt64> {
            let asked = ask()
            #expect(passed.all.last == number)
            barriers.finish(number, answer, isFree: true)
            #expect(asked.all == [answer])
        }
    }

    @Test func `of few sessions, comparing all takes less than waiting`() {
        scan(20)
        let last = exhaust()
        let asked = ask()
        // Unless the machine is so slow that the next may go.
        if passed.all.last == last { #expect(asked.all == [nil]) }
    }

    @Test func `a thread that waits is answered, or goes on after a second`() {
        let barriers = barriers
        let answer = answer
        barriers.begin { number in
            DispatchQueue.global().async { barriers.finish(number, answer) }
        }
        #expect(barriers.wait() == answer)
        barriers.begin { _ in }
        #expect(barriers.wait() == nil)
        // The barrier is still under way, so that nobody else waits for it.
        #expect(ask().all == [nil])
    }

    // MARK: - The socket

    private func socket(in scratch: ScratchDirectory) throws -> DaemonSocket {
        for name in ["state", "run"] as [FilePath.Component] { try OpenDirectory.make(scratch(name)) }
        return try #require(DaemonSocket(state: scratch("state"), runtimeDirectory: scratch("run")))
    }

    @Test func `a client gets what the barrier brings, until the socket is closed and gone`() throws {
        let scratch = try ScratchDirectory()
        let socket = try socket(in: scratch)
        let barriers = barriers
        let answer = answer
        func ask() -> WatchedRoots? {
            DaemonQuestion.ask(
                state: scratch("state"), runtimeDirectory: scratch("run"), patience: waitLimit)
        }
        let served = try BarrierSocket(socket, barriers)
        #expect(ask() == nil, "nothing is known yet")
        barriers.begin { number in
            DispatchQueue.global().async { barriers.finish(number, answer) }
        }
        #expect(ask() == answer)
        served.close()
        served.close()
        #expect(!socket.path.exists)
        #expect(ask() == nil)
    }

    @Test
    func `the socket of a daemon that was killed is taken over, and clients that say nothing hold nobody up`()
        throws
    {
        let scratch = try ScratchDirectory()
        let socket = try socket(in: scratch)
        let left = try DaemonSocket.open()
        try socket.withAddress { bind(left.rawValue, $0, $1) }
        try left.close()
        let barriers = barriers
        let answer = answer
        barriers.begin { number in
            DispatchQueue.global().async { barriers.finish(number, answer) }
        }
        let served = try BarrierSocket(socket, barriers)
        let silent = try (0..<200).map { _ in try DaemonSocket.open() }
        defer { for client in silent { try? client.close() } }
        for client in silent { _ = try? socket.withAddress { connect(client.rawValue, $0, $1) } }
        try soon("a client that reads is answered") {
            DaemonQuestion.ask(state: scratch("state"), runtimeDirectory: scratch("run")) == answer
        }
        withExtendedLifetime(served) {}
    }

    @Test(
        arguments: [(0o755, 0o600), (0o2775, 0o660), (0o2770, 0o660), (0o700, 0o600)] as [(mode_t, UInt32)])
    func `the group may ask if it shares the runtime directory, and others never`(
        _ directory: mode_t, _ socketMode: UInt32
    ) throws {
        let scratch = try ScratchDirectory()
        let socket = try socket(in: scratch)
        try #require(chmod(scratch("run").string, directory) == 0)
        let served = try BarrierSocket(socket, barriers)
        #expect(try FileStatus(of: socket.path).permissions == socketMode)
        served.close()
    }

    @Test func `where everybody may write, no socket is made`() throws {
        let scratch = try ScratchDirectory()
        let socket = try socket(in: scratch)
        try #require(chmod(scratch("run").string, 0o777) == 0)
        #expect(throws: Errno.permissionDenied) { try BarrierSocket(socket, barriers) }
        #expect(!socket.path.exists)
    }
}
