/// Rows of columns on a terminal, none wider than it is.
///
/// The widths are known before the first row is written: they follow from some of the rows, so that the others need not be
/// held.
package struct TerminalTable: Sendable {
    /// A column.
    package struct Column: Sendable {
        package let name: String
        /// Whether its cells end below each other, as numbers do.
        let isRightAligned: Bool
        /// The least width that a text is cut to; nil for what is never cut.
        let least: Int?
        /// Where not all fits, the column with the lowest rank is left out first; the highest, 9, never is.
        let rank: Int

        /// A column that is as wide as its widest cell.
        package static func whole(_ name: String, rank: Int = 9) -> Column {
            Column(name: name, isRightAligned: false, least: nil, rank: rank)
        }

        /// Numbers and times.
        package static func number(_ name: String, rank: Int = 9) -> Column {
            Column(name: name, isRightAligned: true, least: nil, rank: rank)
        }

        /// Texts, which are cut where there is no room for them.
        package static func text(_ name: String, least: Int, rank: Int = 9) -> Column {
            Column(name: name, isRightAligned: false, least: max(least, name.count), rank: rank)
        }
    }

    /// The columns that are shown, by their place in a row.
    private let shown: [(place: Int, column: Column, width: Int)]
    private let styled: Bool
    private static let gap = 2
    private static let highestRank = 9

    /// - Parameters:
    ///   - sample: Some of the rows, a cell for each column.
    ///   - isWhole: Whether these are all; a column in which nothing stands is left out then.
    ///   - columns: The width of the terminal.
    ///   - styled: Whether colours and bold type are used.
    package init(
        _ all: [Column], sample: [[TerminalCell]], isWhole: Bool = true, columns: Int, styled: Bool
    ) {
        self.styled = styled
        let widest = all.indices.map { place in
            sample.reduce(0) { max($0, $1[place].width(atMost: columns)) }
        }
        let least = all.indices.map { place in
            let natural = max(widest[place], all[place].name.count)
            return all[place].least.map { isWhole ? min($0, natural) : $0 } ?? natural
        }
        var places = all.indices.filter { !isWhole || widest[$0] > 0 }
        func needed() -> Int { places.reduce(-Self.gap) { $0 + least[$1] + Self.gap } }
        while needed() > columns, let worst = places.min(by: { all[$0].rank < all[$1].rank }),
            all[worst].rank < Self.highestRank
        {
            places.removeAll { $0 == worst }
        }
        var widths = least
        var rest = columns - needed()
        // A column more for the narrowest of the texts that need one.
        while rest > 0,
            let next = places.filter({ all[$0].least != nil && widths[$0] < widest[$0] }).min(by: {
                widths[$0] < widths[$1]
            })
        {
            widths[next] += 1
            rest -= 1
        }
        shown = places.map { ($0, all[$0], widths[$0]) }
    }

    /// The names of the columns.
    package var header: TerminalText {
        line { TerminalCell($0.column.name, .faint) }
    }

    /// A row; a cell for each column, shown or not.
    package func line(_ cells: [TerminalCell]) -> TerminalText { line { cells[$0.place] } }

    private func line(
        _ cell: ((place: Int, column: Column, width: Int)) -> TerminalCell
    ) -> TerminalText {
        var line = TerminalText()
        // Spaces are written when something comes behind them.
        var spaces = 0
        for entry in shown {
            let fitted = cell(entry).fitted(to: entry.column.least == nil ? .max : entry.width)
            let padding = max(0, entry.width - fitted.width)
            if entry.column.isRightAligned { spaces += padding }
            if fitted.width > 0 {
                line += TerminalText(String(repeating: " ", count: spaces))
                spaces = 0
                for span in fitted.spans { line += TerminalText(span.text, styled ? span.style : .plain) }
            }
            spaces += (entry.column.isRightAligned ? 0 : padding) + Self.gap
        }
        return line
    }
}
