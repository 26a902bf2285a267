import RecordFormat
import SystemPackage
import Testing
import TraceFormat
import TraceWatch

@testable import TraceDaemon
@testable import TraceFiles
@testable import TraceStore

struct MetricsTests {
    @Test func `a lost event counts by its reason, and as an overflow where a queue was full`() {
        let metrics = Metrics()
        let reasons: [RescanReason] = [
            .kernelOverflow, .bufferOverflow, .bufferOverflow, .lostTrack, .unmounted, .directoryReplaced,
            .deadWatches, .readFailure, .watchedAtLast,
        ]
        for reason in reasons { metrics.note(.rescan(reason)) }
        #expect(metrics.now.overflowCount == 3)
        #expect(metrics.now.rescans[.bufferOverflow] == 2)
        #expect(metrics.now.rescans.count == 8)
        #expect(metrics.now.events == ["rescan": 9])
    }
}

struct PrometheusTextTests {
    @Test func `names, labels and numbers are spelled as the format asks`() {
        var text = PrometheusText()
        text.add("a_total", .counter, "How many.", 3)
        text.add("b", .gauge, "Per place.", [([("place", "a\\b\"c\nd"), ("x", "")], 0.25)])
        text.add("none", .gauge, "Nothing.", [])
        #expect(
            text.text == #"""
                # HELP a_total How many.
                # TYPE a_total counter
                a_total 3
                # HELP b Per place.
                # TYPE b gauge
                b{place="a\\b\"c\nd",x=""} 0.25

                """#)
    }

    @Test func `a histogram counts what is at most so long, and everything in the end`() {
        var histogram = Histogram()
        for milliseconds in [1, 1, 30, 100_000] { histogram.add(.milliseconds(milliseconds)) }
        var text = PrometheusText()
        text.add("t", "Time.", histogram)
        let lines = text.text.split(separator: "\n")
        #expect(lines.contains("t_bucket{le=\"0.0005\"} 0"))
        #expect(lines.contains("t_bucket{le=\"0.001\"} 2"))
        #expect(lines.contains("t_bucket{le=\"0.05\"} 3"))
        #expect(lines.contains("t_bucket{le=\"60\"} 3"))
        #expect(lines.suffix(3) == ["t_bucket{le=\"+Inf\"} 4", "t_sum 100.032", "t_count 4"])
    }

    @Test func `a snapshot is written as it is, whatever the process does meanwhile`() {
        let metrics = Metrics()
        metrics.noteReload(isGood: true)
        let snapshot = MetricsSnapshot(
            release: "1.2.3", started: 12.5, counts: metrics.now,
            journals: [.session: 3, JournalKind(name: "practice"): 1], watchedCount: 7,
            polledCount: 1,
            spools: [
                SpoolDepth(path: "/queue", count: 2, oldest: Timestamp(milliseconds: 1000)),
                SpoolDepth(path: "/ahead", count: 1, oldest: Timestamp(milliseconds: 9000)),
                SpoolDepth(path: "/none", count: 0),
            ], refusedCount: 4, findings: [("torn-line", "error", 5)],
            writes: WriteCounts(writes: 6, writtenBytes: 60, syncs: 7, syncTime: .milliseconds(250)),
            process: ProcessStatistics(residentBytes: 4096, descriptorCount: 8, processorTime: .seconds(9)),
            now: Timestamp(milliseconds: 3500))
        var hidden = snapshot
        hidden.showsPlaces = false
        let text = PrometheusText(hidden).text
        #expect(text.contains("trace_queue_entries{spool=\"1\"} 2\n") && !text.contains("/queue"), "\(text)")
        let lines = PrometheusText(snapshot).text.split(separator: "\n").filter {
            !$0.hasPrefix("#") && !$0.contains("_bucket")
        }
        #expect(
            lines
                == """
                trace_build_info{version="1.2.3"} 1
                trace_sessions 3
                trace_journals{kind="practice"} 1
                trace_journals{kind="session"} 3
                trace_watched_directories 7
                trace_polled_directories 1
                trace_watch_overflows_total 0
                trace_reloads_total{result="good"} 1
                trace_reloads_total{result="bad"} 0
                trace_reconcile_seconds_sum 0
                trace_reconcile_seconds_count 0
                trace_index_lag_seconds_sum 0
                trace_index_lag_seconds_count 0
                trace_scan_seconds_sum 0
                trace_scan_seconds_count 0
                trace_last_scan_seconds 0
                trace_writes_total 6
                trace_written_bytes_total 60
                trace_fsyncs_total 7
                trace_fsync_seconds_total 0.25
                trace_queue_entries{spool="/queue"} 2
                trace_queue_entries{spool="/ahead"} 1
                trace_queue_entries{spool="/none"} 0
                trace_queue_oldest_seconds{spool="/queue"} 2.5
                trace_queue_oldest_seconds{spool="/ahead"} 0
                trace_queue_oldest_seconds{spool="/none"} 0
                trace_queue_refused 4
                trace_findings{rule="torn-line",severity="error"} 5
                process_resident_memory_bytes 4096
                process_open_fds 8
                process_cpu_seconds_total 9
                process_start_time_seconds 12.5
                """.split(separator: "\n"))
    }
}

struct FindingCountsTests {
    @Test func `the counts are asked for again only when there is news, and kept where that fails`() {
        var counts = FindingCounts()
        var asked = 0
        func ask(_ news: Int, fails: Bool = false) -> Int? {
            counts.counts(at: news) {
                asked += 1
                if fails { throw CancellationError() }
                return [("torn-line", "error", asked)]
            }.first?.count
        }
        #expect(ask(1, fails: true) == nil)
        #expect(ask(1) == 2)
        #expect(ask(1) == 2)
        #expect(ask(2, fails: true) == 2)
        #expect(ask(2) == 4)
    }
}
