internal import ArgumentParser
internal import Journals
internal import RecordFormat
internal import TraceConfiguration
internal import TraceFormat
internal import TraceStore
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
    @OptionGroup var global: GlobalOptions

    func run() throws {
        guard let id else { return list() }
        // As it is copied from a finding: with its brackets.
        let name = id.trimmingPrefix("[").split(separator: "]").first.map(String.init) ?? id
        guard let rule = Journals.all.rule(named: name) else { throw Self.unknown(name) }
        if global.json { return Output.json(rule.json) }
        Output.line("\(rule.id) (\(rule.severity.rawValue))")
        Output.line("  \(rule.summary)")
        Output.line("  hint: \(rule.cure)")
        if let example = rule.example { Output.line("  example: \(example)") }
        guard let correction = rule.correction else { return }
        Output.line("  before, in \(correction.file.fileName):")
        for line in correction.before { Output.line("    \(line)") }
        Output.line("  after:")
        for line in correction.after { Output.line("    \(line)") }
    }

    private func list() {
        if global.json { return Output.json(.array(Journals.all.rules.map(\.json))) }
        let rows = Journals.all.rules.map { [$0.id, $0.severity.rawValue, $0.summary] }
        Output.paged(!global.noPager) {
            Output.line(Table(rows, header: ["RULE", "SEVERITY", "WHAT IT REQUIRES"]).text)
        }
    }

    private static func unknown(_ name: String) -> CommandFailure {
        let similar = RuleReference.similar(
            to: name, nearest: nearestName(to: name, among: Journals.all.rules.map(\.id)))
        let others = similar.map { "'\($0)'" }.joined(separator: ", ")
        let hint = "'trace explain' lists all rules"
        return CommandFailure(
            .usage, "there is no rule '\(name.oneLine)'",
            hint: similar.isEmpty ? hint : "did you mean \(others)? \(hint)")
    }
}

extension RuleReference {
    /// The rules that a mistyped or half-remembered name may mean: the nearest by its letters, and those that have all
    /// its words.
    fileprivate static func similar(to name: String, nearest: String?) -> [String] {
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
        let others = Journals.all.rules.map(\.id).filter { id in
            id != nearest && !words.isEmpty && words.allSatisfy { id.contains($0) }
        }
        return Array(([nearest].compactMap(\.self) + others).prefix(4))
    }
}

extension Rule {
    /// The rule with the keys of docs/cli-json.md.
    fileprivate var json: JSONText {
        .object { object in
            object.member("rule", JSONText(id))
            object.member("severity", JSONText(severity.rawValue))
            object.member("group", RuleReference.group(of: self).map { JSONText($0.title) })
            object.member("summary", JSONText(summary))
            object.member("cure", JSONText(cure))
            object.member("example", example.map { JSONText($0) })
            object.member("file", correction.map { JSONText($0.file.fileName) })
            object.member("before", correction.map { .array($0.before.map { JSONText($0) }) })
            object.member("after", correction.map { .array($0.after.map { JSONText($0) }) })
        }
    }
}
