import SystemPackage
import Testing

@testable import TraceDaemon

/// When sessions are looked at, on a clock that the tests move.
@Suite struct DirtySessionsTests {
    private let session = FilePath("/sessions/set")
    private let start = ContinuousClock.now

    @Test func `the first event after a rest is handled at once`() {
        var dirty = DirtySessions(quietPeriod: .milliseconds(100), maximumWait: .seconds(1))
        dirty.add(session, at: start)
        #expect(dirty.takeDue(at: start) == [session])
        dirty.handled(session, at: start + .seconds(30), cost: .seconds(30))
        dirty.add(session, at: start + .seconds(32))
        #expect(dirty.takeDue(at: start + .seconds(32)) == [session])
        #expect(dirty.nextDeadline == nil)
    }

    @Test func `a cheap session is handled at each of a hundred appends a second`() {
        let delays = delays(cost: { _ in .milliseconds(0.5) })
        #expect(delays.max() == .zero)
    }

    @Test(arguments: [12, 300]) func `one dear look among cheap ones delays nothing`(milliseconds: Int) {
        // Once in a hundred looks, as when the journal is written back into the database.
        let delays = delays(cost: { $0 % 100 == 50 ? .milliseconds(milliseconds) : .milliseconds(0.5) })
        #expect(delays.max() == .zero)
    }

    @Test(arguments: [5.0, 9.9, 10.1, 15, 25, 50, 100, 200])
    func `a look that costs a tenth more is waited for hardly longer`(milliseconds: Double) {
        let longest = delays(cost: { _ in .milliseconds(milliseconds) }).max() ?? .zero
        let longer = delays(cost: { _ in .milliseconds(milliseconds * 1.1) }).max() ?? .zero
        // The clock of the appends ticks every 10 ms.
        #expect(longer <= longest * 1.3 + .milliseconds(20))
    }

    @Test func `how long a change waits counts from the first event that told of it`() {
        var dirty = DirtySessions(quietPeriod: .milliseconds(100), maximumWait: .seconds(1))
        dirty.add(session, at: start)
        #expect(dirty.takeFirstEvent(of: session) == nil, "nobody told of it")
        dirty.addEvent(of: session, at: start + .seconds(1))
        dirty.addEvent(of: session, at: start + .seconds(2))
        #expect(dirty.takeDue(at: start + .seconds(2)) == [session])
        #expect(dirty.takeFirstEvent(of: session) == start + .seconds(1))
        #expect(dirty.takeFirstEvent(of: session) == nil)
    }

    @Test func `a session that costs a second is left to come to rest`() {
        var dirty = DirtySessions(quietPeriod: .milliseconds(100), maximumWait: .seconds(3))
        dirty.handled(session, at: start, cost: .milliseconds(500))
        dirty.add(session, at: start + .milliseconds(1950))
        dirty.add(session, at: start + .milliseconds(2050))
        #expect(dirty.nextDeadline == start + .milliseconds(2150))
        dirty.add(session, at: start + .milliseconds(2140))
        #expect(dirty.takeDue(at: start + .milliseconds(2200)).isEmpty)
        #expect(dirty.takeDue(at: start + .milliseconds(2240)) == [session])
    }

    @Test(arguments: [0.1, 1, 10, 100, 1000, 10000])
    func `a file that never rests is looked at within the maximum wait`(milliseconds: Double) {
        let longest = delays(cost: { _ in .milliseconds(milliseconds) }).max() ?? .zero
        #expect(longest <= .milliseconds(1010))
    }

    /// How long each of 2,000 events, one every 10 ms, waits to be handled, where looks take no time on the
    /// clock.
    private func delays(cost: (Int) -> Duration) -> [Duration] {
        var dirty = DirtySessions(quietPeriod: .milliseconds(100), maximumWait: .seconds(1))
        var waiting: [ContinuousClock.Instant] = []
        var delays: [Duration] = []
        var lookCount = 0
        for event in 0..<2000 {
            let now = start + .milliseconds(10) * event
            while let deadline = dirty.nextDeadline, deadline < now { look(at: deadline) }
            waiting.append(now)
            dirty.add(session, at: now)
            look(at: now)
        }
        return delays

        func look(at now: ContinuousClock.Instant) {
            guard dirty.takeDue(at: now) == [session] else { return }
            delays += waiting.map { $0.duration(to: now) }
            waiting = []
            dirty.handled(session, at: now, cost: cost(lookCount))
            lookCount += 1
        }
    }
}
