import FileHarness
import StoreHarness
import SystemPackage
import Testing
import TraceFiles
import TraceText

@testable import TraceDaemon

/// When what could not be written is tried again.
struct RetryScheduleTests {
    private let scratch: ScratchDirectory
    private let file: FilePath = "/spool/entry.json"

    init() throws {
        scratch = try ScratchDirectory()
        try scratch.write("", to: "markers.jsonl")
    }

    private func failure(_ code: FileError.Code = .permissionDenied) -> RetrySchedule.Failure {
        .init(file: file, session: scratch.path, error: FileError(code, "it failed"))
    }

    /// A schedule after some tries that have failed, each when it was due.
    private func schedule(
        tries: Int, _ code: FileError.Code = .permissionDenied
    ) throws -> (RetrySchedule, FilePath) {
        var schedule = RetrySchedule()
        for _ in 0..<tries {
            let due = schedule.nextTry ?? .now
            schedule.take([failure(code)], of: due) { _ in false }
        }
        return (schedule, file)
    }

    @Test func `the pauses grow to a minute, and what is not due is not tried`() throws {
        let (schedule, file) = try schedule(tries: 20)
        let last = try #require(schedule.entries[file]).lastTry
        let next = try #require(schedule.nextTry)
        #expect(next - last >= .seconds(60) && next - last <= .seconds(75))
        #expect(!schedule.isDue(file, at: next - .milliseconds(1)))
        #expect(schedule.isDue(file, at: next))
        #expect(schedule.isDue("/spool/another.json", at: last))
    }

    @Test func `what is behind an entry that is not due is held up, unless that failed for itself`() throws {
        var schedule = RetrySchedule()
        let other = FilePath("/another/session")
        func failure(_ id: Int, _ session: FilePath, heldUp: Bool) -> RetrySchedule.Failure {
            .init(
                file: FilePath("/spool/\(id).json"), session: session,
                error: FileError(.permissionDenied, "it failed"),
                heldUpFrom: heldUp ? number(id) : nil)
        }
        let start = ContinuousClock.now
        schedule.take(
            [
                failure(9, scratch.path, heldUp: false), failure(12, scratch.path, heldUp: true),
                failure(11, scratch.path, heldUp: true), failure(10, other, heldUp: false),
            ], of: start
        ) { _ in false }
        #expect(schedule.heldUp(at: start) == [scratch.path: number(11)])
        let due = try #require(schedule.entries["/spool/12.json"]).lastTry + .seconds(60)
        #expect(schedule.heldUp(at: due) == [:])
    }

    @Test func `a lock that somebody holds is asked for again within a second or so`() throws {
        let (schedule, file) = try schedule(tries: 20, .sessionLocked)
        let last = try #require(schedule.entries[file]).lastTry
        #expect(try #require(schedule.nextTry) - last <= .milliseconds(1250))
    }

    @Test func `after a change of its session an entry is due soon, however long it had to wait`() throws {
        var (schedule, file) = try schedule(tries: 20)
        let last = try #require(schedule.entries[file]).lastTry
        // Nothing of it has changed.
        schedule.noteChange(of: [scratch.path])
        #expect(try #require(schedule.nextTry) - last >= .seconds(60))
        schedule.noteChange(of: ["/another/session"])
        #expect(try #require(schedule.nextTry) - last >= .seconds(60))
        try scratch.write("cured\n", to: "markers.jsonl")
        schedule.noteChange(of: [scratch.path])
        #expect(schedule.nextTry == last + .milliseconds(250))
        #expect(schedule.isDue(file, at: last + .milliseconds(250)))
    }
}
