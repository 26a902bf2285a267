internal import SystemPackage

/// Sessions that are looked at once more though nothing else may happen to them, and when: those that were not at rest when
/// they were looked at, and those whose look has failed.
struct UnsettledSessions {
    private var settleTime: Duration
    private var looks: [FilePath: ContinuousClock.Instant] = [:]
    /// Those whose last look has failed.
    private(set) var failed: Set<FilePath> = []

    /// How long what failed is left alone, such as an index whose disk is full.
    static let retryPause = Duration.seconds(5)
    /// Beyond the settle time, so that a file is surely seen as resting.
    private static let margin = Duration.milliseconds(100)

    /// - Parameter settleTime: How long a file must not have changed to be at rest.
    init(settleTime: Duration) { self.settleTime = settleTime }

    /// Continues with another settle time; what waits already waits as long as it was to.
    mutating func adopt(settleTime: Duration) { self.settleTime = settleTime }

    func contains(_ session: FilePath) -> Bool { looks[session] != nil }

    /// Has a session looked at when it has rested, if it rests from now on.
    mutating func add(_ session: FilePath, at now: ContinuousClock.Instant) {
        looks[session] = now + settleTime + Self.margin
    }

    /// Has a session looked at again whose look has failed.
    mutating func retry(_ session: FilePath, at now: ContinuousClock.Instant) {
        looks[session] = now + Self.retryPause
        failed.insert(session)
    }

    /// Notes that a session is looked at, for whatever reason.
    ///
    /// - Returns: Whether it was waiting for that.
    mutating func remove(_ session: FilePath) -> Bool {
        failed.remove(session)
        return looks.removeValue(forKey: session) != nil
    }

    /// All of them. They stay until they are removed one by one.
    var all: some Collection<FilePath> { looks.keys }

    /// The sessions that are to be looked at now. They stay until they are removed one by one: a look at many may be left.
    func due(at now: ContinuousClock.Instant) -> [FilePath] { looks.filter { $0.value <= now }.map(\.key) }

    /// When the next one is due; nil if none waits.
    var nextDeadline: ContinuousClock.Instant? { looks.values.min() }
}
