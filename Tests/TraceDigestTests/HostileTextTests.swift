import FormatHarness
import RecordFormat
import Testing
import TraceFormat

@testable import TraceDigest
@testable import TraceText

@Suite struct `Hostile text in a digest` {
    static let texts = [
        "a\nb", "a\r\n# b", "a\tb", "```", "`code", "a|b|c", "<script>alert(1)</script>", "# heading",
        "**bold*",
        "[x](http://e.vil)", "![x](y)", "~~no~~", "\\", "\\*", "&amp;", "_a_", "- [ ] todo", "1. one",
        "> quote", "---",
        "a #", "👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿", "שלום עולם", "\u{202E}reversed", "\u{1B}[31mred\u{1B}[0m", "\u{9B}31m", "\u{0}", "\u{7}",
        "\u{1B}]0;title\u{7}", "\u{2028}line", String(repeating: "x", count: 10000),
        "e" + String(repeating: "\u{301}", count: 10000), String(repeating: "漢", count: 300), "   ", "",
        "<!-- trace:end digest -->",
    ]

    static func digest(_ text: String) throws -> Digest {
        let tagged = RecordSample.marker(
            1, at: 1000, text, note: text, tags: [text, "highlight"], voiceNote: 1)
        let fix = RecordSample.marker(2, at: 2000, text, note: text, tags: ["fix-review", text])
        let place = Finding.Place(file: text, line: 1)
        let finding = try Finding(#require(Rule.named("tag-malformed")), at: place, text)
        return Digest(
            session: RecordSample.session(title: text), markers: [tagged, fix],
            voiceNotes: [RecordSample.voiceNote(1, at: 1000, text)],
            actions: [RecordSample.action(1, text, .failed, error: text)], findings: [finding])
    }

    @Test(arguments: texts)
    func `Markdown keeps its lines`(_ text: String) throws {
        let lines = try Self.digest(text).markdown().split(separator: "\n", omittingEmptySubsequences: false)
        let starts = [
            "# ", "2026-", "", "Markers 2", "", "```text", "", "", "0:00", "```", "", "## Notable moments",
            "- **0:01** ",
            "", "## To fix", "- [ ] **0:02** ", "", "## Voice notes", "- **0:01** ", "", "## Actions",
            "- **failed** ",
            "", "## Problems: 1 error", "- **error** ", "",
        ]
        try #require(lines.count == starts.count)
        for (line, start) in zip(lines, starts) { #expect(line.hasPrefix(start)) }
        // Labels are whole: only the two moments may be long.
        #expect(lines.enumerated().allSatisfy { [12, 15].contains($0) || $1.count < 600 })
    }

    @Test(arguments: texts, [20, 33, 80])
    func `a terminal gets no control characters and no wide lines`(_ text: String, _ columns: Int) throws {
        let page = try Self.digest(text).terminal(columns: columns, styled: false).text
        for scalar in page.unicodeScalars where scalar != "\n" {
            #expect(scalar.properties.generalCategory != .control)
        }
        for line in page.split(separator: "\n") {
            #expect(line.reduce(0) { $0 + $1.terminalWidth } <= columns, "\(line)")
        }
    }

    @Test(arguments: texts)
    func `styles are the only difference, and are our own`(_ text: String) throws {
        let digest = try Self.digest(text)
        let styled = digest.terminal(columns: 60, styled: true).text
        #expect(
            styled.replacing(/\u{1B}\[(?:[12]|3[1-6]|0)m/, with: "")
                == digest.terminal(columns: 60, styled: false).text)
    }

    @Test(arguments: texts)
    func `the JSON stays JSON and holds the text whole`(_ text: String) throws {
        let json = try Self.digest(text).json()
        let label = try JSONParser().withParsed(json.bytes) { root in
            root[name: "notable_moments"].flatMap { Array($0.elements).first }?[name: "label"]?.string
        }
        #expect(label == text)
    }

    @Test(arguments: [
        ("a*b", "a\\*b"), ("snake_case", "snake_case"), ("_a_", "\\_a\\_"), ("R&B", "R\\&B"),
        ("a & b", "a & b"),
        ("<b>", "\\<b\\>"), ("C#", "C\\#"), ("a|b", "a\\|b"), ("`", "\\`"), ("\\", "\\\\"),
        ("Müller – 3/4", "Müller – 3/4"),
    ])
    func `only what Markdown would take is escaped`(_ text: String, _ escaped: String) {
        #expect(SingleLine(text, limit: 80).markdown == escaped)
    }

    @Test(arguments: [
        (" a \n\t b ", "a b"), ("\u{1B}[1m", "␛[1m"), ("\u{7F}\u{85}\u{9B}", "␡ �"),
        ("\u{202E}abc\u{202C}", "abc"),
        ("\u{200B}", ""), ("a\u{0}b", "a␀b"), ("🏳️‍🌈", "🏳️‍🌈"), ("می‌خواهم", "می‌خواهم"),
    ])
    func `text becomes one visible line`(_ text: String, _ cleaned: String) {
        #expect(SingleLine(text, limit: 80).text == cleaned)
    }

    @Test func `cuts are between characters and leave an ellipsis`() {
        #expect(SingleLine("abcdef", limit: 6).text == "abcdef")
        #expect(SingleLine("abcdefg", limit: 6).text == "abcde…")
        #expect(SingleLine(String(repeating: "👩‍👩‍👧‍👦", count: 9), limit: 4).text == "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦…")
        #expect(SingleLine("one two three", limit: 10, cut: .atWord).text == "one two…")
        #expect(SingleLine("one two three", limit: 10).text == "one two t…")
        #expect(SingleLine("one two     ", limit: 7).text == "one two")
        #expect(SingleLine("a bcdefghijklm", limit: 10, cut: .atWord).text == "a bcdefgh…")
        #expect(
            SingleLine(String(repeating: "again and ", count: 40), limit: 140, cut: .atWord).text.count <= 140
        )
    }
}
