/// Bytes as text that needs no escape in an address, without padding.
///
/// Source: RFC 4648, section 5.
enum Base64URL {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The text of these bytes: four characters for each three.
    static func text(of bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var bits: UInt32 = 0
        var count = 0
        for byte in bytes {
            bits = (bits & 0xFFFF) << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(alphabet[Int(bits >> UInt32(count) & 0x3F)])
            }
        }
        if count > 0 { text.append(alphabet[Int(bits << UInt32(6 - count) & 0x3F)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a text; nil if ``text(of:)`` does not produce it.
    static func bytes(of text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for character in text.utf8 {
            guard let value = value(of: character) else { return nil }
            bits = (bits & 0xFFFF) << 6 | value
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        // Of a last character that is alone, six bits are left over.
        guard count < 6, bits & ((1 << UInt32(count)) - 1) == 0 else { return nil }
        return bytes
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case 0x41...0x5A: UInt32(character) - 0x41
        case 0x61...0x7A: UInt32(character) - 0x61 + 26
        case 0x30...0x39: UInt32(character) - 0x30 + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
