/// Well-formed sequences of UTF-8 bytes (RFC 3629, section 4).
package enum UTF8Sequence {
    /// The length of the sequence of two to four bytes that starts there, or nil when there is none.
    package static func length(in text: UnsafeRawBufferPointer, at start: Int) -> Int? {
        let lead = text[start]
        let (length, second): (Int, ClosedRange<UInt8>)
        switch lead {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return nil
        }
        guard start + length <= text.count, second.contains(text[start + 1]) else { return nil }
        for index in (start + 2)..<max(start + length, start + 2) where text[index] & 0xC0 != 0x80 {
            return nil
        }
        return length
    }
}
