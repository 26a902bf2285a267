/// Deadlines that move apart: each wait is twice as long as the one before.
struct Backoff {
    private let interval: RetryInterval
    private var delay: Duration?
    /// When to try next; nil while there is nothing to try.
    private(set) var deadline: ContinuousClock.Instant?

    init(_ interval: RetryInterval) {
        self.interval = interval
    }

    /// Sets the next deadline, after twice the wait of the last one.
    mutating func schedule(after now: ContinuousClock.Instant) {
        let next = delay.map { min($0 * 2, interval.longest) } ?? interval.first
        delay = next
        deadline = now + next
    }

    /// Sets a deadline unless one is set.
    mutating func scheduleIfIdle(after now: ContinuousClock.Instant) {
        if deadline == nil {
            schedule(after: now)
        }
    }

    func isDue(_ now: ContinuousClock.Instant) -> Bool {
        deadline.map { $0 <= now } ?? false
    }

    /// Takes the deadline away and keeps the length of the next wait.
    mutating func clearDeadline() {
        deadline = nil
    }

    /// Takes the deadline away; the next wait is the first again.
    mutating func reset() {
        deadline = nil
        delay = nil
    }
}
