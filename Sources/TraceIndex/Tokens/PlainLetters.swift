/// The plain letters by which letters are found that are not plain ones with an accent: `ø` by `o`, `ß` by `ss`, `þ` by `th`.
///
/// SQLite's `unicode61` takes accents off where Unicode writes a letter as a plain one and a mark. These are letters of their own to
/// Unicode: with a stroke or a hook, two in one, or of an alphabet that has more. People without their keys type the plain ones.
///
/// Source: the Unicode Common Locale Data Repository, transform `Latin-ASCII`, its small letters; three that `unicode61` of SQLite
/// 3.40 leaves their accent on (`ǣ`, `ǽ`, `ǿ`).
enum PlainLetters {
    /// Counts the changes of the table; the version of the index's schema names it.
    static let version: Int64 = 1

    /// The plain letters for a character in lower case; nil for all others. They have no more bytes than it.
    static func plain(_ scalar: Unicode.Scalar) -> StaticString? {
        switch scalar.value {
        case 0x2C65: "a"
        case 0x00E6, 0x01E3, 0x01FD: "ae"
        case 0x0180, 0x0183, 0x0253: "b"
        case 0x0188, 0x023C: "c"
        case 0x00F0, 0x0111, 0x018C, 0x0221, 0x0256, 0x0257, 0x1E9F: "d"
        case 0x01C6, 0x01F3: "dz"
        case 0x0247, 0x0259, 0x025B: "e"
        case 0x0192: "f"
        case 0xFB00: "ff"
        case 0xFB03: "ffi"
        case 0xFB04: "ffl"
        case 0xFB01: "fi"
        case 0xFB02: "fl"
        case 0x01E5, 0x0260: "g"
        case 0x0127, 0x0266, 0x2C68: "h"
        case 0x0195: "hv"
        case 0x0131, 0x0268, 0x0269: "i"
        case 0x0133: "ij"
        case 0x0237, 0x0249: "j"
        case 0x0138, 0x0199, 0x2C6A: "k"
        case 0x0140, 0x0142, 0x019A, 0x0234, 0x026B, 0x2C61: "l"
        case 0x01C9: "lj"
        case 0x1EFB: "ll"
        case 0x0271: "m"
        case 0x0149, 0x014B, 0x019E, 0x0235, 0x0272: "n"
        case 0x01CC: "nj"
        case 0x00F8, 0x01FF, 0x0254, 0x0275: "o"
        case 0x0153: "oe"
        case 0x01A3: "oi"
        case 0x01A5, 0x1D7D: "p"
        case 0x024B: "q"
        case 0x024D, 0x027D: "r"
        case 0x017F, 0x023F, 0x1E9C, 0x1E9D: "s"
        case 0x00DF, 0x1E9E: "ss"
        case 0xFB05, 0xFB06: "st"
        case 0x0167, 0x01AB, 0x01AD, 0x0236, 0x0288, 0x2C66: "t"
        case 0x00FE: "th"
        case 0x0289: "u"
        case 0x028B, 0x1EFD: "v"
        case 0x01B4, 0x024F, 0x1EFF: "y"
        case 0x01B6, 0x0225, 0x0240, 0x2C6C: "z"
        default: nil
        }
    }

    /// A token of `unicode61` in plain letters, in the memory that is given.
    ///
    /// - Parameter memory: At least as long as the token.
    /// - Returns: How much of the memory it takes; nil if it has none of these letters.
    static func fold(_ token: UnsafeRawBufferPointer, into memory: UnsafeMutableBufferPointer<CChar>) -> Int?
    {
        var size = 0
        var isFolded = false
        func append(_ bytes: UnsafeRawBufferPointer) {
            for byte in bytes {
                memory[size] = CChar(bitPattern: byte)
                size += 1
            }
        }
        var position = 0
        while position < token.count {
            guard let (scalar, length) = UnspacedText.scalar(in: token, at: position) else { return nil }
            let end = position + length
            if length > 1, let plain = plain(scalar) {
                // Sound: a literal of ASCII is in memory, for ever.
                append(UnsafeRawBufferPointer(start: plain.utf8Start, count: plain.utf8CodeUnitCount))
                isFolded = true
            } else {
                append(UnsafeRawBufferPointer(rebasing: token[position..<end]))
            }
            position = end
        }
        return isFolded ? size : nil
    }
}
