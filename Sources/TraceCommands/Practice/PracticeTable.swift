internal import TraceText

/// A list of a practice journal: a table on a terminal, lines with tabs for a program.
enum PracticeTable {
    static func show(_ columns: [TerminalTable.Column], _ rows: [[String]]) {
        if Output.isTerminal {
            if rows.isEmpty { return }
            return ListScreen.show(columns, rows.map { $0.map { TerminalCell($0.oneLine) } })
        }
        Output.lines(rows.lazy.map { $0.map(\.oneLine).joined(separator: "\t") })
    }
}
