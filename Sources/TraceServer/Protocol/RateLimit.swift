/// How often something may happen: a burst, and a steady rate.
package struct RateLimit: Sendable, Hashable {
    /// How many times at once, 1 to 1,000,000.
    let burst: Int
    /// The time after which one more is allowed, 1 ns to 1 day.
    let interval: Duration

    /// - Parameters:
    ///   - burst: At least 1.
    ///   - interval: The time after which one more is allowed.
    init(burst: Int, every interval: Duration) {
        self.burst = min(max(1, burst), 1_000_000)
        self.interval = min(max(.nanoseconds(1), interval), .seconds(86400))
    }

    /// - Parameters:
    ///   - burst: At least 1.
    ///   - rate: How many per second; 0 and less are one per day.
    package init(burst: Int, perSecond rate: Double) {
        let seconds = rate > 0 ? min(1 / rate, 86400) : 86400
        self.init(burst: burst, every: .seconds(seconds))
    }
}
