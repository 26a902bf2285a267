extension String {
    /// The text in canonical decomposition, without the diacritics: what has a combining class.
    package var withoutDiacritics: String {
        guard utf8.contains(where: { $0 >= 0x80 }) else { return self }
        var plain = String.UnicodeScalarView()
        for scalar in unicodeScalars { Diacritics.appendPlain(scalar, to: &plain) }
        return String(plain)
    }
}

private enum Diacritics {
    static func appendPlain(_ scalar: Unicode.Scalar, to text: inout String.UnicodeScalarView) {
        if scalar.isASCII { return text.append(scalar) }
        guard scalar.properties.canonicalCombiningClass == .notReordered else { return }
        if let bases = bases[scalar] {
            text.append(contentsOf: bases)
        } else if syllables.contains(scalar.value) {
            text.append(contentsOf: jamo(of: scalar.value - syllables.lowerBound))
        } else {
            text.append(scalar)
        }
    }

    /// What is left of the characters that decompose.
    private static let bases: [Unicode.Scalar: [Unicode.Scalar]] = {
        var bases: [Unicode.Scalar: [Unicode.Scalar]] = [:]
        for group in DecompositionTable.composed.unicodeScalars.split(separator: " ") {
            let sides = group.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard let base = sides.first, let composed = sides.last else { continue }
            for scalar in composed { bases[scalar] = Array(base) }
        }
        let ideographs: [(UInt32, String)] = [
            (0xF900, DecompositionTable.ideographs), (0x2F800, DecompositionTable.supplementaryIdeographs),
        ]
        for (start, text) in ideographs {
            for (scalar, value) in zip(text.unicodeScalars, start...) {
                if let ideograph = Unicode.Scalar(value) { bases[ideograph] = [scalar] }
            }
        }
        return bases
    }()

    // MARK: - Hangul

    private static let syllables: ClosedRange<UInt32> = 0xAC00...0xD7A3
    private static let vowels: UInt32 = 21
    /// With none.
    private static let finals: UInt32 = 28

    /// The two or three letters of a syllable. Source: The Unicode Standard, section 3.12.
    private static func jamo(of syllable: UInt32) -> [Unicode.Scalar] {
        let final = syllable % finals
        let letters = [
            0x1100 + syllable / (vowels * finals), 0x1161 + syllable % (vowels * finals) / finals,
            0x11A7 + final,
        ]
        return letters.prefix(final == 0 ? 2 : 3).compactMap { Unicode.Scalar($0) }
    }
}
