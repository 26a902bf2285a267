import Testing

@testable import TraceDaemon

/// How often the queue is looked at where much waits in it.
struct DrainRestTests {
    @Test
    func `a drain that leaves much behind is followed by three times its time of rest, five seconds at most`()
    {
        #expect(QueueDrainer.rest(after: .milliseconds(300), leaving: 62_000) == .milliseconds(900))
        #expect(QueueDrainer.rest(after: .seconds(3), leaving: 1000) == .seconds(5))
    }

    @Test func `where little waits, each arrival is written at once, however long the drain before it took`()
    {
        #expect(QueueDrainer.rest(after: .seconds(3), leaving: 999) == .zero)
        #expect(QueueDrainer.rest(after: .seconds(3), leaving: 0) == .zero)
    }
}
