internal import Benchmark
internal import TraceDigest
internal import TraceFormat

/// A digest of a long evening.
func measureDigest() {
    Benchmark("Digest: 1,000 markers to Markdown") { benchmark in
        var random = SeededRandom(seed: 1)
        let markers = (0..<1_000).map { number in
            Marker(
                id: SampleSession.id(of: number),
                offset: SessionOffset(milliseconds: .random(in: 0..<SampleSession.length, using: &random)),
                createdAt: nil, label: "Theme \(number)", tags: ["highlight"])
        }
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            let digest = Digest(
                session: Session(), markers: markers, voiceNotes: [], actions: [], findings: [])
            let text = digest.markdown()
            benchmark.check(text.contains("Theme"), "the digest names no marker")
        }
    }
}
