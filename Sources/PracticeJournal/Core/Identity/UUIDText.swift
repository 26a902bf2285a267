/// Ids as UUIDs write them. They stay as they are spelled, and are compared without regard to case.
///
/// Source: docs/spec/practice.md#records and docs/spec/practice.md#ids-of-the-older-form.
package enum UUIDText {
    /// Whether the text has 8-4-4-4-12 hexadecimal digits, in either case.
    package static func isUUID(_ text: some StringProtocol) -> Bool {
        let found = text.utf8.withContiguousStorageIfAvailable { value(of: UnsafeRawBufferPointer($0)) }
        if let found { return found != nil }
        return Array(text.utf8).withUnsafeBytes { value(of: $0) } != nil
    }

    /// The 128 bits of a UUID, by which many are compared.
    struct Value: Hashable {
        var high: UInt64 = 0
        var low: UInt64 = 0
    }

    /// The bits of the UUID that these ASCII bytes write, in either case; nil if they are not one.
    static func value(of text: UnsafeRawBufferPointer) -> Value? {
        guard text.count == length else { return nil }
        let hyphen = UInt8(ascii: "-")
        guard text[8] == hyphen, text[13] == hyphen, text[18] == hyphen, text[23] == hyphen else {
            return nil
        }
        func digits(_ offset: Int) -> UInt64 {
            UInt64(UInt32(bigEndian: text.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        }
        guard let first = number(digits(0) << 32 | digits(4)),
            let second = number(digits(9) << 32 | digits(14)),
            let third = number(digits(19) << 32 | digits(24)),
            let last = number(digits(28) << 32 | digits(32))
        else { return nil }
        return Value(high: first << 32 | second, low: third << 32 | last)
    }

    /// What eight hexadecimal digits write, the first one in the highest byte; nil if one is not a digit.
    ///
    /// All at once, as each record is asked for its id more than once: a byte that is not less than `n` has its highest bit set once
    /// `0x80 - n` is added to it.
    private static func number(_ digits: UInt64) -> UInt64? {
        let each: UInt64 = 0x0101_0101_0101_0101
        let highest = each * 0x80
        guard digits & highest == 0 else { return nil }
        let letters = digits | each * 0x20
        let isDigit = (digits + each * 0x50) & ~(digits + each * 0x46)
        let isLetter = (letters + each * 0x1F) & ~(letters + each * 0x19)
        guard (isDigit | isLetter) & highest == highest else { return nil }
        var number = (digits & (each * 0x0F)) + (digits >> 6 & each) * 9
        number = (number | number >> 4) & 0x00FF_00FF_00FF_00FF
        number = (number | number >> 8) & 0x0000_FFFF_0000_FFFF
        return (number | number >> 16) & 0xFFFF_FFFF
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
}
