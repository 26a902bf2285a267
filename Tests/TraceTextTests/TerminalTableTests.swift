import TestSupport
import Testing

@testable import TraceText

/// Rows of columns, whatever stands in them.
@Suite struct TerminalTableTests {
    private static let columns: [TerminalTable.Column] = [
        .number("TIME"), .text("LABEL", least: 8), .text("NOTE", least: 8, rank: 4), .whole("ID", rank: 8),
    ]

    private static func row(_ time: String, _ label: String, _ note: String = "", _ id: String = "ABCDEF")
        -> [TerminalCell]
    {
        [TerminalCell(time), TerminalCell(label), TerminalCell(note, cut: .afterWord), TerminalCell(id)]
    }

    private static func lines(
        _ rows: [[TerminalCell]], columns: Int, isWhole: Bool = true, styled: Bool = false
    ) -> [String] {
        let table = TerminalTable(
            Self.columns, sample: rows, isWhole: isWhole, columns: columns, styled: styled)
        return ([table.header] + rows.map(table.line)).map(\.text)
    }

    @Test func `columns are as wide as they need to be, numbers end below each other`() {
        #expect(
            Self.lines([Self.row("0:14.8", "Drop", "louder"), Self.row("12:00.0", "Café 練習")], columns: 80)
                == [
                    "   TIME  LABEL      NOTE    ID", " 0:14.8  Drop       louder  ABCDEF",
                    "12:00.0  Café 練習          ABCDEF",
                ])
    }

    @Test func `where there is no room texts are cut, words at their end`() {
        let rows = [Self.row("0:14.8", "A very long label indeed", "and a note of many words")]
        #expect(
            Self.lines(rows, columns: 44)
                == [
                    "  TIME  LABEL          NOTE           ID",
                    "0:14.8  A very long …  and a note…    ABCDEF",
                ])
    }

    @Test func `where there is none at all, columns are left out`() {
        let rows = [Self.row("0:14.8", "A very long label indeed", "and a note of many words")]
        #expect(Self.lines(rows, columns: 30)[0] == "  TIME  LABEL           ID")
        #expect(Self.lines(rows, columns: 20)[0] == "  TIME  LABEL")
        #expect(Self.lines(rows, columns: 1)[0] == "TIME  LABEL")
    }

    @Test func `a column without contents is left out where all rows are known`() {
        let rows = [Self.row("0:14.8", "Drop")]
        #expect(Self.lines(rows, columns: 80)[0] == "  TIME  LABEL  ID")
        #expect(Self.lines(rows, columns: 80, isWhole: false)[0] == "  TIME  LABEL     NOTE      ID")
    }

    @Test func `the first text of a style stays in sight`() {
        let words = TerminalCell(
            [
                TerminalSpan("a lot of words come before the ", .plain), TerminalSpan("hit", .bold),
                TerminalSpan(" and some after it", .plain),
            ], cut: .aroundStyle)
        let (spans, width) = words.fitted(to: 16)
        #expect(spans.map(\.text).joined() == "… the hit and s…")
        #expect(spans.map(\.style).contains(.bold) && width <= 16)
        #expect(words.fitted(to: 200).spans.map(\.text).joined().hasPrefix("a lot of"))
    }

    @Test func `styles are ours, and only where they are wanted`() {
        let rows = [
            [TerminalCell("1"), TerminalCell("\u{1B}[31mEVIL", .red), TerminalCell(), TerminalCell()]
        ]
        #expect(Self.lines(rows, columns: 80, styled: true)[1] == "   1  \u{1B}[31m␛[31mEVIL\u{1B}[0m")
        #expect(Self.lines(rows, columns: 80)[1] == "   1  ␛[31mEVIL")
    }

    /// Random texts of all widths, in terminals of all widths.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func `no line is wider than the terminal, and ids stand below each other`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let pieces = [
            "a", "word ", "練", "한", "é", "e\u{301}", "👩‍👩‍👧‍👦", "🇩🇪", "\t", "\n", "\u{1B}[31m", "\u{202E}", "\u{7}",
            "ก้",
            "\u{2028}", "ﷺ", "\u{200B}", String(repeating: "\u{301}", count: 40), "\u{0}", "  ",
        ]
        func text(_ most: Int) -> String {
            (0..<Int.random(in: 0...most, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }
            .joined()
        }
        let width = Int.random(in: 26...160, using: &random)
        let isWhole = Bool.random(using: &random)
        let rows = (0..<20).map { _ in Self.row("0:14.8", text(60), text(200)) }
        let table = TerminalTable(
            Self.columns, sample: isWhole ? rows : Array(rows.prefix(3)), isWhole: isWhole, columns: width,
            styled: false)
        var ends: Set<Int> = []
        for line in [table.header] + rows.map(table.line) {
            let columns = line.text.reduce(0) { $0 + $1.terminalWidth }
            #expect(columns <= width, "seed \(seed), \(width) columns: \(line.text.debugDescription)")
            #expect(!line.text.contains { $0.isNewline } && VisibleText.isVisible(line.text))
            if line.text.hasSuffix("ABCDEF") { ends.insert(columns) }
        }
        #expect(ends.count == 1, "seed \(seed), \(width) columns")
    }

    @Test func `a text of any length costs what is shown of it`() {
        let long = String(repeating: "練 ", count: 4_000_000)
        let work = CountedWork.processorTime {
            for _ in 0..<200 { _ = TerminalCell(long, cut: .afterWord).fitted(to: 80) }
        }
        // Two hundred readings of all of it would take minutes.
        #expect(work < .seconds(5))
    }
}
