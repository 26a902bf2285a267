internal import Crypto
internal import RecordFormat
internal import TraceFiles

/// The ids of events as clients get them: each a number that only this process can read, and another text each time.
///
/// A client sees some sessions only. Were the ids numbers, or the same for the same event, they would tell how much happens in the others.
/// Those of another process are nobody's here.
struct EventIDs: Sendable {
    private let key = (0..<32).map { _ in UInt8.random(in: 0...255) }

    /// An id of a number.
    func id(of number: Int64) -> String {
        let nonce = Self.bytes(UInt64.random(in: 0...UInt64.max))
        let sealed = zip(Self.bytes(UInt64(bitPattern: number)), hash(nonce)).map { $0 ^ $1 }
        return hexadecimal(nonce + sealed + hash(nonce + sealed))
    }

    /// The number of an id; nil for one of another process, or what is not an id.
    func number(of id: String) -> Int64? {
        let digits = Array(id.utf8)
        guard digits.count == 48, digits.allSatisfy({ $0.isASCIIDigit || (0x61...0x66).contains($0) }) else {
            return nil
        }
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
        }
        let (nonce, sealed) = (Array(bytes[..<8]), Array(bytes[8..<16]))
        guard Array(bytes[16...]) == hash(nonce + sealed) else { return nil }
        let number = zip(sealed, hash(nonce)).reduce(UInt64(0)) { $0 << 8 | UInt64($1.0 ^ $1.1) }
        return Int64(bitPattern: number)
    }

    /// Eight bytes that nobody can foretell without the key; texts of 8 and of 16 bytes are told apart by their length.
    private func hash(_ text: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: key + text).prefix(8)) }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
}
