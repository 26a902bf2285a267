internal import RecordFormat
internal import TraceFiles
internal import TraceStore

/// The metrics at one moment; filled in by the reconciler.
struct MetricsSnapshot {
    /// The version that runs.
    var release: String
    /// When the daemon began, in seconds since 1970.
    var started: Double
    var counts: Metrics.Counts
    /// How many journals of each kind are below the configured roots; empty where the index can't be asked.
    var journals: [JournalKind: Int]
    /// Directories that inotify watches.
    var watchedCount: Int
    /// Directories that inotify can't serve, which are polled.
    var polledCount: Int
    /// The spools that can be read.
    var spools: [SpoolDepth]
    /// Entries that were refused and that nobody has retried or dropped.
    var refusedCount: Int
    /// How often each rule is broken.
    var findings: [FindingCounts.Count]
    /// Whether spools are named by their paths; if not, by their numbers in the order of the configuration.
    var showsPlaces = true
    var writes = WriteCounts.now
    var process = ProcessStatistics()
    var now = Clock.now()
}
