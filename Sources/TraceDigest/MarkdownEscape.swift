internal import TraceText

extension SingleLine {
    /// The text for the inside of a Markdown line, where it is shown as it is (``MarkdownText/escaped(_:)``).
    var markdown: String { MarkdownText.escaped(text) }
}

/// Text as it is in Markdown.
enum MarkdownText {
    /// The text for the inside of a Markdown line, where it is shown as it is.
    ///
    /// Only what Markdown would take for its own gets a backslash, so that the source stays readable: an underscore
    /// within a word and a lone ampersand mean nothing there.
    ///
    /// - Important: What begins a block (`- `, `1. `, `> `) is not escaped: put something before it on the line.
    static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        let scalars = text.unicodeScalars
        var previous: Unicode.Scalar?
        var index = scalars.startIndex
        while index < scalars.endIndex {
            let scalar = scalars[index]
            let nextIndex = scalars.index(after: index)
            let next = nextIndex < scalars.endIndex ? scalars[nextIndex] : nil
            if needsBackslash(scalar, after: previous, before: next) { escaped.append("\\") }
            escaped.append(scalar)
            previous = scalar
            index = nextIndex
        }
        return String(escaped)
    }

    private static func needsBackslash(
        _ scalar: Unicode.Scalar, after previous: Unicode.Scalar?, before next: Unicode.Scalar?
    ) -> Bool {
        switch scalar {
        case "\\", "`", "*", "[", "]", "<", ">", "|", "#", "~", "$": true
        case "_": !(isWordPart(previous) && isWordPart(next))
        case "&": next == "#" || isWordPart(next)
        default: false
        }
    }

    private static func isWordPart(_ scalar: Unicode.Scalar?) -> Bool {
        guard let scalar else { return false }
        return scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal
    }
}
