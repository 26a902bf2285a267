internal import ArgumentParser
internal import RecordFormat
internal import TraceFiles
internal import TraceIndex
internal import TraceLibrary
internal import TraceText

/// `trace journal show`
struct JournalShow: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show what is in a journal.",
        discussion: """
            A journal is given by its directory or file, its id or a prefix of it, its title, or 'last', the one with the latest \
            record. Without one, it is the only one there is.
            """)

    @Argument(help: "The journal.")
    var journal: String?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let (answer, fresh) = try context.journal(journal) { try JournalQuestion($1.path).answer($0) }
            if global.json {
                Output.json(answer.json(.commandLine))
            } else {
                Output.lines(lines(of: answer, try context.zone))
            }
            try fresh.end()
        }
    }

    private func lines(of answer: JournalAnswer, _ zone: ZoneRules) -> [String] {
        let journal = answer.journal
        var lines = ["\(journal.listName.oneLine) (\(journal.kind.name)): \(journal.path.escaped)"]
        if let id = journal.id { lines.append("  id: \(id.oneLine)") }
        lines.append("  state: \(journal.state)\(journal.isOnline ? "" : ", offline")")
        if let first = journal.first, let last = journal.last {
            lines.append("  from: \(zone.date(of: first))")
            lines.append("  to: \(zone.date(of: last))")
        }
        lines += answer.counts.map { "  \($0.name): \($0.count)" }
        if !journal.problems.isEmpty { lines.append("  problems: \(journal.problems)") }
        return lines
    }
}
