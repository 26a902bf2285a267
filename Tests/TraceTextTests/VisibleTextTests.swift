import Testing

@testable import TraceText

@Suite struct `Visible text` {
    @Test(arguments: [
        ("plain\n\ttext\r\n", "plain\n\ttext\r\n"), ("\u{1B}[31m", "\\u{1B}[31m"), ("a\rb", "a\\u{D}b"),
        ("\u{0}\u{7F}\u{80}\u{9B}\u{9F}\u{A0}", "\\u{0}\\u{7F}\\u{80}\\u{9B}\\u{9F}\u{A0}"),
        ("\u{61C}\u{61D}", "\\u{61C}\u{61D}"),
        ("\u{200D}\u{200E}\u{200F}\u{2010}", "\u{200D}\\u{200E}\\u{200F}\u{2010}"),
        (
            "\u{2027}\u{2028}\u{2029}\u{202A}\u{202E}\u{202F}",
            "\u{2027}\\u{2028}\\u{2029}\\u{202A}\\u{202E}\u{202F}"
        ),
        ("\u{2065}\u{2066}\u{2069}\u{206A}", "\u{2065}\\u{2066}\\u{2069}\u{206A}"), ("👩‍👩‍👧‍👦 שלום", "👩‍👩‍👧‍👦 שלום"),
        ("", ""),
    ])
    func `what would be obeyed is spelled out, the rest stays`(_ text: String, _ visible: String) {
        #expect(VisibleText.escaped(text) == visible)
        #expect(VisibleText.isVisible(text) == (text == visible))
        #expect(VisibleText.escaped(VisibleText.escaped(text)) == visible)
    }

    @Test(arguments: [
        ([0x61, 0x9B, 0x62], "a\\x9Bb"), ([0xC3], "\\xC3"), ([0xE2, 0x80], "\\xE2\\x80"),
        ([0xC0, 0xAF], "\\xC0\\xAF"),
        ([0xED, 0xA0, 0x80], "\\xED\\xA0\\x80"), ([0xF4, 0x90, 0x80, 0x80], "\\xF4\\x90\\x80\\x80"),
        ([0xFF, 0x1B], "\\xFF\\u{1B}"),
    ])
    func `bytes that are not UTF-8 are spelled out`(_ bytes: [UInt8], _ visible: String) {
        #expect(VisibleText.escaped(bytes) == Array(visible.utf8))
    }

    /// Against the properties that Unicode's own tables give.
    @Test func `exactly controls, separators and marks of direction are obeyed`() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isTerminalControl =
                switch scalar.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator: true
                default: scalar.properties.isBidiControl
                }
            guard scalar.isTerminalControl != isTerminalControl else { continue }
            Issue.record("U+\(String(value, radix: 16))")
        }
    }

    @Test(arguments: [
        ("a\nb\tc\u{1B}d", "a b c d"), ("0:00 \u{202E}abc\u{202C}", "0:00 abc"), ("\u{2066}\u{200F}", ""),
        ("a\u{2028}b", "a b"),
        ("שלום é", "שלום é"),
    ])
    func `a column holds one line`(_ text: String, _ line: String) {
        #expect(text.oneLine == line)
    }

    @Test func `a line that is spelled out stays one`() {
        #expect("a\n  hint: b\u{1B}".visibleLine == "a\\u{A}  hint: b\\u{1B}")
    }

    @Test func `only styles of our own are escape sequences`() {
        var text = TerminalText("a\u{1B}[1m")
        text += TerminalText("b\u{1B}[0m\u{1B}]0;x\u{7}", .red)
        #expect(text.text == "a\\u{1B}[1m\u{1B}[31mb\\u{1B}[0m\\u{1B}]0;x\\u{7}\u{1B}[0m")
    }
}
