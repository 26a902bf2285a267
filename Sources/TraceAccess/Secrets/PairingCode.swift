internal import TraceFiles
internal import TraceText

/// What a device shows to be given a token: 8 digits that a person types, or 32 that a QR code carries. Either is good for one
/// use, and for minutes.
package struct PairingCode: Sendable, HiddenValue {
    private let digits: SecretDigits

    private static let shortLength = 8
    private static let longLength = 32
    /// No notation of a code has more bytes, with dashes and spaces.
    private static let longestNotation = 100

    /// A code to be typed, of 40 random bits.
    static func short() -> PairingCode { PairingCode(digits: SecretDigits(count: shortLength)) }

    /// A code to be carried by a QR code, of 160 random bits.
    static func long() -> PairingCode { PairingCode(digits: SecretDigits(count: longLength)) }

    private init(digits: SecretDigits) { self.digits = digits }

    /// The code that these bytes write, in upper or lower case, with or without dashes and spaces; O is read as 0, I and L as 1.
    /// They may be anything.
    ///
    /// - Throws: ``AccessError`` with `.pairingCodeMalformed`, which does not repeat what was typed.
    package init(parsing typed: some Collection<UInt8>) throws(AccessError) {
        let bare = typed.prefix(Self.longestNotation + 1).filter {
            $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ")
        }
        guard typed.count <= Self.longestNotation, [Self.shortLength, Self.longLength].contains(bare.count),
            let digits = SecretDigits(bare)
        else {
            throw AccessError(
                .pairingCodeMalformed, "this is not a pairing code",
                cure: "type the 8 characters that \(verb: "pair") shows")
        }
        self.digits = digits
    }

    /// Whether it is one that a QR code carries.
    var isLong: Bool { digits.count == Self.longLength }

    /// The code as it is shown: `K7QF-2M9D`, or 32 digits in lower case.
    package var text: String {
        if isLong { return String(decoding: digits.lowerCase, as: UTF8.self) }
        let half = Self.shortLength / 2
        return String(
            decoding: digits.upperCase.prefix(half) + [UInt8(ascii: "-")] + digits.upperCase.suffix(half),
            as: UTF8.self)
    }

    /// The SHA-256 of the digits in upper case, in hexadecimal.
    ///
    /// Of a short code it hides little, since all can be tried; but those who may read it may add tokens anyway, and it is soon worthless.
    var sha256: String { secretHash(digits.upperCase) }
}
