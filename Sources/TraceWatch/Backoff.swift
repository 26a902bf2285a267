/// Deadlines that move apart: each wait is twice as long as the one before.
package struct Backoff: Sendable {
    private let interval: RetryInterval
    private var delay: Duration?
    /// When to try next; nil while there is nothing to try.
    package private(set) var deadline: ContinuousClock.Instant?

    package init(_ interval: RetryInterval) {
        self.interval = interval
    }

    /// Sets the next deadline, after twice the wait of the last one.
    package mutating func schedule(after now: ContinuousClock.Instant) {
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

    package func isDue(_ now: ContinuousClock.Instant) -> Bool {
        deadline.map { $0 <= now } ?? false
    }

    /// Takes the deadline away and keeps the length of the next wait.
    mutating func clearDeadline() {
        deadline = nil
    }

    /// Moves the deadline and keeps the length of the next wait.
    package mutating func move(to moment: ContinuousClock.Instant) { deadline = moment }

    /// Takes the deadline away; the next wait is the first again.
    package mutating func reset() {
        deadline = nil
        delay = nil
    }
}
