/// When the search text is filled in: bit by bit while nothing happens, since offsets answer first.
struct SearchBackfill {
    /// The outcome of filling in a part.
    enum Step {
        /// There was something to fill in, and there may be more.
        case filled
        /// Nothing lags.
        case complete
        case failed
    }

    /// When the next part is filled in; nil while nothing lags.
    private(set) var nextDeadline: ContinuousClock.Instant?
    /// Whether so much of it was filled in that its memory is worth giving back.
    private var hasFilledMuch = false

    /// How long nothing must have changed before it begins.
    private static let pause = Duration.milliseconds(500)
    /// Between two parts, for what comes in between.
    private static let yieldInterval = Duration.milliseconds(2)
    /// The lines of a part: so few that a change that comes meanwhile does not wait.
    static let lineCount = 1000

    init(at now: ContinuousClock.Instant) { postpone(at: now) }

    /// A session has changed: it may lag now, and waits.
    mutating func postpone(at now: ContinuousClock.Instant) { nextDeadline = now + Self.pause }

    /// Takes over the outcome of a part.
    ///
    /// - Returns: Whether memory is worth giving back now.
    mutating func note(_ step: Step, at now: ContinuousClock.Instant) -> Bool {
        switch step {
        case .filled:
            nextDeadline = now + Self.yieldInterval
            hasFilledMuch = true
            return false
        case .complete:
            nextDeadline = nil
            defer { hasFilledMuch = false }
            return hasFilledMuch
        case .failed:
            nextDeadline = now + UnsettledSessions.retryPause
            return false
        }
    }
}
