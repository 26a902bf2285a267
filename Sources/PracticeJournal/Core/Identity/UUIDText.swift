/// Ids as UUIDs write them. They stay as they are spelled, and are compared without regard to case.
///
/// Source: practice.md, sections 2 and 4.
package enum UUIDText {
    /// Whether the text has 8-4-4-4-12 hexadecimal digits, in either case.
    package static func isUUID(_ text: some StringProtocol) -> Bool {
        var position = 0
        for byte in text.utf8 {
            switch position {
            case 8, 13, 18, 23: if byte != UInt8(ascii: "-") { return false }
            default: if !isHexadecimal(byte) { return false }
            }
            position += 1
            if position > length { return false }
        }
        return position == length
    }

    /// The 128 bits of a UUID, by which many are compared.
    struct Value: Hashable {
        var high: UInt64 = 0
        var low: UInt64 = 0
    }

    /// The bits of the UUID that these ASCII bytes write, in either case; nil if they are not one.
    static func value(of text: UnsafeRawBufferPointer) -> Value? {
        guard text.count == length else { return nil }
        var value = Value()
        for (position, byte) in text.enumerated() {
            switch position {
            case 8, 13, 18, 23: if byte != UInt8(ascii: "-") { return nil }
            default:
                guard isHexadecimal(byte) else { return nil }
                let digit = UInt64(byte < UInt8(ascii: "A") ? byte & 0x0F : (byte & 0x0F) + 9)
                if position < 18 {
                    value.high = value.high << 4 | digit
                } else {
                    value.low = value.low << 4 | digit
                }
            }
        }
        return value
    }

    /// By what two ids are compared: a UUID in lower case, any other text as it is.
    package static func key(_ id: String) -> String { isUUID(id) ? id.lowercased() : id }

    /// The UUID of the first 16 bytes, with that version and the variant of RFC 9562, in lower case.
    static func text(of bytes: some Sequence<UInt8>, version: UInt8) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(length)
        for (index, byte) in bytes.prefix(16).enumerated() {
            var byte = byte
            if index == 6 { byte = byte & 0x0F | version << 4 }
            if index == 8 { byte = byte & 0x3F | 0x80 }
            if index == 4 || index == 6 || index == 8 || index == 10 { text.append(UInt8(ascii: "-")) }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 0x0F)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static let length = 36
    private static let digits = Array("0123456789abcdef".utf8)

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
