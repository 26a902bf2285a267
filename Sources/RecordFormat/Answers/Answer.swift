package import TraceText

/// What a question comes to: JSON for programs, the same by every interface, and a screen for people.
///
/// Belongs to the thread that asked.
package struct Answer {
    package enum Content {
        case list(count: Int, json: (Int) -> JSONText)
        case one(() -> JSONText)
    }

    package let content: Content
    /// What people are shown beside it.
    package var notices: [String] = []
    /// Why it is not whole, which people are shown behind it.
    package var failure: (any Error)?
    /// What people read of a list in which nothing is.
    package var nothing: String?
    private let draw: (AnswerReader) -> [ScreenPart]

    package init(_ content: Content, screen draw: @escaping (AnswerReader) -> [ScreenPart]) {
        self.content = content
        self.draw = draw
    }

    /// For people.
    package func screen(for reader: AnswerReader) -> [ScreenPart] { draw(reader) }

    /// For programs.
    package var json: JSONText {
        switch content {
        case .list(let count, let json): .array((0..<count).lazy.map(json))
        case .one(let json): json()
        }
    }
}

/// A part of a screen: a table on a terminal, and lines with tabs for a program; or lines.
package enum ScreenPart {
    case table([TerminalTable.Column], [[String]])
    case lines([String])
}

/// How times are shown to who asked.
package struct AnswerReader {
    /// In which days begin.
    package let zone: ZoneRules
    /// Whether a person reads it, who needs no seconds.
    let isTerminal: Bool

    package init(zone: ZoneRules, isTerminal: Bool) {
        self.zone = zone
        self.isTerminal = isTerminal
    }

    func text(_ time: Timestamp) -> String {
        isTerminal ? zone.minuteText(time) : zone.secondText(time)
    }
}

/// A column of a list for people.
package struct Column<Row> {
    package let heading: TerminalTable.Column
    let cell: @Sendable (Row, AnswerReader) -> String

    init(_ heading: TerminalTable.Column, _ cell: @escaping @Sendable (Row) -> String) {
        self.heading = heading
        self.cell = { row, _ in cell(row) }
    }

    /// - Parameter time: A moment; nil leaves the cell empty.
    package static func time(
        _ heading: String, _ time: @escaping @Sendable (Row) -> Timestamp?
    ) -> Self {
        Self(.whole(heading)) { row, reader in time(row).map(reader.text) ?? "" }
    }

    private init(
        _ heading: TerminalTable.Column, _ cell: @escaping @Sendable (Row, AnswerReader) -> String
    ) {
        self.heading = heading
        self.cell = cell
    }

    /// What people need no more of at a terminal than a part by which they can name it, and programs the whole.
    package static func part(
        _ heading: String, rank: Int = 9, of whole: @escaping @Sendable (Row) -> String,
        _ part: @escaping @Sendable (Row) -> String
    ) -> Self {
        Self(.whole(heading, rank: rank)) { row, reader in reader.isTerminal ? part(row) : whole(row) }
    }

    package static func whole(
        _ heading: String, rank: Int = 9, _ cell: @escaping @Sendable (Row) -> String
    ) -> Self {
        Self(.whole(heading, rank: rank), cell)
    }

    package static func text(
        _ heading: String, least: Int, rank: Int = 9, _ cell: @escaping @Sendable (Row) -> String
    ) -> Self {
        Self(.text(heading, least: least, rank: rank), cell)
    }

    package static func number(
        _ heading: String, rank: Int = 9, _ cell: @escaping @Sendable (Row) -> String
    ) -> Self {
        Self(.number(heading, rank: rank), cell)
    }
}

extension ScreenPart {
    /// A table of rows.
    package static func table<Row>(
        _ columns: [Column<Row>], _ rows: some Sequence<Row>, for reader: AnswerReader
    ) -> Self {
        .table(columns.map(\.heading), rows.map { row in columns.map { $0.cell(row, reader) } })
    }
}
