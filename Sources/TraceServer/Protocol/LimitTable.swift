/// A ``TokenBucket`` for each of many keys, such as addresses, in bounded memory.
///
/// The keys are in two generations. A key that takes a permit goes to the young one; when that holds half the capacity, it
/// becomes the old one, and what was old and has not been used since is dropped. So at least the most recently used
/// half of the capacity is kept, and each call costs O(1) on average. A key that was dropped starts with a full bucket again.
struct LimitTable: Sendable {
    /// The rate and the size of each bucket.
    let limit: RateLimit
    private let generationSize: Int
    private var young: [String: TokenBucket] = [:]
    private var old: [String: TokenBucket] = [:]

    /// - Parameter capacity: How many keys are kept at most; at least 2.
    init(_ limit: RateLimit, capacity: Int) {
        self.limit = limit
        generationSize = max(1, capacity / 2)
    }

    /// How many keys are kept.
    package var count: Int { young.count + old.count }

    /// How long a key has to wait for permits; nil if they are available. None is taken.
    package func delay(for key: String, _ count: Int = 1, at now: ContinuousClock.Instant) -> Duration? {
        bucket(key).delay(for: count, at: now)
    }

    /// Takes permits of a key if they are available.
    ///
    /// - Returns: nil if they were taken, or how long to wait until they can be.
    mutating func take(_ key: String, _ count: Int = 1, at now: ContinuousClock.Instant) -> Duration? {
        var bucket = bucket(key)
        let delay = bucket.take(count, at: now)
        old[key] = nil
        if young[key] == nil, young.count >= generationSize {
            // A full bucket is equal to a missing one.
            old = young.filter { !$0.value.isFull(at: now) }
            young = [:]
        }
        young[key] = bucket
        return delay
    }

    private func bucket(_ key: String) -> TokenBucket { young[key] ?? old[key] ?? TokenBucket(limit) }
}
