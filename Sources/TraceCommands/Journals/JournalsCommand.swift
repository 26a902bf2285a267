internal import ArgumentParser
internal import RecordFormat
internal import TraceFiles
internal import TraceIndex
internal import TraceLibrary
internal import TraceText

/// `trace journals`
struct JournalsCommand: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "journals", abstract: "List the journals of the configured roots, of every kind.",
        discussion: """
            Sessions are journals, too. Of each: the kind, how many records it has, the days of the first and the last one, its findings, \
            its state and its title. In a pipe, a line for each, its columns between tabs (docs/command-line.md).
            """)

    @Option(
        name: .customLong("kind"), help: "Only journals of this kind; may be repeated.",
        completion: .journalKinds, transform: journalKind)
    var kinds: [JournalKind] = []
    @OptionGroup var list: ListOptions

    var global: GlobalOptions { list.global }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let fresh = FreshIndex(context.library, session: nil)
            let question = JournalsQuestion(kinds: kinds.isEmpty ? nil : Set(kinds))
            let answer = try fresh.answer(comparing: { $0.rows.map(\.path) }) {
                try question.answer($0, in: fresh.scope)
            }
            try show(answer, isWhole: fresh.isWhole, context)
            try fresh.end()
        }
    }

    private func show(_ answer: JournalsAnswer, isWhole: Bool, _ context: CommandContext) throws {
        if global.json { return Output.json(answer.json(.commandLine)) }
        let table = list.table
        guard !answer.rows.isEmpty else {
            return isWhole ? table.printNothing("no journals", IndexedJournal.names, context) : ()
        }
        guard table.isOnScreen else {
            return table.print(answer.rows, IndexedJournal.names, \.fields)
        }
        let zone = try context.zone
        Output.paged(context.isPaged) {
            ListScreen.show(IndexedJournal.columns, answer.rows.map { $0.cells(zone) })
        }
    }
}

extension IndexedJournal {
    fileprivate static let columns: [TerminalTable.Column] = [
        .whole("KIND"), .number("RECORDS", rank: 5), .whole("FROM", rank: 4), .whole("TO", rank: 6),
        .whole("PROBLEMS", rank: 7), .whole("STATE", rank: 8), .text("JOURNAL", least: 12),
    ]

    fileprivate func cells(_ zone: ZoneRules) -> [TerminalCell] {
        [
            TerminalCell(kind.name), TerminalCell("\(recordCount)"), .day(first, in: zone),
            .day(last, in: zone), TerminalCell(problems),
            TerminalCell(state + (isOnline ? "" : ", offline")), TerminalCell(listName),
        ]
    }

    fileprivate static let names = [
        "kind", "id", "path", "title", "records", "first", "last", "errors", "warnings", "state", "online",
    ]

    fileprivate var fields: [String] {
        [
            kind.name, id ?? "", path.escaped, title ?? "", "\(recordCount)", first?.description ?? "",
            last?.description ?? "", "\(findingCounts[.error] ?? 0)", "\(findingCounts[.warning] ?? 0)",
            state,
            "\(isOnline)",
        ]
    }

    /// How many findings there are.
    var problems: String {
        let counts = Rule.Severity.allCases.compactMap { severity in
            findingCounts[severity].flatMap { $0 > 0 ? counted($0, severity.rawValue) : nil }
        }
        return counts.joined(separator: ", ")
    }
}
