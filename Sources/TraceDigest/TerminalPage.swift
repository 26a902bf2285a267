internal import TraceText

/// Lines of text that are wrapped where they would be too wide.
struct TerminalPage {
    /// What has been added, each line with a newline.
    private(set) var text = TerminalText()

    let columns: Int
    private let styled: Bool
    private static let margin = 2

    init(columns: Int, styled: Bool) {
        self.columns = columns
        self.styled = styled
    }

    mutating func addBlank() { text += TerminalText("\n") }

    /// A line that is known to be narrow enough.
    mutating func addVerbatim(_ line: String) { text += TerminalText("\(line)\n") }

    mutating func add(_ spans: [TerminalSpan]) { add(lead: [], leadWidth: 0, spans) }

    /// A blank line and a heading, if there is something below it.
    mutating func addSection(_ heading: String, isEmpty: Bool) {
        if isEmpty { return }
        addBlank()
        add([.init(heading, .bold)])
    }

    /// A line that begins with `lead` in a column of its own; where it is wrapped, that column stays free.
    ///
    /// - Parameter isTight: Whether one column is between it and what is behind it.
    mutating func addItem(
        _ lead: String, width: Int? = nil, isTight: Bool = false, _ style: TerminalStyle,
        _ spans: [TerminalSpan]
    ) {
        let width = max(width ?? 0, lead.count)
        let gap = isTight ? 1 : Self.margin
        let isAlone = lead.allSatisfy { $0 == " " }
        let padding = String(repeating: " ", count: width - lead.count + gap)
        let margin = TerminalSpan(String(repeating: " ", count: Self.margin), .plain)
        let leadSpans = [margin, .init(lead, isAlone ? .plain : style), .init(padding, .plain)]
        add(lead: leadSpans, leadWidth: Self.margin + width + gap, spans)
    }

    mutating func addMore(_ count: Int) {
        if count > 0 { addItem("+\(count) more", .faint, []) }
    }

    private mutating func add(lead: [TerminalSpan], leadWidth: Int, _ spans: [TerminalSpan]) {
        // If the column would leave no room for words, they go below it.
        let isNarrow = columns - leadWidth < columns / 2
        let indent = isNarrow && leadWidth > 0 ? Self.margin * 2 : leadWidth
        var lines = TerminalWrapping(width: columns - indent).lines(of: spans)
        if isNarrow, leadWidth > 0 { lines.insert([], at: 0) }
        if lines.isEmpty { lines = [[]] }
        for (number, line) in lines.enumerated() {
            let start = number == 0 ? lead : [.init(String(repeating: " ", count: indent), .plain)]
            append(start + line)
        }
    }

    private mutating func append(_ spans: [TerminalSpan]) {
        var line = spans
        while let last = line.last, last.text.allSatisfy({ $0 == " " }) { line.removeLast() }
        if line.isEmpty { return }
        for span in line { text += TerminalText(span.text, styled ? span.style : .plain) }
        addBlank()
    }
}
