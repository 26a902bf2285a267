import Testing

@testable import TraceDaemon

struct PulseTests {
    private let pulse = Pulse()
    private let start = ContinuousClock.now
    private let limit = Duration.seconds(30)

    private func ailment(after seconds: Int) -> String? {
        pulse.ailment(within: limit, at: start + .seconds(seconds))
    }

    @Test func `what is not expected to answer is not missed`() {
        #expect(ailment(after: 3600) == nil)
        pulse.expect(.watch, from: start)
        #expect(ailment(after: 31) != nil)
        pulse.excuse(.watch)
        #expect(ailment(after: 31) == nil)
    }

    @Test(arguments: [(Pulse.Part.watch, "the watch"), (.database, "the index")])
    func `a part that falls silent is named, until it answers again`(part: Pulse.Part, words: String) {
        _ = pulse.goesOn(within: limit, at: start)
        pulse.expect(part, from: start)
        #expect(ailment(after: 30) == nil)
        #expect(ailment(after: 31) == "\(words) has not answered for 31 s")
        pulse.answered(part, at: start + .seconds(60))
        #expect(ailment(after: 61) == nil)
    }

    @Test func `a part at work is as good as one that answers, and counts as work where it need not answer`()
    {
        for part in Pulse.Part.allCases { pulse.expect(part, from: start) }
        pulse.answered(.database, at: start + .seconds(20))
        pulse.isAtWork(.watch, at: start + .seconds(20))
        #expect(ailment(after: 31) == nil)
        // It excuses itself, and not the index.
        pulse.isAtWork(.watch, at: start + .seconds(60))
        #expect(ailment(after: 61) == "the index has not answered for 41 s")

        pulse.excuse(.watch)
        pulse.isAtWork(.watch, at: start + .seconds(100))
        #expect(ailment(after: 101) == nil)
        #expect(ailment(after: 3600)?.hasPrefix("the index") == true)
    }

    @Test func `why a part could not do its work is told, and only when it has failed for too long`() {
        pulse.expect(.database, from: start)
        pulse.failed(.database, "database is locked")
        #expect(ailment(after: 10) == nil)
        #expect(ailment(after: 31) == "the index: database is locked")
        pulse.answered(.database, at: start + .seconds(32))
        #expect(ailment(after: 33) == nil)
    }

    @Test func `work that goes on excuses the index, but not the watch`() {
        for part in Pulse.Part.allCases { pulse.expect(part, from: start) }
        pulse.beat()
        #expect(ailment(after: 31) == "the watch has not answered for 31 s")
        pulse.answered(.watch, at: start + .seconds(100))
        pulse.beat()
        #expect(ailment(after: 101) == nil)
        #expect(ailment(after: 129) == nil)
        // Nothing has moved since.
        #expect(ailment(after: 130) == nil)
        pulse.answered(.watch, at: start + .seconds(140))
        #expect(ailment(after: 141) == "the index has not answered for 141 s")
    }
}
