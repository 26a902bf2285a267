/// A bucket of permits that fills at a steady rate.
///
/// Only the moment at which it will be full again is stored; the number of permits follows from it. So no timer is needed, and
/// rounding errors don't add up (the generic cell rate algorithm, ITU-T I.371, as virtual scheduling).
package struct TokenBucket: Sendable {
    /// The rate and the size.
    let limit: RateLimit
    /// nil if it has been full from the beginning.
    private var fullAt: ContinuousClock.Instant?

    /// A bucket that is full.
    package init(_ limit: RateLimit) { self.limit = limit }

    /// Whether nothing is missing.
    func isFull(at now: ContinuousClock.Instant) -> Bool { fullAt.map { $0 <= now } ?? true }

    /// How long to wait for permits; nil if they are available. None is taken.
    ///
    /// - Parameter count: How many at once; clamped to the size of the bucket.
    package func delay(for count: Int = 1, at now: ContinuousClock.Instant) -> Duration? {
        let missing = fullAfterTaking(count, at: now) - now - limit.interval * limit.burst
        return missing > .zero ? missing : nil
    }

    /// Takes permits if they are available.
    ///
    /// - Parameters:
    ///   - count: How many at once; clamped to the size of the bucket.
    ///   - now: Not before the moment of the last call.
    /// - Returns: nil if they were taken, or how long to wait until they can be. Nothing is taken then.
    package mutating func take(_ count: Int = 1, at now: ContinuousClock.Instant) -> Duration? {
        if let delay = delay(for: count, at: now) { return delay }
        fullAt = fullAfterTaking(count, at: now)
        return nil
    }

    private func fullAfterTaking(_ count: Int, at now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        max(fullAt ?? now, now) + limit.interval * min(max(0, count), limit.burst)
    }
}
