import FileHarness
import Glibc
import SystemPackage
import Testing
import TraceFiles
import TraceStore
import TraceWatch

@testable import TraceDaemon

/// When what inotify can't watch is looked at, on a clock that the tests move.
struct PollingTests {
    private let scratch: ScratchDirectory
    private let start = ContinuousClock.now
    private let error = WatchError(.watchLimit, "no watches left")

    init() throws { scratch = try ScratchDirectory() }

    @Test func `nothing is polled where everything is watched`() {
        var polling = Polling(at: start)
        #expect(polling.nextDeadline == nil)
        #expect(polling.add(scratch.path, error) == true, "a person should be told")
        #expect(polling.add(scratch("a"), error) == false, "of one reason once")
        #expect(polling.nextDeadline == start)
        polling.remove(atOrBelow: scratch.path)
        #expect(polling.nextDeadline == nil)
    }

    @Test func `a small tree is one piece, once in an interval from where the round began`() throws {
        try scratch.makeDirectory("a")
        var polling = Polling(at: start)
        _ = polling.add(scratch.path, error)
        let changes = polling.look(at: start) { _ in true }
        #expect(changes == [.directory(scratch.path), .directory(scratch("a"))])
        #expect(polling.isAtStart)
        polling.noteHandled(at: start + .seconds(1), interval: .seconds(5))
        #expect(polling.nextDeadline == start + .seconds(5))
        try #require(rmdir(scratch("a").string) == 0)
        #expect(polling.look(at: start + .seconds(5)) { _ in true }.contains(.gone(scratch("a"))))
    }

    @Test func `a large tree is looked at in pieces, somewhat faster than it must be`() throws {
        for number in 0..<300 {
            try #require(mkdir(scratch.path.appending("\(number)").string, 0o755) == 0)
        }
        var polling = Polling(at: start)
        _ = polling.add(scratch.path, error)
        var now = start
        var pieces: [Int] = []
        repeat {
            pieces.append(polling.look(at: now) { _ in true }.count)
            polling.noteHandled(at: now, interval: .seconds(5))
            now = try #require(polling.nextDeadline)
        } while !polling.isAtStart
        #expect(pieces == [256, 45])
        #expect(now == start + .seconds(5))
    }

    @Test func `what no search comes to is not polled`() {
        var polling = Polling(at: start)
        _ = polling.add(scratch.path, error)
        #expect(polling.look(at: start) { _ in false }.isEmpty)
    }
}
