internal import ArgumentParser
internal import RecordFormat
internal import TraceFormat
internal import TraceLibrary
internal import TraceText

/// `trace explain`
struct ExplainCommand: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain a rule that 'trace validate' names, and how to fix a violation.",
        discussion: "Without a rule, lists all of them. docs/rules.md has them on one page.")

    @Argument(
        help: ArgumentHelp("The rule, as shown in brackets after a finding.", valueName: "rule"),
        completion: .rules)
    var id: String?
    @OptionGroup var list: ListOptions

    var global: GlobalOptions { list.global }

    func run() throws {
        guard let id else { return showAll() }
        try CommandFailure.explaining { explain(try RuleQuestion(id).rule()) }
    }

    private func explain(_ rule: Rule) {
        if global.json { return Output.json(rule.json) }
        Output.line("\(rule.id) (\(rule.severity.rawValue))")
        Output.line("  \(rule.summary)")
        Output.line("  hint: \(rule.cureText)")
        if let example = rule.example { Output.line("  example: \(example)") }
        guard let correction = rule.correction else { return }
        Output.line("  before, in \(correction.file.fileName):")
        for line in correction.before { Output.line("    \(line)") }
        Output.line("  after:")
        for line in correction.after { Output.line("    \(line)") }
    }

    private func showAll() {
        if global.json { return Output.json(.array(RuleQuestion.all.map(\.json))) }
        let rows = RuleQuestion.all.map { [$0.id, $0.severity.rawValue, $0.summary] }
        guard list.table.isOnScreen else {
            return list.table.print(rows, ["rule", "severity", "summary"]) { $0 }
        }
        Output.paged(!global.noPager) {
            ListScreen.show(
                [.whole("RULE"), .whole("SEVERITY"), .whole("WHAT IT REQUIRES")],
                rows.map { $0.map { TerminalCell($0) } })
        }
    }
}
