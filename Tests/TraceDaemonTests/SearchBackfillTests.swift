import Testing

@testable import TraceDaemon

struct SearchBackfillTests {
    private let start = ContinuousClock.now

    @Test func `it begins when nothing has changed for a while, and goes on until nothing lags`() {
        var backfill = SearchBackfill(at: start)
        #expect(backfill.nextDeadline == start + .milliseconds(500))
        backfill.postpone(at: start + .milliseconds(400))
        let begin = start + .milliseconds(900)
        #expect(backfill.nextDeadline == begin)
        #expect(backfill.note(.filled, at: begin) == false)
        #expect(backfill.nextDeadline == begin + .milliseconds(2))
        backfill.postpone(at: begin)
        #expect(backfill.nextDeadline == begin + .milliseconds(500))
        #expect(backfill.note(.complete, at: begin) == true, "what was filled in has taken memory")
        #expect(backfill.nextDeadline == nil)
    }

    @Test func `memory is given back only after something was filled in`() {
        var backfill = SearchBackfill(at: start)
        #expect(backfill.note(.complete, at: start) == false)
        #expect(backfill.note(.filled, at: start) == false)
        #expect(backfill.note(.failed, at: start) == false)
        #expect(backfill.nextDeadline == start + .seconds(5))
        #expect(backfill.note(.complete, at: start) == true)
        #expect(backfill.note(.complete, at: start) == false)
    }
}
