internal import RecordFormat
internal import TraceCrypto
internal import TraceFiles

/// The ids of events as clients get them: each a number that only this process can read, and another text each time.
///
/// A client sees some sessions only. Were the ids numbers, or the same for the same event, they would tell how much happens in the others.
/// Those of another process are nobody's here.
struct EventIDs: Sendable {
    private let key = SymmetricKey(byteCount: 32)

    /// An id of a number.
    func id(of number: Int64) -> String {
        // Fails only without memory: an id that is nobody's when it comes back.
        hexadecimal((try? ChaChaPoly.seal(Self.bytes(UInt64(bitPattern: number)), using: key)) ?? [])
    }

    /// The number of an id; nil for one of another process, or what is not an id.
    func number(of id: String) -> Int64? {
        let digits = Array(id.utf8)
        guard digits.count == 72, digits.allSatisfy({ $0.isASCIIDigit || (0x61...0x66).contains($0) }) else {
            return nil
        }
        let sealed = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
        }
        guard let bytes = try? ChaChaPoly.open(sealed, using: key) else { return nil }
        return Int64(bitPattern: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
}
