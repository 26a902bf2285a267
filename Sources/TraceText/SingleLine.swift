/// Text of a user as it can be in one line of a digest: short, and without a character that breaks a line, moves a cursor or
/// turns the direction of what follows.
///
/// White space of any kind becomes one space and is cut off at both ends, control characters become their pictures
/// (`␛`), and invisible characters that no script needs are left out.
package struct SingleLine: Sendable, Hashable {
    /// The cleaned text; empty when nothing of it can be seen.
    package private(set) var text = ""

    /// Where a text that is too long is cut.
    package enum Cut {
        /// After any character.
        case anywhere
        /// After a word, if one ends in the second half.
        case atWord
    }

    /// - Parameter limit: How many characters at most, the ellipsis of a cut text among them.
    /// - Complexity: O(`limit`) in visible characters; what comes behind is not looked at.
    package init(_ source: String, limit: Int, cut: Cut = .anywhere) {
        var count = 0
        var spaceIsDue = false
        for character in source {
            let cleaned = Self.cleaned(character)
            if cleaned == " " {
                spaceIsDue = count > 0
                continue
            }
            if cleaned.isEmpty { continue }
            let needed = cleaned.count + (spaceIsDue ? 1 : 0)
            guard count + needed <= limit else {
                shorten(to: limit, cut)
                return
            }
            if spaceIsDue { text.append(" ") }
            text += cleaned
            count += needed
            spaceIsDue = false
        }
    }

    /// Whether nothing of `source` can be seen.
    package static func isBlank(_ source: String) -> Bool { SingleLine(source, limit: 1).text.isEmpty }

    private mutating func shorten(to limit: Int, _ cut: Cut) {
        var kept = text.prefix(max(0, limit - 1))
        let isMidWord = kept.endIndex < text.endIndex && text[kept.endIndex] != " "
        if cut == .atWord, isMidWord, let space = kept.lastIndex(of: " "),
            kept.distance(from: kept.startIndex, to: space) >= limit / 2
        {
            kept = kept[..<space]
        }
        while kept.last == " " { kept.removeLast() }
        text = kept + "…"
    }

    /// How many scalars of one character are kept; the longest emoji need about a dozen.
    private static let scalarLimit = 16

    private static func cleaned(_ character: Character) -> String {
        if character.isWhitespace { return " " }
        var cleaned = String.UnicodeScalarView()
        for scalar in character.unicodeScalars.prefix(scalarLimit) {
            if let picture = picture(of: scalar) {
                cleaned.append(picture)
            } else if !isInvisible(scalar) {
                cleaned.append(scalar)
            }
        }
        return String(cleaned)
    }

    private static func picture(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value)
        case 0x7F: "␡"
        case 0x80..<0xA0: "�"
        default: nil
        }
    }

    /// Controls of text direction, spaces without width and the like. The joiners of emoji and Persian stay.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xAD, 0x180E, 0x200B, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB: true
        default: scalar.isDirectionMark
        }
    }
}
