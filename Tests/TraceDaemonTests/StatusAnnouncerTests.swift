import FileHarness
import SystemPackage
import Testing
import TraceFiles
import TraceStore
import TraceWatch

@testable import TraceDaemon

struct StatusAnnouncerTests {
    private let scratch: ScratchDirectory
    private let start = ContinuousClock.now

    init() throws { scratch = try ScratchDirectory() }

    @Test func `the first news is told at once, and more of it together`() throws {
        var status = StatusAnnouncer(try InstanceLock(state: scratch.path), at: start)
        #expect(status.noteNews(at: start) == true)
        status.announce([], UnwatchedDirectories(), at: start)
        for milliseconds in [1, 2, 199] {
            #expect(status.noteNews(at: start + .milliseconds(milliseconds)) == false)
            #expect(status.nextDeadline == start + .milliseconds(200))
        }
        status.announce([], UnwatchedDirectories(), at: start + .milliseconds(200))
        #expect(status.nextDeadline == nil)
        #expect(status.noteNews(at: start + .milliseconds(400)) == true)
    }

    @Test func `others are told whether the first scan is done, and which roots are polled`() throws {
        var status = StatusAnnouncer(try InstanceLock(state: scratch.path), at: start)
        var unwatched = UnwatchedDirectories()
        _ = unwatched.insert("/sessions/remote", WatchError(.watchLimit, "no watches left"))
        status.announce(["/sessions", "/other"], unwatched, at: start)
        let first = try #require(RunningDaemon.quickStatus(state: scratch.path))
        #expect(!first.isReady)
        #expect(first.polledCount == 1)
        #expect(first.partial == ["/sessions": "watched, in parts polled"])
        status.noteReady()
        status.announce(["/sessions", "/other"], UnwatchedDirectories(), at: start)
        let second = try #require(RunningDaemon.quickStatus(state: scratch.path))
        #expect(second.isReady)
        #expect(second.partial.isEmpty)
    }
}
