internal import Glibc
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceStore

/// The writing of the metrics.
extension Reconciler {
    /// Writes the metrics to their file; told once where that fails.
    ///
    /// - Parameter watchedCount: Directories that are watched.
    func writeMetrics(watchedCount: Int) {
        guard let path = settings.metricsFile else { return }
        attempt("write the metrics", path) {
            try VolatileFile.replace(
                path, with: Array(metricsText(watchedCount: watchedCount).utf8), mode: 0o644)
        }
    }

    private func metricsText(watchedCount: Int) -> String {
        var text = PrometheusText()
        addDaemon(to: &text, watchedCount: watchedCount)
        addWork(to: &text)
        addQueue(to: &text)
        addFindings(to: &text)
        addProcess(to: &text)
        return text.text
    }

    private func addDaemon(to text: inout PrometheusText, watchedCount: Int) {
        let counts = metrics.now
        text.add(
            "trace_build_info", .gauge, "The version that runs.",
            [([("version", DaemonCommand.release)], 1)])
        text.add(
            "trace_sessions", .gauge, "Sessions below the configured roots.", Double(sessions.count))
        text.add(
            "trace_watched_directories", .gauge, "Directories that inotify watches.", Double(watchedCount))
        text.add(
            "trace_polled_directories", .gauge, "Directories that inotify can't serve, which are polled.",
            Double(unwatched.count))
        text.add(
            "trace_watch_events_total", .counter, "Events of the watcher.",
            Self.samples(counts.events, "kind"))
        text.add(
            "trace_watch_rescans_total", .counter,
            "How often everything was scanned because events were lost, by reason.",
            Self.samples(counts.rescans, "reason"))
        text.add(
            "trace_watch_overflows_total", .counter, "How often a queue of events has overflowed.",
            Double(counts.overflowCount))
        text.add(
            "trace_reloads_total", .counter, "Requests to read the configuration again.",
            [
                ([("result", "good")], Double(counts.reloads.good)),
                ([("result", "bad")], Double(counts.reloads.bad)),
            ]
        )
    }

    private func addWork(to text: inout PrometheusText) {
        let counts = metrics.now
        text.add("trace_reconcile_seconds", "How long a look at one session takes.", counts.reconciles)
        text.add(
            "trace_index_lag_seconds", "From the first event of a change until it stands in the index.",
            counts.lags)
        text.add("trace_scan_seconds", "How long a scan of everything takes.", counts.scans)
        text.add(
            "trace_last_scan_seconds", .gauge, "How long the last scan of everything took.",
            counts.lastScan / .seconds(1))
        let writes = WriteCounts.now
        text.add(
            "trace_writes_total", .counter,
            "Writes to sessions, queue and ledger; the index's are not among them.",
            Double(writes.writes))
        text.add("trace_written_bytes_total", .counter, "Bytes of those writes.", Double(writes.writtenBytes))
        text.add("trace_fsyncs_total", .counter, "Calls that make writes durable.", Double(writes.syncs))
        text.add(
            "trace_fsync_seconds_total", .counter, "How long those calls have taken.",
            writes.syncTime / .seconds(1))
    }

    private func addQueue(to text: inout PrometheusText) {
        let queue = QueueDirectories(settings)
        let depths = queue.spools.compactMap { try? $0.depth() }
        text.add(
            "trace_queue_entries", .gauge, "Entries that wait in a spool.",
            depths.map { ([("spool", $0.path.escaped)], Double($0.count)) })
        let now = Clock.now()
        text.add(
            "trace_queue_oldest_seconds", .gauge, "How long the entry has waited that has waited longest.",
            depths.map { depth in
                let age = depth.oldest.map { max(0, now - $0) } ?? 0
                return ([("spool", depth.path.escaped)], Double(age) / 1000)
            })
        text.add(
            "trace_queue_refused", .gauge, "Refused entries that nobody has retried or dropped.",
            Double((try? Spool(queue.failed).files().count) ?? 0))
        text.add(
            "trace_queue_results_total", .counter, "What became of entries that were looked at.",
            Self.samples(metrics.now.queueResults, "result"))
    }

    private func addFindings(to text: inout PrometheusText) {
        let news = metrics.now.newsCount
        if findings?.news != news, let counts = try? index.findingCounts() { findings = (news, counts) }
        text.add(
            "trace_findings", .gauge, "What breaks a rule in the sessions that the index knows.",
            findings?.counts.map { ([("rule", $0.rule), ("severity", $0.severity)], Double($0.count)) } ?? [])
    }

    private func addProcess(to text: inout PrometheusText) {
        let memory = SystemFigures.residentBytes
        text.add("process_resident_memory_bytes", .gauge, "Resident memory.", memory.map { Double($0) } ?? 0)
        text.add("process_open_fds", .gauge, "Open file descriptors.", Double(SystemFigures.descriptorCount))
        text.add(
            "process_cpu_seconds_total", .counter, "Processor time.",
            SystemFigures.processorTime / .seconds(1))
        text.add("process_start_time_seconds", .gauge, "When it began, in seconds since 1970.", started)
    }

    private static func samples(_ counts: [some Hashable: Int], _ label: String) -> [PrometheusText.Sample] {
        counts.map { ("\($0)", $1) }.sorted { $0.0 < $1.0 }.map { ([(label, $0)], Double($1)) }
    }
}

/// What the kernel counts of this process.
private enum SystemFigures {
    /// Source: proc(5), /proc/self/statm, field 2, in pages.
    static var residentBytes: Int? {
        guard let file = try? FileDescriptor.open("/proc/self/statm", .readOnly, options: .closeOnExec) else {
            return nil
        }
        var buffer = [UInt8](repeating: 0, count: 256)
        let count =
            (try? file.closeAfter { try buffer.withUnsafeMutableBytes { try file.read(into: $0) } }) ?? 0
        let fields = String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? Int(fields[1]).map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) } : nil
    }

    static var descriptorCount: Int {
        var count = 0
        try? OpenDirectory("/proc/self/fd").forEachName { _ in count += 1 }
        // The directory itself is open while it is read.
        return max(0, count - 1)
    }

    static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
