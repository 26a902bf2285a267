/// An identifier of 26 upper-case Crockford base 32 characters.
///
/// Opaque when read: the phone app left-aligns its bits, so neither the time nor the order of a foreign id
/// means anything, and the first character may go beyond the `7` that 128 bits allow. All 130 bits are
/// therefore kept.
///
/// Source: docs/spec/format.md#scalars; the minted form is that of the ULID specification.
public struct ULID: Sendable, Hashable {
    /// Characters 1–10 (50 bits), 11–18 and 19–26 (40 bits each).
    package let time: UInt64
    package let randomHigh: UInt64
    package let randomLow: UInt64

    package init(time: UInt64, randomHigh: UInt64, randomLow: UInt64) {
        self.time = time
        self.randomHigh = randomHigh
        self.randomLow = randomLow
    }

    /// The id that `text` represents, or nil when it is not 26 characters of the alphabet.
    public init?(_ text: some StringProtocol) {
        var text = String(text)
        guard let id = text.withUTF8({ ULID(bytes: UnsafeRawBufferPointer($0)) }) else { return nil }
        self = id
    }

    /// The id that these ASCII bytes write, or nil when they are not 26 characters of the alphabet.
    ///
    /// Inlined, for a line has three ids, and they are most of what is checked.
    @inline(__always)
    package init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.length,
            let time = Self.decode(bytes, 0, 10),
            let high = Self.decode(bytes, 10, 18),
            let low = Self.decode(bytes, 18, 26)
        else { return nil }
        self.init(time: time, randomHigh: high, randomLow: low)
    }

    /// The id that content has which came without one: the same content has the same id.
    ///
    /// - Parameters:
    ///   - milliseconds: Unix time in milliseconds, 0 ... 2⁴⁸-1; beyond that it is clamped.
    ///   - digest: A hash of the content, of which the first 80 bits are taken.
    package init(milliseconds: Int64, digest: some Sequence<UInt8>) {
        var bytes = digest.makeIterator()
        func number() -> UInt64 { (0..<5).reduce(0) { value, _ in value << 8 | UInt64(bytes.next() ?? 0) } }
        let high = number()
        self.init(
            time: UInt64(min(max(milliseconds, 0), (1 << 48) - 1)), randomHigh: high, randomLow: number())
    }

    /// How many characters an id has.
    package static let length = 26

    @inline(__always)
    private static func decode(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> UInt64? {
        let values = CrockfordBase32.values
        var value: UInt64 = 0
        var all: UInt8 = 0
        for index in start..<end {
            let digit = values[Int(bytes[index])]
            value = value << 5 | UInt64(digit & 31)
            all |= digit
        }
        return all < 32 ? value : nil
    }

    /// The 26 ASCII bytes of the id.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.length)
        append(to: &bytes)
        return bytes
    }

    /// Appends the 26 ASCII bytes of the id.
    package func append(to bytes: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.length) { buffer in
            Self.encode(time, into: buffer, 0, 10)
            Self.encode(randomHigh, into: buffer, 10, 18)
            Self.encode(randomLow, into: buffer, 18, 26)
            bytes.append(contentsOf: buffer)
        }
    }

    private static func encode(
        _ value: UInt64, into buffer: UnsafeMutableBufferPointer<UInt8>, _ start: Int, _ end: Int
    ) {
        var rest = value
        for index in stride(from: end - 1, through: start, by: -1) {
            buffer[index] = CrockfordBase32.alphabet[Int(rest & 31)]
            rest >>= 5
        }
    }
}

extension ULID: Comparable {
    /// Orders ids as their texts are ordered.
    public static func < (left: ULID, right: ULID) -> Bool {
        (left.time, left.randomHigh, left.randomLow) < (right.time, right.randomHigh, right.randomLow)
    }
}

extension ULID: CustomStringConvertible {
    /// The 26 characters.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}

/// The alphabet of ULIDs: digits and upper-case letters without I, L, O and U.
package enum CrockfordBase32 {
    /// The character of each value, 0 ... 31.
    package static let alphabet = StaticList(Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8))

    /// The value of each byte, and 32 or more where it is not of the alphabet. A table, since ids are the
    /// most of what is checked, and branches on their random characters cost more than all of the rest.
    package static let values = StaticList(
        (UInt8.min...UInt8.max).map { byte in alphabet.firstIndex(of: byte).map(UInt8.init) ?? 0xFF })
}

extension ULID {
    /// A number that few ids share: seeded, so that nobody can write ids that all share one.
    package func hash(_ seed: (UInt64, UInt64)) -> UInt64 {
        let high = time << 14 | randomHigh >> 26
        let low = randomHigh << 38 | randomLow
        let product = (high ^ seed.0).multipliedFullWidth(by: low ^ seed.1)
        return (product.high ^ product.low) &* 0x9E37_79B9_7F4A_7C15
    }
}
