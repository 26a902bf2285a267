/// Mints ULIDs that are unique and, from one generator, strictly increasing.
///
/// Within one millisecond, and while the clock follows the last id, the random part counts up by one; should it ever be
/// exhausted, the next millisecond is used.
///
/// Source: the ULID specification, "Monotonicity".
public struct ULIDGenerator: Sendable {
    private var last: ULID?

    /// A generator that has minted nothing yet.
    public init() {}

    /// The next id.
    ///
    /// - Parameter milliseconds: Unix time in milliseconds, 0 ... 2⁴⁸-1; beyond that it is clamped.
    public mutating func next(
        milliseconds: Int64, using random: inout some RandomNumberGenerator
    ) -> ULID {
        let now = UInt64(min(max(milliseconds, 0), (1 << 48) - 1))
        let id =
            last.flatMap { $0.time >= now ? Self.successor(of: $0, using: &random) : nil }
            ?? Self.fresh(at: now, using: &random)
        last = id
        return id
    }

    /// The next id, with the system's random numbers.
    public mutating func next(milliseconds: Int64) -> ULID {
        var random = SystemRandomNumberGenerator()
        return next(milliseconds: milliseconds, using: &random)
    }

    private static let mask: UInt64 = (1 << 40) - 1

    private static func fresh(at time: UInt64, using random: inout some RandomNumberGenerator) -> ULID {
        ULID(time: time, randomHigh: random.next() & mask, randomLow: random.next() & mask)
    }

    private static func successor(
        of last: ULID, using random: inout some RandomNumberGenerator
    ) -> ULID {
        if last.randomLow < mask {
            return ULID(time: last.time, randomHigh: last.randomHigh, randomLow: last.randomLow + 1)
        }
        if last.randomHigh < mask {
            return ULID(time: last.time, randomHigh: last.randomHigh + 1, randomLow: 0)
        }
        return fresh(at: last.time + 1, using: &random)
    }
}
