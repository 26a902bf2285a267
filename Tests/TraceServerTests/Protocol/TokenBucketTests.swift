import TestSupport
import Testing

@testable import TraceServer

/// How often something may happen.
struct TokenBucketTests {
    private let start = ContinuousClock.now

    @Test func `so many at once, then one after each interval`() {
        var bucket = TokenBucket(RateLimit(burst: 20, every: .seconds(6)))
        for _ in 0..<20 { #expect(bucket.take(at: start) == nil) }
        #expect(bucket.take(at: start) == .seconds(6))
        #expect(bucket.take(at: start + .seconds(5)) == .seconds(1))
        #expect(bucket.take(at: start + .seconds(6)) == nil)
        #expect(bucket.take(at: start + .seconds(6)) == .seconds(6))
        #expect(bucket.take(at: start + .seconds(18)) == nil)
        #expect(bucket.take(at: start + .seconds(18)) == nil)
        #expect(bucket.take(at: start + .seconds(18)) == .seconds(6))
    }

    @Test func `it never holds more than at the beginning`() {
        var bucket = TokenBucket(RateLimit(burst: 2, perSecond: 50))
        #expect(bucket.take(at: start) == nil)
        let later = start + .seconds(1_000_000)
        #expect(bucket.isFull(at: later))
        for _ in 0..<2 { #expect(bucket.take(at: later) == nil) }
        #expect(bucket.take(at: later) == .milliseconds(20))
    }

    @Test func `to look is not to take`() {
        var bucket = TokenBucket(RateLimit(burst: 1, every: .seconds(1)))
        for _ in 0..<3 { #expect(bucket.delay(at: start) == nil) }
        #expect(bucket.take(at: start) == nil)
        for _ in 0..<3 { #expect(bucket.delay(at: start) == .seconds(1)) }
        #expect(bucket.delay(at: start + .seconds(1)) == nil)
    }

    @Test func `several are taken together or not at all`() {
        var bucket = TokenBucket(RateLimit(burst: 500, perSecond: 50))
        #expect(bucket.take(200, at: start) == nil)
        #expect(bucket.take(200, at: start) == nil)
        #expect(bucket.take(200, at: start) == .seconds(2))
        #expect(bucket.take(100, at: start) == nil)
        #expect(bucket.take(0, at: start) == nil)
        #expect(bucket.take(-5, at: start) == nil)
        #expect(bucket.take(5000, at: start) == .seconds(10))
        #expect(bucket.take(5000, at: start + .seconds(10)) == nil)
    }

    @Test(arguments: [0.0, -1, .nan, .infinity, 1e-300, 1e300])
    func `any rate is a limit`(rate: Double) {
        let limit = RateLimit(burst: 0, perSecond: rate)
        #expect(limit.burst == 1 && limit.interval >= .nanoseconds(1) && limit.interval <= .seconds(86400))
        var bucket = TokenBucket(limit)
        #expect(bucket.take(at: start) == nil)
        #expect(bucket.take(at: start) == limit.interval)
    }

    @Test(arguments: 0..<4)
    func `in any time it lets through what the rate allows and no more`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let limit = RateLimit(burst: 5, every: .milliseconds(100))
        var bucket = TokenBucket(limit)
        var taken: [Duration] = []
        var time = Duration.zero
        for _ in 0..<2000 {
            time += .milliseconds(Int.random(in: 0...60, using: &random))
            if bucket.take(at: start + time) == nil { taken.append(time) }
        }
        for (index, first) in taken.enumerated() {
            let within = taken[index...].prefix { $0 - first < .seconds(1) }.count
            #expect(within <= 5 + 10)
        }
        #expect(taken.count >= Int(time / .milliseconds(100)) - 5)
    }
}

struct LimitTableTests {
    private let start = ContinuousClock.now

    @Test func `each key has a bucket of its own`() {
        var table = LimitTable(RateLimit(burst: 1, every: .seconds(6)), capacity: 100)
        #expect(table.take("a", at: start) == nil)
        #expect(table.take("a", at: start) == .seconds(6))
        #expect(table.delay(for: "a", at: start) == .seconds(6))
        #expect(table.delay(for: "b", at: start) == nil)
        #expect(table.take("b", at: start) == nil)
        #expect(table.count == 2)
    }

    @Test func `however many keys there are, no more are kept than there is room for`() {
        var table = LimitTable(RateLimit(burst: 1, every: .seconds(6)), capacity: 100)
        for key in 0..<10_000 {
            #expect(table.take("\(key)", at: start) == nil)
            #expect(table.count <= 100)
        }
        // The last fifty are certainly known.
        for key in 9950..<10_000 { #expect(table.delay(for: "\(key)", at: start) != nil) }
        #expect(table.delay(for: "0", at: start) == nil)
    }

    @Test func `a key that is used is not forgotten while others come and go`() {
        var table = LimitTable(RateLimit(burst: 1, every: .seconds(6)), capacity: 10)
        #expect(table.take("guesser", at: start) == nil)
        for key in 0..<1000 {
            #expect(table.take("guesser", at: start) != nil)
            _ = table.take("\(key)", at: start)
        }
    }

    @Test func `a key that is used again is kept once`() {
        var table = LimitTable(RateLimit(burst: 1, every: .seconds(6)), capacity: 4)
        for key in ["a", "b", "c", "a"] { _ = table.take(key, at: start) }
        #expect(table.count == 3)
    }

    @Test func `a full bucket makes no difference, so it needs no room`() {
        var table = LimitTable(RateLimit(burst: 1, every: .seconds(1)), capacity: 10)
        for key in 0..<5 { _ = table.take("\(key)", at: start) }
        _ = table.take("5", at: start + .seconds(10))
        #expect(table.count == 1)
    }
}
