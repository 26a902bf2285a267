/// Text in scripts that write no spaces between words (Chinese, Japanese, Thai, Lao, Khmer, Burmese), or that add endings to
/// words without one (Korean): which characters belong to it, and the units that a search compares.
enum UnspacedText {
    /// A unit of a run: a character as it is compared, and where it is in the text.
    struct Unit: Equatable {
        var scalar: Unicode.Scalar
        var range: Range<Int>
    }

    /// All such scripts lie from here on: whatever has no byte of at least this value holds none of them.
    static let firstLead: UInt8 = 0xE0

    /// The unit that begins at a place in UTF-8, or nil if something else is there.
    ///
    /// Conjoining letters of Hangul and the voicing marks of Kana are put together, so that text compares equal whether it is
    /// composed or not. What can't be seen (variation selectors, joiners, breaks without width) belongs to the unit before it.
    static func unit(in text: UnsafeRawBufferPointer, at start: Int) -> Unit? {
        guard let (first, length) = scalar(in: text, at: start), contains(first) else { return nil }
        var unit = Unit(scalar: first, range: start..<start + length)
        while let (next, length) = scalar(in: text, at: unit.range.upperBound) {
            if let composed = composition(unit.scalar, next) {
                unit.scalar = composed
            } else if !isInvisible(next) {
                break
            }
            unit.range = start..<unit.range.upperBound + length
        }
        return unit
    }

    /// Two units, one after the other.
    struct Pair: Hashable {
        var first, second: Unicode.Scalar
    }

    /// The runs of a text, each of as many units as follow each other.
    static func runs(of text: String) -> [[Unit]] {
        var text = text
        return text.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            var runs: [[Unit]] = []
            var position = 0
            while position < bytes.count {
                guard bytes[position] >= firstLead, let unit = unit(in: bytes, at: position) else {
                    position += 1
                    continue
                }
                if runs.last?.last?.range.upperBound == position {
                    runs[runs.count - 1].append(unit)
                } else {
                    runs.append([unit])
                }
                position = unit.range.upperBound
            }
            return runs
        }
    }

    /// The run that ends a text; empty if it ends otherwise.
    static func finalRun(of text: String) -> [Unit] {
        guard let run = runs(of: text).last, run.last?.range.upperBound == text.utf8.count else { return [] }
        return run
    }

    // MARK: - Characters

    private static func contains(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0E00...0x0EFF,  // Thai, Lao
            0x1000...0x109F, 0xA9E0...0xA9FF, 0xAA60...0xAA7F,  // Burmese
            0x1780...0x17FF,  // Khmer
            0x1100...0x11FF, 0xA960...0xA97F, 0xAC00...0xD7FF,  // Hangul
            0x3005...0x30FF, 0x31F0...0x31FF, 0x1AFF0...0x1B16F,  // signs of repetition, Kana
            0x3100...0x31BF,  // Bopomofo, Hangul letters
            0x2E80...0x2FDF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFD,  // Han
            0xFF66...0xFFDC:  // narrow Kana and Hangul
            !WordTable.isSeparator(scalar)
        default: false
        }
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200B...0x200D, 0x2060, 0xFE00...0xFE0F, 0xE0100...0xE01EF: true
        default: false
        }
    }

    /// What two characters are as one, or nil if they stay two.
    ///
    /// Source: Unicode Standard, section 3.12, "Conjoining Jamo Behavior"; the Kana by their place in their block, where a
    /// voiced letter follows the plain one.
    private static func composition(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
        let (one, two) = (first.value, second.value)
        switch (one, two) {
        case (0x1100...0x1112, 0x1161...0x1175):
            return Unicode.Scalar(0xAC00 + ((one - 0x1100) * 21 + two - 0x1161) * 28)
        case (0xAC00...0xD7A3, 0x11A8...0x11C2) where (one - 0xAC00) % 28 == 0:
            return Unicode.Scalar(one + two - 0x11A7)
        case (0x3041...0x30FF, 0x3099): return voiced(one).flatMap(Unicode.Scalar.init)
        case (0x3041...0x30FF, 0x309A):
            // The row of ha, of three letters each.
            let letter = one >= 0x30A1 ? one - 0x60 : one
            return (0x306F...0x307B).contains(letter) && letter % 3 == 0 ? Unicode.Scalar(one + 2) : nil
        default: return nil
        }
    }

    private static func voiced(_ kana: UInt32) -> UInt32? {
        let isKatakana = kana >= 0x30A1
        switch isKatakana ? kana - 0x60 : kana {
        case 0x3046: return kana + 0x4E
        case 0x304B...0x3062 where kana % 2 == 1, 0x3064...0x3068 where kana % 2 == 0: return kana + 1
        case 0x306F...0x307B where kana % 3 == 0: return kana + 1
        case 0x308F...0x3092 where isKatakana: return kana + 8
        case 0x309D: return kana + 1
        default: return nil
        }
    }

    /// The character that begins at a place, and how many bytes it has; nil at the end and where it is not UTF-8.
    static func scalar(
        in text: UnsafeRawBufferPointer, at start: Int
    ) -> (Unicode.Scalar, length: Int)? {
        guard start < text.count else { return nil }
        let lead = text[start]
        guard lead >= 0x80 else { return (Unicode.Scalar(lead), 1) }
        let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
        guard lead >= 0xC2, start + length <= text.count else { return nil }
        var value = UInt32(lead) & (0x7F >> UInt32(length))
        for byte in text[start + 1..<start + length] {
            guard byte & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        return Unicode.Scalar(value).map { ($0, length) }
    }
}
