internal import RecordFormat
internal import TraceCrypto
internal import TraceFiles

/// Random digits of Crockford's base 32, five bits each: what tokens and pairing codes are made of.
///
/// It shows nothing of itself where a value is printed, logged or dumped.
struct SecretDigits: Sendable {
    /// Each 0 ... 31.
    private let values: [UInt8]

    /// So many random digits, from the system's generator (getrandom(2)).
    init(count: Int) {
        var generator = SystemRandomNumberGenerator()
        values = (0..<count).map { _ in UInt8.random(in: 0..<32, using: &generator) }
    }

    /// Digits as they were typed, in upper or lower case; O is read as 0, I and L as 1.
    ///
    /// - Returns: Nil if there is anything else among them.
    init?(_ typed: some Sequence<UInt8>) {
        var values: [UInt8] = []
        for byte in typed {
            guard let value = Self.value(of: byte) else { return nil }
            values.append(value)
        }
        self.values = values
    }

    private static func value(of byte: UInt8) -> UInt8? {
        let upper = (0x61...0x7A).contains(byte) ? byte - 0x20 : byte
        switch upper {
        case UInt8(ascii: "O"): return 0
        case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
        default:
            let value = CrockfordBase32.values[Int(upper)]
            return value < 32 ? value : nil
        }
    }

    var count: Int { values.count }

    /// The digits in upper case: of all notations, the one that is hashed.
    var upperCase: [UInt8] { values.map { CrockfordBase32.alphabet[Int($0)] } }

    /// The digits in lower case.
    var lowerCase: [UInt8] { upperCase.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 } }

    /// So many digits that follow from these, to detect typing errors: the first bits of their SHA-256.
    func checksum(count: Int) -> SecretDigits {
        var bits: UInt64 = 0
        for byte in SHA256.hash(data: lowerCase).prefix(8) { bits = bits << 8 | UInt64(byte) }
        return SecretDigits(values: (0..<min(count, 12)).map { UInt8(bits >> (59 - 5 * $0) & 31) })
    }

    private init(values: [UInt8]) { self.values = values }

    /// Whether both are the same digits.
    func isEqual(to other: SecretDigits) -> Bool { values == other.values }
}

/// A value that is never shown where it is printed, logged or dumped by accident.
protocol HiddenValue: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension HiddenValue {
    /// The name of its type alone.
    package var description: String { "\(Self.self)(hidden)" }
    /// As ``description``.
    package var debugDescription: String { description }
    /// Nothing of it.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension SecretDigits: HiddenValue {}

/// The SHA-256 of a secret as 64 lower-case hexadecimal digits.
///
/// A slow hash protects secrets that can be guessed; these are random, with 160 bits.
func secretHash(_ text: [UInt8]) -> String { hexadecimal(SHA256.hash(data: text)) }
