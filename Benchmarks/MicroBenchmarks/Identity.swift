internal import Benchmark
internal import TraceFormat

/// Ids: read, spelt and minted, a thousand at a time.
func measureIdentity() {
    let thousand = Benchmark.Configuration(scalingFactor: .kilo)

    Benchmark("ULID: read", configuration: thousand) { benchmark in
        let text = "01KGN6HCMGFP2XYCHA2GHD03GQ"
        var count = 0
        for _ in benchmark.scaledIterations where ULID(text) != nil { count += 1 }
        benchmark.check(count == benchmark.scaledIterations.count, "\(text) was refused")
    }

    Benchmark("ULID: spell", configuration: thousand) { benchmark in
        let id = SampleSession.id(of: 7)
        var length = 0
        for _ in benchmark.scaledIterations { length += id.description.utf8.count }
        benchmark.check(length == 26 * benchmark.scaledIterations.count, "an id has not 26 characters")
    }

    Benchmark("ULID: mint", configuration: thousand) { benchmark in
        var generator = ULIDGenerator()
        var random = SeededRandom(seed: 1)
        var last = generator.next(milliseconds: 0, using: &random)
        for moment in benchmark.scaledIterations {
            let id = generator.next(milliseconds: Int64(moment), using: &random)
            benchmark.check(id > last, "\(id) does not come after \(last)")
            last = id
        }
    }
}
