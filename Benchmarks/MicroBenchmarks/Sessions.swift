internal import Benchmark
internal import TraceFormat
internal import TraceStore

/// A session's files: read, checked and written.
func measureSessions() {
    Benchmark("Session: parse and check 10,000 markers") { benchmark in
        let sample = try SampleSession(markerCount: 10_000)
        defer { sample.remove() }
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            let inspection = try Inspection(of: sample.path)
            benchmark.check(inspection.findings.isEmpty, "\(inspection.findings)")
            benchmark.check(inspection.counts[.marker] == 10_000, "\(inspection.counts)")
        }
    }

    // Mostly the disk's time: three syncs.
    Benchmark("Session: mark") { benchmark in
        let sample = try SampleSession(markerCount: 10)
        defer { sample.remove() }
        let writer = SessionWriter(sample.path)
        let marker = Marker(
            id: IDGenerator.next(), offset: SessionOffset(milliseconds: 120_000), createdAt: Clock.now(),
            label: "again")
        benchmark.startMeasurement()
        let notices = try writer.mark(marker)
        benchmark.stopMeasurement()
        benchmark.check(notices.isEmpty, "\(notices)")
        let count = try Inspection(of: sample.path).counts[.marker]
        benchmark.check(count == 11, "there are \(count ?? 0) markers")
    }
}
