/// `%41` for `A`.
///
/// Source: RFC 3986, section 2.1.
package enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Decodes once: decoded bytes are never taken for an escape.
    ///
    /// - Returns: nil if a `%` is not followed by two hexadecimal digits.
    package static func decoded(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var input = text.makeIterator()
        while let byte = input.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = input.next().flatMap(value), let low = input.next().flatMap(value) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// The value of a hexadecimal digit.
    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x37
        case 0x61...0x66: digit - 0x57
        default: nil
        }
    }

    /// Bytes with an escape for all but letters, digits and `-._~`, for any part of an address and any field.
    ///
    /// Source: RFC 3986, section 2.3.
    package static func encoded(_ bytes: some Sequence<UInt8>) -> String {
        encoded(bytes) { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "-._~".utf8.contains(byte)
            }
        }
    }

    /// Bytes with an escape for all but those of a condition.
    static func encoded(_ bytes: some Sequence<UInt8>, except isPlain: (UInt8) -> Bool) -> String {
        var text: [UInt8] = []
        for byte in bytes {
            if isPlain(byte) {
                text.append(byte)
            } else {
                text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
