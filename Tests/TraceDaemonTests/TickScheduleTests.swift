import Testing

@testable import TraceDaemon

/// When everything is scanned and who comes back when, on a clock that the tests move.
struct TickScheduleTests {
    private let start = ContinuousClock.now
    private let interval = Duration.seconds(600)

    private func schedule() -> TickSchedule { TickSchedule(reconcileInterval: interval, at: start) }

    @Test func `everything is scanned an interval after the last scan has ended`() {
        var schedule = schedule()
        #expect(schedule.scanReason(at: start + .seconds(599)) == nil)
        #expect(schedule.scanReason(at: start + .seconds(600)) == .interval)
        schedule.beginScan()
        schedule.endScan(at: start + .seconds(700))
        #expect(schedule.scanReason(at: start + .seconds(1299)) == nil)
        #expect(schedule.scanReason(at: start + .seconds(1300)) == .interval)
        schedule.adopt(reconcileInterval: .seconds(10))
        #expect(schedule.scanReason(at: start + .seconds(710)) == .interval)
    }

    @Test func `an index that is new is filled at once, and again where it is made anew during the scan`() {
        var schedule = schedule()
        schedule.noteNewIndex()
        #expect(schedule.scanReason(at: start) == .newIndex)
        // The watches are compared with the directories only once in an interval.
        #expect(schedule.scanReason(at: start + interval) == .interval)
        schedule.beginScan()
        schedule.noteNewIndex()
        schedule.endScan(at: start)
        #expect(schedule.scanReason(at: start) == .newIndex)
        schedule.beginScan()
        schedule.endScan(at: start)
        #expect(schedule.scanReason(at: start) == nil)
    }

    @Test
    func
        `other names of files are looked for some seconds after the last scan, and until then a scan is lacking`()
    {
        var schedule = schedule()
        #expect(!schedule.lacksScan(at: start))
        schedule.noteLinks(at: start + .seconds(1))
        schedule.noteLinks(at: start + .seconds(9))
        #expect(schedule.lacksScan(at: start + .seconds(1)))
        #expect(schedule.scanReason(at: start + .seconds(9)) == nil)
        #expect(schedule.scanReason(at: start + .seconds(10)) == .links)
        #expect(schedule.askForTick() == start + .seconds(10))
        schedule.beginScan()
        schedule.endScan(at: start + .seconds(11))
        #expect(!schedule.lacksScan(at: start + .seconds(11)))
        schedule.noteNewIndex()
        #expect(schedule.lacksScan(at: start + .seconds(11)))
    }

    @Test func `the file of the index is looked at every few seconds at most`() {
        var schedule = schedule()
        #expect(schedule.takeIndexLook(at: start + .seconds(4)) == false)
        #expect(schedule.takeIndexLook(at: start + .seconds(5)) == true)
        #expect(schedule.takeIndexLook(at: start + .seconds(9)) == false)
        #expect(schedule.takeIndexLook(at: start + .seconds(10)) == true)
    }

    @Test func `whoever rests comes back for the file of the index, or for a scan that is due before`() {
        var schedule = schedule()
        #expect(schedule.askForTick() == start + .seconds(60))
        var hasty = TickSchedule(reconcileInterval: .seconds(30), at: start)
        #expect(hasty.askForTick(by: nil) == start + .seconds(30))
    }

    @Test func `an index that is new is filled at once, whatever else is due later`() {
        var schedule = schedule()
        _ = schedule.askForTick()
        schedule.noteNewIndex()
        #expect(schedule.askForTick(by: start + .seconds(1)).map { $0 <= start } == true)
    }

    @Test func `the earliest deadline is asked for, and asked for again only where an earlier one comes`() {
        var schedule = schedule()
        let (soon, later) = (start + .seconds(1), start + .seconds(2))
        #expect(schedule.askForTick(by: nil, later, start + .seconds(3)) == later)
        #expect(schedule.askForTick(by: later) == nil)
        #expect(schedule.askForTick(by: soon) == soon)
        // The later one still comes, and goes home.
        #expect(schedule.take(tick: later) == false)
        #expect(schedule.take(tick: soon) == true)
        #expect(schedule.take(tick: soon) == false)
        #expect(schedule.askForTick(by: later) == later)
    }

    @Test func `with other settings everybody is asked anew`() {
        var schedule = schedule()
        let soon = start + .seconds(1)
        #expect(schedule.askForTick(by: soon) == soon)
        schedule.adopt(reconcileInterval: interval)
        #expect(schedule.take(tick: soon) == false)
        #expect(schedule.askForTick(by: soon) == soon)
    }
}
