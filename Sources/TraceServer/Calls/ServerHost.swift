/// What the daemon does for its HTTP API.
package struct ServerHost: Sendable {
    /// Whether the first scan is done, and database and watch have answered lately.
    package let isReady: @Sendable () -> Bool
    /// What `metrics_file` would hold now. Blocks.
    package let metrics: @Sendable () -> String
    /// Is told where the API listens, and what can't be opened, in words.
    package let noteListening: @Sendable (_ names: [String], _ problems: [String]) -> Void

    /// What a daemon offers.
    package init(
        isReady: @escaping @Sendable () -> Bool, metrics: @escaping @Sendable () -> String,
        noteListening: @escaping @Sendable (_ names: [String], _ problems: [String]) -> Void
    ) {
        self.isReady = isReady
        self.metrics = metrics
        self.noteListening = noteListening
    }
}
