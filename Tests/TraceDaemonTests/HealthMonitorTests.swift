import Testing

@testable import TraceDaemon

struct HealthMonitorTests {
    private let health = HealthMonitor()
    private let start = ContinuousClock.now
    private let limit = Duration.seconds(30)

    private func unhealthyReason(after seconds: Int) -> String? {
        health.unhealthyReason(within: limit, at: start + .seconds(seconds))
    }

    @Test func `what is not expected to answer is not missed`() {
        #expect(unhealthyReason(after: 3600) == nil)
        health.expect(.watch, from: start)
        #expect(unhealthyReason(after: 31) != nil)
        health.suspend(.watch)
        #expect(unhealthyReason(after: 31) == nil)
    }

    @Test(arguments: [(HealthMonitor.Part.watch, "the watch"), (.database, "the index")])
    func `a part that falls silent is named, until it answers again`(part: HealthMonitor.Part, words: String)
    {
        _ = health.isProgressing(within: limit, at: start)
        health.expect(part, from: start)
        #expect(unhealthyReason(after: 30) == nil)
        #expect(unhealthyReason(after: 31) == "\(words) has not answered for 31 s")
        health.answered(part, at: start + .seconds(60))
        #expect(unhealthyReason(after: 61) == nil)
    }

    @Test func `a part at work is as good as one that answers, and counts as work where it need not answer`()
    {
        for part in HealthMonitor.Part.allCases { health.expect(part, from: start) }
        health.answered(.database, at: start + .seconds(20))
        health.noteProgress(.watch, at: start + .seconds(20))
        #expect(unhealthyReason(after: 31) == nil)
        // It excuses itself, and not the index.
        health.noteProgress(.watch, at: start + .seconds(60))
        #expect(unhealthyReason(after: 61) == "the index has not answered for 41 s")

        health.suspend(.watch)
        health.noteProgress(.watch, at: start + .seconds(100))
        #expect(unhealthyReason(after: 101) == nil)
        #expect(unhealthyReason(after: 3600)?.hasPrefix("the index") == true)
    }

    @Test func `why a part could not do its work is told, and only when it has failed for too long`() {
        health.expect(.database, from: start)
        health.failed(.database, "database is locked")
        #expect(unhealthyReason(after: 10) == nil)
        #expect(unhealthyReason(after: 31) == "the index: database is locked")
        health.answered(.database, at: start + .seconds(32))
        #expect(unhealthyReason(after: 33) == nil)
    }

    @Test func `work that goes on excuses the index, but not the watch`() {
        for part in HealthMonitor.Part.allCases { health.expect(part, from: start) }
        health.heartbeat()
        #expect(unhealthyReason(after: 31) == "the watch has not answered for 31 s")
        health.answered(.watch, at: start + .seconds(100))
        health.heartbeat()
        #expect(unhealthyReason(after: 101) == nil)
        #expect(unhealthyReason(after: 129) == nil)
        // Nothing has moved since.
        #expect(unhealthyReason(after: 130) == nil)
        health.answered(.watch, at: start + .seconds(140))
        #expect(unhealthyReason(after: 141) == "the index has not answered for 141 s")
    }
}
