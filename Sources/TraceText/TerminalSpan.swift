/// Text of one style.
package struct TerminalSpan: Sendable {
    package var text: String
    package let style: TerminalStyle

    package init(_ text: String, _ style: TerminalStyle) {
        self.text = text
        self.style = style
    }
}
