import SystemPackage
import Testing
import TraceFiles
import TraceIndex

@testable import TraceDaemon

struct FailureLogTests {
    private let log = RecordingLog()
    private let denied = FileError(.permissionDenied, "cannot open: Permission denied")
    private let full = IndexError(.diskFull, "the disk is full")

    @Test func `a failure is logged once, until it goes well or fails otherwise`() {
        var failures = FailureLog(log.logger)
        failures.note("index", "/sessions/a", denied)
        failures.note("index", "/sessions/a", denied)
        failures.note("index", "/sessions/a", FileError(.io, "cannot read: Input/output error"))
        failures.note("index", "/sessions/b", denied)
        #expect(failures.paths == ["/sessions/a", "/sessions/b"])
        failures.noteSuccess("/sessions/a")
        #expect(failures.paths == ["/sessions/b"])
        failures.note("index", "/sessions/a", denied)
        #expect(log.take().map { $0.prefix { $0 != ":" } } == ["error", "debug", "error", "error", "error"])
    }

    @Test func `what is wrong with the index is the same for all sessions, until it was written`() {
        var failures = FailureLog(log.logger)
        failures.noteIndexWritten()
        failures.note("index", "/sessions/a", full)
        failures.note("index", "/sessions/b", full)
        // That a session could be read says nothing of the disk.
        failures.noteSuccess("/sessions/a")
        failures.note("index", "/sessions/a", full)
        #expect(failures.paths.isEmpty)
        failures.noteIndexWritten()
        failures.note("index", "/sessions/b", full)
        #expect(
            log.take() == [
                "error: could not index", "debug: could not index", "debug: could not index",
                "notice: the index can be written again", "error: could not index",
            ])
    }

    @Test func `what is interrupted because the daemon stops has not failed`() {
        var failures = FailureLog(log.logger)
        failures.note("index", "/sessions/a", IndexError(.interrupted, "interrupted"))
        failures.noteIndexWritten()
        #expect(log.take().isEmpty)
    }
}
