import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceIndex

@testable import TraceDaemon

/// When something that happens to a session has the queue drained.
struct AwaitedSessionsTests {
    private let session = FilePath("/sessions/set")
    private let requests = DrainRequests()

    /// After a drain that left an entry waiting for the session with the id 1.
    private func waiting(at session: FilePath? = nil, id: ULID? = nil) -> AwaitedSessions {
        var awaited = AwaitedSessions(requests)
        var report = DrainReport([], failing: [], arrivals: requests.arrivals)
        report.waiting = [.init(id: number(1), session: session)]
        awaited.noteFailing(in: report)
        awaited.noteWaiting(in: report) { _ in id }
        return awaited
    }

    @Test func `a session that comes or goes is asked about where entries wait for any`() {
        AwaitedSessions(requests).noteLook(at: session, .added) { _ in number(1) }
        #expect(!requests.take().isAsked)
        waiting().noteLook(at: session, .added) { _ in number(2) }
        #expect(requests.take().isAsked)
        waiting().noteLook(at: session, .removed) { _ in nil }
        let request = requests.take()
        #expect(request.isAsked)
        #expect(request.arrivals == 3)
    }

    @Test(arguments: [1, 2]) func `a known session counts only where it is the one that is awaited`(id: Int) {
        waiting().noteLook(at: session, .updated) { _ in number(id) }
        #expect(requests.take().isAsked == (id == 1))
        waiting().noteLook(at: session, .unchanged) { _ in number(id) }
        #expect(requests.take().isAsked == (id == 1))
        waiting().noteLook(at: session, .unreachable) { _ in number(id) }
        waiting().noteLook(at: session, nil) { _ in number(id) }
        #expect(!requests.take().isAsked)
    }

    @Test func `what waits for anything else than its session is not awaited`() {
        waiting(at: session, id: number(1)).noteLook(at: session, .updated) { _ in number(1) }
        #expect(!requests.take().isAsked)
        // The directory was taken for another session.
        waiting(at: session, id: number(2)).noteLook(at: session, .updated) { _ in number(1) }
        #expect(requests.take().isAsked)
    }

    @Test func `a session that came while the drain was looking for it is asked about at once`() {
        var awaited = AwaitedSessions(requests)
        var report = DrainReport([], failing: [], arrivals: requests.arrivals)
        report.waiting = [.init(id: number(1), session: nil)]
        requests.noteArrival()
        awaited.noteWaiting(in: report) { _ in nil }
        #expect(requests.take().isAsked)
    }

    @Test func `whatever happens to a session whose entries failed is passed on`() {
        var awaited = AwaitedSessions(requests)
        awaited.noteFailing(in: DrainReport([], failing: [session], arrivals: 0))
        awaited.noteLook(at: session, nil) { _ in nil }
        #expect(requests.take().changed == [session])
        awaited.noteChange(of: [session, "/sessions/other"])
        #expect(requests.take().changed == [session])
        awaited.noteFailing(in: DrainReport([], failing: [], arrivals: 0))
        awaited.noteChange(of: [session])
        #expect(requests.take().changed.isEmpty)
    }
}
