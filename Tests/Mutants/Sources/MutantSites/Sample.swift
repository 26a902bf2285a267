import Foundation

/// Which sites are taken: those with the lowest ranks.
///
/// A site's rank depends on its own name alone, so that a change somewhere else in the code does not exchange the sample.
package enum Sample {
    package static func rank(_ name: String, _ change: MutantSite.Change, seed: UInt64) -> Double {
        // FNV-1a, then the last steps of SplitMix64, which spread what differs only at the end of the name.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in "\(seed) \(name)".utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        hash = (hash ^ (hash >> 30)) &* 0xbf58_476d_1ce4_e5b9
        hash = (hash ^ (hash >> 27)) &* 0x94d0_49bb_1331_11eb
        hash ^= hash >> 31
        // Draws in proportion to the weights, without putting back.
        let dice = (Double(hash >> 11) + 0.5) / Double(1 << 53)
        return -log(dice) / change.weight
    }
}

extension MutantSite.Change {
    /// There are few syncs and many bindings; and a check that nothing would miss is what is looked for.
    var weight: Double {
        switch self {
        case .sync, .throw: 4
        case .check: 2
        case .comparison, .negation, .operand: 1
        case .binding: 0.5
        }
    }
}
