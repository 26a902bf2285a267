internal import Journals
internal import RecordFormat
internal import TraceFormat
internal import TraceStore
internal import TraceText

/// What `docs/rules.md` and `trace explain` tell of the rules of journals other than sessions.
enum JournalRules {
    /// What any such journal can break, then what those of each kind can, without what is there already.
    static let groups: [RuleReference.Group] = {
        let others = Journals.all.formats.map(\.layout).filter { $0.kind != .session }
        var known = Set(RuleReference.groups.flatMap(\.rules).map(\.id))
        func new(_ rules: [Rule]) -> [Rule] { rules.filter { known.insert($0.id).inserted } }
        let common = RuleReference.Group(
            title: "Other journals",
            introduction:
                "What journals other than sessions have in common; the rules of reading and of the schema are theirs, too.",
            rules: new(Rule.journal))
        return [common]
            + others.map { layout in
                let name = layout.kind.name
                return RuleReference.Group(
                    title: "\(name.withCapital) journals",
                    introduction: "What only a journal of the kind `\(name)` can break.",
                    rules: new(layout.rules))
            }
    }()

    /// The tables as they are in `docs/rules.md`.
    package static func markdown() -> String { groups.map(\.markdown).joined(separator: "\n") }
}
