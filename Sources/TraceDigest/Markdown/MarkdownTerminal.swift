internal import TraceText

/// Writes a tree of Markdown on a terminal: without the signs of its structure, and without comments.
struct MarkdownTerminal {
    private var page: TerminalPage

    private init(_ page: TerminalPage) { self.page = page }

    /// The text with a newline at the end, in lines of so many columns.
    static func text(_ tree: MarkdownTree, columns: Int, styled: Bool) -> TerminalText {
        var writer = MarkdownTerminal(TerminalPage(columns: columns, styled: styled))
        writer.add(tree.blocks)
        return writer.page.text
    }

    /// What blocks within others are written behind.
    private struct Lead {
        /// Before the first line; spaces stand before the others.
        var sign = ""
        /// How many columns precede it.
        var indent = 0
        var style = TerminalStyle.plain
    }

    // MARK: - Blocks

    private mutating func add(_ blocks: [MarkdownBlock]) {
        var isFirst = true
        for block in blocks where !Self.isHidden(block) {
            if !isFirst { page.addBlank() }
            isFirst = false
            add(block, Lead())
        }
    }

    private static func isHidden(_ block: MarkdownBlock) -> Bool {
        if case .html(let text) = block { return text.isMarkdownComment }
        return false
    }

    private mutating func add(_ block: MarkdownBlock, _ lead: Lead) {
        switch block {
        case .heading(_, let words): add(words, .bold, lead)
        case .paragraph(let words): add(words, .plain, lead)
        case .quote(let blocks):
            for block in blocks where !Self.isHidden(block) {
                add(block, Lead(sign: "│", indent: lead.indent, style: .faint))
            }
        case .list(let list): add(list, lead)
        case .table(let table): add(table, lead)
        case .code(let text): addLines(of: text, lead)
        case .html(let text):
            if !text.isMarkdownComment { addLines(of: text, lead) }
        case .rule: add([.text(String(repeating: "─", count: min(page.columns / 2, 30)))], .faint, lead)
        }
    }

    /// Lines whose breaks are the author's.
    private mutating func addLines(of text: String, _ lead: Lead) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for line in lines.last?.isEmpty == true ? lines.dropLast() : lines[...] {
            page.addVerbatim(String(repeating: " ", count: lead.indent) + line)
        }
    }

    private mutating func add(_ list: MarkdownList, _ lead: Lead) {
        for (number, item) in list.items.enumerated() {
            let sign =
                item.isDone.map { $0 ? "☑" : "☐" } ?? list.start.map {
                    "\($0.addingReportingOverflow(number).partialValue)."
                }
                ?? "•"
            var own = Lead(sign: sign, indent: lead.indent + 2)
            for block in item.blocks where !Self.isHidden(block) {
                // Only the first block stands behind the sign; lists in it are further in.
                if case .list = block {
                    add(block, Lead(indent: lead.indent + sign.count + 1))
                } else {
                    add(block, own)
                    own = Lead(indent: lead.indent + 2 + sign.count + 1)
                }
            }
        }
    }

    private mutating func add(_ table: MarkdownTable, _ lead: Lead) {
        let rows = ([table.header] + table.rows).map { $0.map { Self.spans($0).map(\.text).joined() } }
        let widths = table.header.indices.map { column in
            rows.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
        }
        let width = widths.reduce(lead.indent - 2) { $0 + $1 + 2 }
        for (number, row) in rows.enumerated() {
            // Where there is no room for columns, the cells follow each other.
            guard width <= page.columns else {
                add([.text(row.joined(separator: " · "))], number == 0 ? .bold : .plain, lead)
                continue
            }
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: max(0, width - cell.count))
            }
            addLines(of: cells.joined(separator: "  "), lead)
        }
    }

    // MARK: - Lines

    private mutating func add(_ words: [MarkdownInline], _ style: TerminalStyle, _ lead: Lead) {
        var sign = lead.sign
        for line in words.split(omittingEmptySubsequences: true, whereSeparator: { $0 == .lineBreak }) {
            let spans = Self.spans(Array(line), style)
            if lead.indent == 0, lead.sign.isEmpty {
                page.add(spans)
            } else {
                // The page itself indents by two.
                let blank = String(repeating: " ", count: max(0, lead.indent - (sign.isEmpty ? 3 : 2)))
                page.addItem(blank + sign, isTight: true, lead.style, spans)
            }
            if lead.style != .faint { sign = String(repeating: " ", count: sign.count) }
        }
    }

    private static func spans(_ words: [MarkdownInline], _ style: TerminalStyle = .plain) -> [TerminalSpan] {
        words.flatMap { spans($0, style) }
    }

    private static func spans(_ word: MarkdownInline, _ style: TerminalStyle) -> [TerminalSpan] {
        switch word {
        case .text(let text): return [TerminalSpan(text, style)]
        case .code(let text): return [TerminalSpan(text, .cyan)]
        // A terminal may have no italics.
        case .emphasis(let words), .strong(let words): return spans(words, .bold)
        case .strikethrough(let words):
            return [TerminalSpan("~", .faint)] + spans(words, .faint) + [TerminalSpan("~", .faint)]
        case .link(let target, let words), .image(let target, let words):
            let shown = spans(words, style)
            let text = shown.map(\.text).joined()
            return text == target || target.isEmpty
                ? shown : shown + [TerminalSpan(text.isEmpty ? target : " (\(target))", .faint)]
        case .softBreak, .lineBreak: return [TerminalSpan(" ", style)]
        case .html(let text): return text.isMarkdownComment ? [] : [TerminalSpan(text, style)]
        }
    }
}
