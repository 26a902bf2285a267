import TestSupport
import Testing
import TraceFuzzing

@testable import TraceExchange

/// Files that were cut off or damaged on their way.
struct ExchangeDamageTests {
    private static func input(_ format: ExchangeFormat) throws -> [UInt8] {
        // A few, so that each cut is done fast.
        let markers = [1, 3, 4, 10].map { ExchangeSample.markers[$0] }
        let number = try #require(ExchangeFormat.allCases.firstIndex(of: format))
        return [UInt8(number)] + (try ExchangeSample.text(markers, format))
    }

    @Test(arguments: ExchangeFormat.allCases) func `cut at any byte, a file is read or refused`(
        format: ExchangeFormat
    ) throws {
        let whole = try Self.input(format)
        for end in 1...whole.count { try FuzzTarget.exchange.check(Array(whole[..<end])) }
    }

    @Test(arguments: ExchangeFormat.allCases, 1...2) func `with any byte another, a file is read or refused`(
        format: ExchangeFormat, seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed)
        let whole = try Self.input(format)
        for _ in 0..<100 {
            var damaged = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 1..<damaged.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: damaged[place] = .random(in: 0...255, using: &random)
                case 1: damaged[place] = random.element(of: Array("\t\n\",;|=-:[]{}\\ 09.".utf8))
                default: damaged.remove(at: place)
                }
            }
            try FuzzTarget.exchange.check(damaged)
        }
    }
}
