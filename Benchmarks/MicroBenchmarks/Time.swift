internal import Benchmark
internal import TraceFormat

/// Times and offsets: read and spelt, a thousand at a time.
func measureTime() {
    let thousand = Benchmark.Configuration(scalingFactor: .kilo)
    let moment = Timestamp(milliseconds: 1_770_238_030_480)

    Benchmark("Timestamp: read", configuration: thousand) { benchmark in
        var right = 0
        for _ in benchmark.scaledIterations where Timestamp("2026-02-04T20:47:10.480Z") == moment {
            right += 1
        }
        benchmark.check(right == benchmark.scaledIterations.count, "a time was misread")
    }

    Benchmark("Timestamp: spell", configuration: thousand) { benchmark in
        var right = 0
        for _ in benchmark.scaledIterations where moment.description == "2026-02-04T20:47:10.480Z" {
            right += 1
        }
        benchmark.check(right == benchmark.scaledIterations.count, "a time was misspelt")
    }

    Benchmark("Offset: read", configuration: thousand) { benchmark in
        var sum: Int64 = 0
        for _ in benchmark.scaledIterations {
            for text in ["120000", "2:00", "120s", "2m"] {
                sum += try OffsetExpression.duration(text).milliseconds
            }
        }
        benchmark.check(sum == 480_000 * Int64(benchmark.scaledIterations.count), "an offset was misread")
    }
}
