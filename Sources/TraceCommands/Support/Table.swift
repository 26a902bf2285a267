/// Columns of text, each as wide as its widest cell.
struct Table {
    private let rows: [[String]]

    init(_ rows: [[String]], header: [String]) { self.rows = [header] + rows }

    /// The lines, without a line break at the end; no line ends with spaces.
    var text: String {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
        let lines = rows.map { row in
            let cells = zip(row, widths).map { cell, width in
                Self.visible(cell) + String(repeating: " ", count: max(0, width - cell.count))
            }
            let line = cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
        return lines.joined(separator: "\n")
    }

    /// A cell in which nothing can be taken for a terminal's command or a line break.
    private static func visible(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
    }
}
