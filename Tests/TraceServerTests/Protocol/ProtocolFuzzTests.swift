import TestSupport
import Testing
import TraceServerFuzzing

/// What the fuzzer checks holds of the inputs below and of what comes of them by chance.
struct ProtocolFuzzTests {
    private static let seeds: [ProtocolFuzzTarget: [String]] = [
        .ranges: [
            "\u{4}\u{0}Bbytes=0-99,100-199\nC\"ab\"",
            "\u{3}\u{0}Bbytes=-5, 2-\nCSun, 06 Nov 1994 08:49:37 GMT",
            "bytes=0-0,-1\nW/\"ab\", *\nSunday, 06-Nov-94 08:49:37 GMT\nSun Nov  6 08:49:37 1994",
        ],
        .target: ["\u{0}/api/v1/sessions/%C3%A9/%2e?after=a%20b+c&x&=", "\u{1}*", "\u{0}//..%5c%00/%252f"],
        .cookies: ["__Host-trace=trace_abc; a=\"b\"; trace=x", "1Bearer abc==", "trace=\"a\"; =; ;trace"],
        .cursor: ["AQAAAAAAAAHUwAEEMDFNNw3Wv84", "AQ", "1abc\n0def\n"],
    ]

    private func check(_ target: ProtocolFuzzTarget, _ input: [UInt8]) throws {
        try input.withUnsafeBytes { try target.check($0) }
    }

    @Test(arguments: ProtocolFuzzTarget.allCases, 0..<4)
    func `any input is read`(target: ProtocolFuzzTarget, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let seeds: [[UInt8]] = (Self.seeds[target] ?? []).map { Array($0.utf8) }
        #expect(!seeds.isEmpty)
        let pieces: [UInt8] = Array(seeds.joined()) + Array("-=,;\"\\%\n \u{0}".utf8) + [0x80, 0xFF]
        for seed in seeds + [[]] { try check(target, seed) }
        for _ in 0..<2000 {
            var input = random.element(of: seeds)
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                let index = Int.random(in: 0...input.count, using: &random)
                if Bool.random(using: &random) || index == input.count {
                    input.insert(random.element(of: pieces), at: index)
                } else if Bool.random(using: &random) {
                    input.remove(at: index)
                } else {
                    input[index] = random.element(of: pieces)
                }
            }
            try check(target, input)
        }
    }
}
