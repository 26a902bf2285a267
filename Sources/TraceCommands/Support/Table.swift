internal import TraceText

/// Columns of text, each as wide as its widest cell.
struct Table {
    private let rows: [[String]]

    init(_ rows: [[String]], header: [String]) { self.rows = [header] + rows }

    /// The lines, without a line break at the end; no line ends with spaces.
    var text: String {
        let rows = rows.map { $0.map(\.oneLine) }
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        let lines = rows.map { row in
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: max(0, width - cell.count))
            }
            let line = cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
        return lines.joined(separator: "\n")
    }
}
