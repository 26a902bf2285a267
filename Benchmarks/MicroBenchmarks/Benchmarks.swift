internal import Benchmark

/// What `swift package benchmark` runs: the toolkit's library as an outside program uses it, inside one
/// process.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .throughput, .peakMemoryResident], maxDuration: .seconds(2))
    measureIdentity()
    measureTime()
    measureDigest()
    measureSessions()
    measureQuestions()
}

extension Benchmark {
    /// Ends the benchmark as failed where its result is not what it must be.
    func check(_ isRight: Bool, _ what: @autoclosure () -> String) {
        if !isRight { error(what()) }
    }
}
