internal import RecordFormat
internal import TraceFiles
internal import TraceFormat
internal import TraceStore

/// How a snapshot is written.
extension PrometheusText {
    init(_ snapshot: MetricsSnapshot) {
        self.init()
        addDaemon(snapshot)
        addWork(snapshot)
        addQueue(snapshot)
        addFindings(snapshot)
        addProcess(snapshot)
    }

    private mutating func addDaemon(_ snapshot: MetricsSnapshot) {
        let counts = snapshot.counts
        add(
            "trace_build_info", .gauge, "The version that runs.",
            [([("version", snapshot.release)], 1)])
        add(
            "trace_sessions", .gauge, "Sessions below the configured roots.",
            Double(snapshot.journals[.session] ?? 0))
        add(
            "trace_journals", .gauge, "Journals below the configured roots, sessions among them.",
            Self.samples(snapshot.journals, "kind"))
        add(
            "trace_watched_directories", .gauge, "Directories that inotify watches.",
            Double(snapshot.watchedCount))
        add(
            "trace_polled_directories", .gauge, "Directories that inotify can't watch, which are polled.",
            Double(snapshot.polledCount))
        add(
            "trace_watch_events_total", .counter, "Events of the watcher.",
            Self.samples(counts.events, "kind"))
        add(
            "trace_watch_rescans_total", .counter,
            "Full scans because events were lost, by reason.",
            Self.samples(counts.rescans, "reason"))
        add(
            "trace_watch_overflows_total", .counter, "Overflows of an event queue.",
            Double(counts.overflowCount))
        add(
            "trace_reloads_total", .counter, "Requests to read the configuration again.",
            [
                ([("result", "good")], Double(counts.reloader.good)),
                ([("result", "bad")], Double(counts.reloader.bad)),
            ]
        )
    }

    private mutating func addWork(_ snapshot: MetricsSnapshot) {
        let counts = snapshot.counts
        add("trace_reconcile_seconds", "Time to reconcile one session.", counts.reconciles)
        add(
            "trace_index_lag_seconds", "Time from the first event of a change until it is in the index.",
            counts.lags)
        add("trace_scan_seconds", "Time of a full scan.", counts.scans)
        add(
            "trace_last_scan_seconds", .gauge, "Time of the last full scan.",
            counts.lastScan / .seconds(1))
        let writes = snapshot.writes
        add(
            "trace_writes_total", .counter,
            "Writes to sessions, queue and ledger, not counting the index.",
            Double(writes.writes))
        add("trace_written_bytes_total", .counter, "Bytes of those writes.", Double(writes.writtenBytes))
        add("trace_fsyncs_total", .counter, "Calls that make writes durable.", Double(writes.syncs))
        add(
            "trace_fsync_seconds_total", .counter, "Time spent in those calls.",
            writes.syncTime / .seconds(1))
    }

    private mutating func addQueue(_ snapshot: MetricsSnapshot) {
        let spools = snapshot.spools.enumerated().map { index, depth in
            (name: snapshot.showsPlaces ? depth.path.escaped : "\(index + 1)", depth: depth)
        }
        add(
            "trace_queue_entries", .gauge, "Entries waiting in a spool.",
            spools.map { ([("spool", $0.name)], Double($0.depth.count)) })
        add(
            "trace_queue_oldest_seconds", .gauge, "Age of the oldest waiting entry.",
            spools.map { name, depth in
                let age = depth.oldest.map { max(0, snapshot.now.milliseconds(since: $0)) } ?? 0
                return ([("spool", name)], Double(age) / 1000)
            })
        add(
            "trace_queue_refused", .gauge, "Refused entries that nobody has retried or dropped.",
            Double(snapshot.refusedCount))
        add(
            "trace_queue_results_total", .counter, "Outcomes of processed entries.",
            Self.samples(snapshot.counts.queueResults, "result"))
    }

    private mutating func addFindings(_ snapshot: MetricsSnapshot) {
        add(
            "trace_findings", .gauge, "Findings in the indexed sessions.",
            snapshot.findings.map { ([("rule", $0.rule), ("severity", $0.severity)], Double($0.count)) })
    }

    private mutating func addProcess(_ snapshot: MetricsSnapshot) {
        let process = snapshot.process
        add(
            "process_resident_memory_bytes", .gauge, "Resident memory.",
            process.residentBytes.map { Double($0) } ?? 0)
        add("process_open_fds", .gauge, "Open file descriptors.", Double(process.descriptorCount))
        add(
            "process_cpu_seconds_total", .counter, "Processor time.",
            process.processorTime / .seconds(1))
        add("process_start_time_seconds", .gauge, "Start time, in seconds since 1970.", snapshot.started)
    }

    private static func samples(_ counts: [some Hashable: Int], _ label: String) -> [Sample] {
        counts.map { ("\($0)", $1) }.sorted { $0.0 < $1.0 }.map { ([(label, $0)], Double($1)) }
    }
}
