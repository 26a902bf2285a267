import SystemPackage
import Testing

@testable import TraceDaemon

struct UnsettledSessionsTests {
    private let session = FilePath("/sessions/set")
    private let start = ContinuousClock.now

    @Test func `a session is looked at again when it has surely rested`() {
        var unsettled = UnsettledSessions(settleTime: .seconds(2))
        #expect(unsettled.nextDeadline == nil)
        unsettled.add(session, at: start)
        #expect(unsettled.due(at: start + .seconds(2)).isEmpty)
        #expect(unsettled.nextDeadline == start + .milliseconds(2100))
        #expect(unsettled.due(at: start + .milliseconds(2100)) == [session])
        // A look at many may be left before it comes to this one.
        #expect(unsettled.due(at: start + .seconds(3)) == [session])
        #expect(unsettled.remove(session) == true)
        #expect(unsettled.remove(session) == false)
        #expect(unsettled.nextDeadline == nil)
    }

    @Test func `what failed is known to have failed until it is looked at again`() {
        var unsettled = UnsettledSessions(settleTime: .seconds(2))
        unsettled.add("/sessions/other", at: start)
        unsettled.retry(session, at: start)
        #expect(unsettled.failed == [session] && Set(unsettled.all) == [session, "/sessions/other"])
        #expect(unsettled.remove(session) == true)
        #expect(unsettled.failed.isEmpty && Array(unsettled.all) == ["/sessions/other"])
    }

    @Test func `what failed is left alone for some seconds, however short the settle time`() {
        var unsettled = UnsettledSessions(settleTime: .zero)
        unsettled.retry(session, at: start)
        #expect(unsettled.nextDeadline == start + .seconds(5))
    }

    @Test func `another settle time is that of later changes`() {
        var unsettled = UnsettledSessions(settleTime: .seconds(2))
        unsettled.add(session, at: start)
        unsettled.adopt(settleTime: .seconds(1))
        #expect(unsettled.nextDeadline == start + .milliseconds(2100))
        unsettled.add("/sessions/other", at: start)
        #expect(unsettled.nextDeadline == start + .milliseconds(1100))
    }
}
