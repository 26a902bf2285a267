internal import ArgumentParser
internal import RecordFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceText

/// `trace journals`
struct JournalsCommand: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "journals", abstract: "List the journals of the configured roots, of every kind.",
        discussion: """
            Sessions are journals, too. One per line: the kind, how many records it has, the days of the first and the last one, \
            its findings, its state and its title.
            """)

    @Option(
        name: .customLong("kind"), help: "Only journals of this kind; may be repeated.",
        completion: .journalKinds, transform: journalKind)
    var kinds: [JournalKind] = []
    @OptionGroup var global: GlobalOptions

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
        guard !answer.rows.isEmpty else { return isWhole ? Output.line("no journals") : () }
        let zone = try context.zone
        let table = Table(
            answer.rows.map { $0.columns(zone) },
            header: ["KIND", "RECORDS", "FROM", "TO", "PROBLEMS", "STATE", "JOURNAL"])
        Output.paged(context.isPaged) { Output.line(table.text) }
    }
}

extension IndexedJournal {
    fileprivate func columns(_ zone: ZoneRules) -> [String] {
        [
            kind.name, "\(recordCount)", first.map(zone.date) ?? "", last.map(zone.date) ?? "", problems,
            state + (isOnline ? "" : ", offline"), listName,
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
