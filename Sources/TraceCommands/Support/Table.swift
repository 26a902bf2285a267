internal import TraceText

/// Columns of text, each as wide as its widest cell.
struct Table {
    private let rows: [[String]]

    init(_ rows: [[String]], header: [String]) { self.rows = [header] + rows }

    /// The lines, without a line break at the end; no line ends with spaces.
    var text: String {
        var widths: [Int] = []
        let rows = rows.map { row in
            row.enumerated().map { column, text in
                let cell = Cell(text)
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.width)
                return cell
            }
        }
        let space = UInt8(ascii: " ")
        var lines: [UInt8] = []
        for (number, row) in rows.enumerated() {
            if number > 0 { lines.append(0x0A) }
            // Before a cell that is empty there is no space yet: it may be the last one.
            var due = 0
            for (column, cell) in row.enumerated() {
                if cell.width > 0 {
                    lines.append(contentsOf: repeatElement(space, count: due))
                    lines.append(contentsOf: cell.text.utf8)
                    due = 0
                }
                due += widths[column] - cell.width + 2
            }
            while let last = lines.last, last == space { lines.removeLast() }
        }
        return String(decoding: lines, as: UTF8.self)
    }

    /// A text, and how many characters it has.
    private struct Cell {
        let text: String
        let width: Int

        init(_ text: String) {
            self.text = text.oneLine
            let bytes = self.text.utf8
            // Without line breaks, each of these is a character.
            width = bytes.allSatisfy { $0 < 0x80 } ? bytes.count : self.text.count
        }
    }
}
