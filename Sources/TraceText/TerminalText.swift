/// How a piece of text looks on a terminal.
package enum TerminalStyle: String {
    case plain = ""
    case bold = "1"
    case faint = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case magenta = "35"
    case cyan = "36"
}

/// Text that may go to a terminal: the only escape sequences in it are styles of our own, since whatever is put into it is
/// made visible first.
public struct TerminalText: Sendable, Equatable {
    /// What is written.
    public private(set) var text: String

    /// - Parameter words: May hold anything.
    package init(_ words: String = "", _ style: TerminalStyle = .plain) {
        let words = VisibleText.escaped(words)
        text = style == .plain ? words : "\u{1B}[\(style.rawValue)m\(words)\u{1B}[0m"
    }

    package static func += (left: inout TerminalText, right: TerminalText) { left.text += right.text }
}
