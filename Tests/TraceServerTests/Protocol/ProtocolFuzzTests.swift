import Foundation
import TestSupport
import Testing
import TraceServerFuzzing

/// What the fuzzer checks holds of the inputs that are kept, and of what comes of them by chance.
struct ProtocolFuzzTests {
    private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Fuzzing/Corpus").standardized

    private static func seeds(_ target: ProtocolFuzzTarget) throws -> [[UInt8]] {
        let directory = corpus.appending(path: target.rawValue)
        return try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted().map {
            Array(try Data(contentsOf: directory.appending(path: $0)))
        }
    }

    private func check(_ target: ProtocolFuzzTarget, _ input: [UInt8]) throws {
        do {
            try input.withUnsafeBytes { try target.check($0) }
        } catch {
            Issue.record(
                "\(target.rawValue), \(String(decoding: input, as: UTF8.self).debugDescription): \(error)")
        }
    }

    @Test(arguments: ProtocolFuzzTarget.allCases) func `of every input that is kept, everything holds`(
        target: ProtocolFuzzTarget
    ) throws {
        let seeds = try Self.seeds(target)
        try #require(!seeds.isEmpty)
        for seed in seeds + [[]] { try check(target, seed) }
    }

    @Test(arguments: ProtocolFuzzTarget.allCases, 0..<4)
    func `any input is read`(target: ProtocolFuzzTarget, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let seeds = try Self.seeds(target)
        let pieces: [UInt8] = Array(seeds.joined()) + Array("-=,;\"\\%\n \u{0}".utf8) + [0x80, 0xFF]
        for _ in 0..<(target == .handle ? 50 : 2000) {
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
