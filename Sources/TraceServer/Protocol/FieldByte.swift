/// The classes of bytes that the grammar of HTTP is made of.
extension UInt8 {
    /// Whether it can be in a token (`tchar`).
    ///
    /// Source: RFC 9110, section 5.6.2.
    var isTokenByte: Bool {
        switch self {
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
        default: isASCIIAlphanumeric
        }
    }

    /// A letter or a digit of ASCII.
    var isASCIIAlphanumeric: Bool { isDigit || (0x61...0x7A).contains(self | 0x20) }

    /// `0` to `9`.
    var isDigit: Bool { (0x30...0x39).contains(self) }

    /// A space or a tab: the white space that is optional in many places (`OWS`).
    ///
    /// Source: RFC 9110, section 5.6.3.
    var isFieldSpace: Bool { self == 0x20 || self == 0x09 }

    /// A control character other than the tab.
    ///
    /// Source: RFC 9110, section 5.5.
    var isForbiddenInFieldValue: Bool { (self < 0x20 && self != 0x09) || self == 0x7F }

    /// A letter of ASCII in lower case; any other byte as it is.
    var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

extension StringProtocol {
    /// The text with the letters of ASCII in lower case, and no other: `lowercased()` makes a `k` of the Kelvin sign.
    var asciiLowercased: String { String(decoding: utf8.lazy.map(\.asciiLowercased), as: UTF8.self) }
}
