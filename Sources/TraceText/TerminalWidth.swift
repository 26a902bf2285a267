extension Character {
    /// How many columns a terminal gives it: 2 for emoji and East Asian wide characters, else 1, 0 for a lone accent.
    var terminalWidth: Int {
        let scalars = unicodeScalars
        let isEmoji = scalars.contains { $0.properties.isEmojiPresentation || $0.value == 0xFE0F }
        return isEmoji ? 2 : scalars.reduce(0) { $0 + $1.terminalWidth }
    }
}

extension Unicode.Scalar {
    fileprivate var terminalWidth: Int {
        if value < 0x300 { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        switch value {
        // The vowels and finals of Hangul join the syllable that has begun.
        case 0x1160...0x11FF: return 0
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
            0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x17000...0x18CFF,
            0x1B000...0x1B2FF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
