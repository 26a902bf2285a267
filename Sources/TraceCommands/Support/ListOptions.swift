internal import ArgumentParser
internal import RecordFormat
internal import TraceExchange
internal import TraceText

/// The options of a command that lists things, and the form that its list has: for a person at a terminal a ``ListScreen``, else a
/// table for programs, in which every row has every column.
struct ListOptions: ParsableArguments {
    @Flag(help: "Begin with a line of the columns' names, where the list is not shown on a terminal.")
    var header = false
    @Option(
        help: "A table for other programs, with the columns' names: tsv or csv.",
        completion: .words(TableFormat.self), transform: parseChoice)
    var format: TableFormat?
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if format != nil, global.json { throw ValidationError("use --format or --json, not both") }
    }

    var table: ListTable { ListTable(hasHeader: header, format: format) }
}

extension TableFormat {
    /// How fields and rows are written.
    fileprivate var export: MarkerExport { self == .tsv ? .tsv : .csv }
}

/// The form in which a list is printed.
struct ListTable {
    /// Whether the names of the columns come first.
    let hasHeader: Bool
    /// Nil for lines of columns between tabs, in which what would break a line is a space.
    let format: TableFormat?

    /// Whether a person reads it, at a terminal.
    var isOnScreen: Bool { Output.isTerminal && format == nil }

    /// Prints a table for programs.
    ///
    /// - Parameters:
    ///   - columns: Their names: keys of the list's JSON, where that has one for what is in them.
    ///   - fields: What a row has in each of them.
    func print<Row>(
        _ rows: some Sequence<Row>, _ columns: [String], _ fields: @escaping (Row) -> [String]
    ) {
        guard let format else {
            let lines = rows.lazy.map { Self.line(fields($0)) }
            if hasHeader { Output.line(Self.line(columns)) }
            return Output.lines(lines)
        }
        var buffer = OutputBuffer()
        func add(_ fields: [String]) {
            buffer.add { text in
                format.export.append(fields: fields, to: &text)
                text.append(UInt8(ascii: "\n"))
            }
        }
        add(columns)
        for row in rows where !Output.isClosed { add(fields(row)) }
        buffer.flush()
    }

    /// Says that nothing is in a list: at a terminal in its place, elsewhere on standard error, so that no program takes it for a row.
    func printNothing(_ words: String, _ columns: [String], _ context: CommandContext) {
        if isOnScreen { return Output.line(words) }
        if hasHeader || format != nil { print(EmptyCollection<[String]>(), columns) { $0 } }
        context.notice(words)
    }

    /// The columns between tabs.
    static func line(_ fields: [String]) -> String { fields.lazy.map(\.oneLine).joined(separator: "\t") }
}
