/// XML that is being written. Whatever a text holds, it stays text, and the document well-formed.
///
/// Source: "Extensible Markup Language (XML) 1.0", sections 2.2 and 2.4.
struct XMLText {
    private(set) var bytes: [UInt8] = []

    /// Adds markup of the program's own.
    mutating func raw(_ markup: StaticString) {
        markup.withUTF8Buffer { bytes += $0 }
    }

    /// Adds an element with text, or without anything in it.
    ///
    /// - Parameter attributes: Names of the program's own, and values.
    mutating func element(_ name: StaticString, _ text: String?, _ attributes: [(StaticString, String)] = [])
    {
        raw("<")
        raw(name)
        for (name, value) in attributes {
            raw(" ")
            raw(name)
            raw("=\"")
            append(value)
            raw("\"")
        }
        guard let text else { return raw("/>\n") }
        raw(">")
        append(text)
        raw("</")
        raw(name)
        raw(">\n")
    }

    /// Characters that XML can't hold at all are left out.
    private mutating func append(_ text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": raw("&amp;")
            case "<": raw("&lt;")
            case ">": raw("&gt;")
            case "\"": raw("&quot;")
            case "\r": raw("&#13;")
            case "\t", "\n", "\u{20}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}":
                bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            default: break
            }
        }
    }
}
