internal import TraceText

/// A piece of HTML: literals are tags of our own, and whatever is put into them is text, which can't become a tag or leave
/// an attribute.
struct HTML: ExpressibleByStringInterpolation {
    private(set) var text: String

    init(stringLiteral literal: String) { text = literal }

    init(stringInterpolation interpolation: StringInterpolation) { text = interpolation.text }

    init(_ pieces: some Sequence<HTML>) { text = pieces.lazy.map(\.text).joined() }

    static func += (left: inout HTML, right: HTML) { left.text += right.text }

    /// Pieces with another one between each two.
    static func joined(_ pieces: [HTML], by separator: HTML) -> HTML {
        HTML(pieces.enumerated().flatMap { $0 == 0 ? [$1] : [separator, $1] })
    }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        mutating func appendLiteral(_ literal: String) { text += literal }
        mutating func appendInterpolation(_ html: HTML) { text += html.text }
        mutating func appendInterpolation(_ words: String) { text += HTML.escaped(words) }
        mutating func appendInterpolation(_ number: Int) { text += String(number) }

        /// What a user wrote, which may run from right to left and must not turn what stands around it.
        mutating func appendInterpolation(_ line: SingleLine) {
            text += "<bdi>\(HTML.escaped(line.text))</bdi>"
        }
    }

    /// A text as it is between tags and in attributes with quotes.
    static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;".unicodeScalars
            case "<": escaped += "&lt;".unicodeScalars
            case ">": escaped += "&gt;".unicodeScalars
            case "\"": escaped += "&quot;".unicodeScalars
            case "'": escaped += "&#39;".unicodeScalars
            // No character of HTML, which a browser would replace.
            case "\0": escaped.append("\u{FFFD}")
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
