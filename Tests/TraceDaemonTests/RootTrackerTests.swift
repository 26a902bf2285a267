import FileHarness
import SystemPackage
import Testing
import TraceFiles
import TraceIndex

@testable import TraceDaemon

struct RootTrackerTests {
    private let log = RecordingLog()
    private let outer = FilePath("/sessions")
    private let inner = FilePath("/sessions/live")

    private func tracker(_ sessions: FilePath...) -> RootTracker {
        var tracker = RootTracker([outer, inner])
        tracker.insert(sessions)
        return tracker
    }

    @Test func `a path belongs to the innermost root, and to the session around it`() {
        let tracker = tracker("/sessions/a", "/sessions/live/b")
        #expect(tracker.root(of: "/sessions/a/media") == outer)
        #expect(tracker.root(of: "/sessions/live/b") == inner)
        #expect(tracker.root(of: "/elsewhere") == nil)
        #expect(tracker.session(enclosing: "/sessions/a/media/takes") == "/sessions/a")
        #expect(tracker.session(enclosing: "/sessions/a") == "/sessions/a")
        #expect(tracker.session(enclosing: "/sessions/other") == nil)
        #expect(tracker.session(enclosing: "/elsewhere/a") == nil)
    }

    @Test func `the private directories of sync tools are not searched`() {
        let tracker = tracker()
        #expect(tracker.isSearched("/sessions/a"))
        #expect(!tracker.isSearched("/sessions/.stversions/a"))
        #expect(!tracker.isSearched("/elsewhere/a"))
    }

    @Test func `a directory is a session when it is known as one, or holds a header by now`() throws {
        let scratch = try ScratchDirectory()
        #expect(!tracker().isSession(scratch.path))
        try scratch.write("{}", to: "session.json")
        #expect(tracker().isSession(scratch.path))
        #expect(tracker("/sessions/gone").isSession("/sessions/gone"))
    }

    @Test func `what a whole scan did not find is forgotten below that root alone`() {
        var tracker = tracker("/sessions/a", "/sessions/b", "/sessions/live/c")
        tracker.keep(["/sessions/live/d"], in: inner)
        #expect(tracker.sessions == ["/sessions/a", "/sessions/b"])
        tracker.keep(["/sessions/a"], in: outer)
        #expect(tracker.sessions == ["/sessions/a"])
    }

    @Test func `a look makes a session known, or forgets it, but not where its root is gone`() {
        var tracker = tracker()
        #expect(tracker.note(.added, of: "/sessions/a") == true)
        #expect(tracker.note(.unreachable, of: "/sessions/a") == true)
        #expect(tracker.sessions == ["/sessions/a"])
        #expect(tracker.note(.removed, of: "/sessions/a") == true)
        #expect(tracker.note(.removed, of: "/sessions/a") == false, "it was not known any more")
        #expect(tracker.sessions.isEmpty)
    }

    @Test func `sessions below directories that are gone are found, and those that are such a directory`() {
        let tracker = tracker("/sessions/a", "/sessions/b/c", "/sessions/bc", "/sessions/live/d")
        #expect(
            Set(tracker.sessions(inOneOf: ["/sessions/a", "/sessions/b"])) == [
                "/sessions/a", "/sessions/b/c",
            ])
        #expect(tracker.sessions(inOneOf: []).isEmpty)
    }

    @Test func `a root that is offline is reported once, until it is back`() {
        var tracker = tracker()
        #expect(tracker.noteOnline(outer, log.logger) == false, "it was never away")
        tracker.noteOffline(outer, log.logger)
        tracker.noteOffline(outer, log.logger)
        #expect(tracker.isOffline(outer))
        #expect(tracker.noteOnline(outer, log.logger) == true)
        #expect(!tracker.isOffline(outer))
        tracker.noteOffline(outer, log.logger)
        #expect(
            log.take() == [
                "warning: root is offline", "notice: root is online again", "warning: root is offline",
            ])
    }

    @Test func `what can't be read is reported for each root by itself, until it can`() {
        var tracker = tracker()
        let error = FileError(.permissionDenied, "cannot open: Permission denied", path: "/sessions/secret")
        tracker.note(unreadable: [error], in: outer, log.logger)
        tracker.note(unreadable: [], in: inner, log.logger)
        tracker.note(unreadable: [error], in: outer, log.logger)
        tracker.note(unreadable: [], in: outer, log.logger)
        #expect(log.take() == ["warning: cannot open: Permission denied", "notice: can be read again"])
    }

    @Test func `with other roots, sessions below no root are forgotten, and what is wrong is news again`() {
        var tracker = tracker("/sessions/a", "/sessions/live/b")
        tracker.noteOffline(inner, log.logger)
        tracker.adopt([inner])
        #expect(tracker.sessions == ["/sessions/live/b"])
        #expect(tracker.isRoot(inner))
        #expect(!tracker.isRoot(outer))
        tracker.noteOffline(inner, log.logger)
        #expect(log.take() == ["warning: root is offline", "warning: root is offline"])
    }
}
