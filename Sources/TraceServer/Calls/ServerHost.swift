package import TraceLibrary
package import TraceStore

/// What the daemon does for its HTTP API.
package struct ServerHost: Sendable {
    /// Whether the first scan is done, and database and watch have answered lately.
    let isReady: @Sendable () -> Bool
    /// What `metrics_file` would hold now, with or without the paths of this machine. Blocks.
    let metrics: @Sendable (_ showsPlaces: Bool) -> String
    /// What the daemon knows of everything that was written before the call; nil if that is not known, so that all sessions must
    /// be compared. Blocks for a second at most.
    let watched: @Sendable () -> WatchedRoots?
    /// Called with where the API listens, and what can't be opened, in words.
    let noteListening: @Sendable (_ names: [String], _ problems: [String]) -> Void

    /// Called when something is put back into a journal that another program has saved over.
    package var onPutBack: PutBackReport?

    /// Tells clients what happens.
    let events: EventHub

    /// The web page.
    let page = PageFiles()

    /// How all sessions are compared where that is needed.
    let sweeping = Sweeping()

    /// What a daemon offers.
    package init(
        isReady: @escaping @Sendable () -> Bool,
        metrics: @escaping @Sendable (_ showsPlaces: Bool) -> String,
        watched: @escaping @Sendable () -> WatchedRoots?, events: EventHub = EventHub(),
        noteListening: @escaping @Sendable (_ names: [String], _ problems: [String]) -> Void
    ) {
        self.isReady = isReady
        self.metrics = metrics
        self.watched = watched
        self.noteListening = noteListening
        self.events = events
    }
}
