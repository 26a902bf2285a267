internal import Foundation

/// How hard the torture is, and by which dice.
///
/// `make test` takes a sample that is another each time; the seed is printed, and `TRACE_SEED` brings the
/// same one back. `make test-slow` (`TRACE_SLOW=1`) takes a larger one of what needs minutes, and `make torture`
/// (`TRACE_TORTURE=1`) tries everything. It runs each suite that uses this.
package enum Torture {
    /// Whether everything is tried.
    package static let isFull = isSet("TRACE_TORTURE")

    /// Whether this is the slow tier.
    package static let isSlow = isSet("TRACE_SLOW")

    private static func isSet(_ variable: String) -> Bool {
        ProcessInfo.processInfo.environment[variable].map { !$0.isEmpty && $0 != "0" } ?? false
    }

    /// Fixed by `TRACE_SEED`, else new.
    package static let seed: UInt64 = {
        let given = ProcessInfo.processInfo.environment["TRACE_SEED"].flatMap { UInt64($0) }
        let seed = given ?? UInt64.random(in: 0...999_999_999)
        print("torture: TRACE_SEED=\(seed)\(isFull ? " TRACE_TORTURE=1" : "")")
        return seed
    }()

    /// A number for this run: the one of the full size, the one of the slow tier, or the one that everybody can afford.
    ///
    /// - Parameter slow: As `sample` if it is missing.
    package static func size(full: Int, slow: Int? = nil, sample: Int) -> Int {
        isFull ? full : isSlow ? slow ?? sample : sample
    }

    /// All of them at full size, else a few in their order, by the seed.
    package static func choose<Element>(_ all: [Element], sample count: Int, _ name: String) -> [Element] {
        var dice = dice(name)
        guard !isFull, all.count > count else { return all }
        let chosen = Set(all.indices.shuffled(using: &dice).prefix(count))
        return all.indices.filter(chosen.contains).map { all[$0] }
    }

    /// Places in a file at which it is damaged: all of them at full size, else every eighth, from one on that the seed decides.
    package static func places(_ all: Range<Int>, name: String = #function) -> [Int] {
        guard !isFull, all.count > 64 else { return Array(all) }
        var dice = dice(name)
        return Array(
            stride(from: all.lowerBound + Int.random(in: 0..<8, using: &dice), to: all.upperBound, by: 8))
    }

    /// Before which of so many steps a process is killed, or which of them fail: all at full size, else a few, by the seed.
    package static func steps(_ count: Int, sample: Int = 2, name: String = #function) -> [Int] {
        choose(Array(1...count), sample: sample, name)
    }

    /// SeededRandom of a test's own: the same for the same seed, whatever other tests throw.
    package static func dice(_ name: String) -> SeededRandom {
        SeededRandom(
            seed: name.utf8.reduce(seed &+ 0x9E37_79B9_7F4A_7C15) {
                ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
            })
    }
}
