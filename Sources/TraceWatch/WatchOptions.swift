/// Sizes and intervals of a watcher; the defaults suit a daemon.
package struct WatchOptions: Sendable {
    /// What the watcher is built on.
    package var backend = InotifyBackend.current
    /// Most events that wait for the consumer before they collapse into one rescan.
    var bufferCapacity = 65_536
    /// How soon, and at most how late, a missing root is looked for again.
    var rootRetry = RetryInterval(first: .seconds(1), longest: .seconds(60))
    /// How soon, and at most how late, an unwatched directory is tried again.
    var unwatchedRetry = RetryInterval(first: .seconds(60), longest: .seconds(3600))
    /// How long the set-up after a loss of events waits, so that a storm of changes does not become one of rescans.
    var recoveryDelay = RetryInterval(first: .milliseconds(100), longest: .seconds(60))
    /// After this long without a loss of events, ``recoveryDelay`` starts from its beginning.
    var quietPeriod = Duration.seconds(60)
    /// Watches of deleted directories that may pile up in a backend that can't free single ones before it is emptied.
    var deadWatchLimit = 10_000

    package init() {}
}

/// A waiting time that doubles from try to try.
package struct RetryInterval: Hashable, Sendable {
    var first: Duration
    var longest: Duration

    package init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = longest
    }
}
