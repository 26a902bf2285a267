package import RecordFormat

/// What `docs/rules.md` and `trace explain` tell of the rules.
package enum RuleReference {
    /// Rules that are checked in the same step.
    package struct Group: Sendable {
        package let title: String
        let introduction: String
        package let rules: [Rule]

        package init(title: String, introduction: String, rules: [Rule]) {
            self.title = title
            self.introduction = introduction
            self.rules = rules
        }

        /// The group as it is in `docs/rules.md`.
        package var markdown: String {
            let rows = rules.map { rule in
                "| `\(rule.id)` | \(rule.severity.rawValue) | \(cell(rule.summary)) | \(cell(rule.cureText)) |"
            }
            let head = ["| rule | severity | what it requires | cure |", "|---|---|---|---|"]
            let table = (head + rows).joined(separator: "\n")
            return "### \(title)\n\n\(introduction)\n\n\(table)\n"
        }
    }

    /// Every rule, in the order in which a session is checked.
    package static let groups = [
        Group(
            title: "Reading",
            introduction: "From bytes to JSON objects. A line that can't be read does not hide any other.",
            rules: Rule.reading),
        Group(
            title: "Schema",
            introduction: "What one object may hold; `trace schema KIND` prints it as JSON Schema.",
            rules: Rule.schema),
        Group(
            title: "Across lines and files",
            introduction: "Of several lines with one id in a file, the last counts.", rules: Rule.semantic),
        Group(
            title: "Directory", introduction: "What is in the directory besides the files of the format.",
            rules: Rule.directory),
    ]

    /// The group that a rule belongs to.
    package static func group(of rule: Rule) -> Group? { groups.first { $0.rules.contains(rule) } }

    /// The tables of the rules as they are in `docs/rules.md`.
    package static func markdown() -> String {
        groups.map(\.markdown).joined(separator: "\n")
    }

    /// What breaks each rule that a line can break, and the same put right, as it is in `docs/rules.md`.
    package static func correctionsMarkdown() -> String {
        Rule.all.compactMap { rule in
            rule.correction.map { correction in
                let lines = correction.before.map { "- \($0)" } + correction.after.map { "+ \($0)" }
                return "`\(rule.id)`, in `\(correction.file.fileName)`:\n\n"
                    + "```diff\n\(lines.joined(separator: "\n"))\n```\n"
            }
        }.joined(separator: "\n")
    }

    /// The table of the differences as it is in `docs/rules.md`.
    package static func differencesMarkdown() -> String {
        let rows = VerdictDifference.all.map { difference in
            "| \(cell(difference.subject)) | `\(difference.rule.id)` | \(cell(difference.reason)) |"
        }
        let head = ["| valid under JSON Schema | but here | why |", "|---|---|---|"]
        return (head + rows).map { $0 + "\n" }.joined()
    }

    private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}

/// A meant difference between our verdict and that of JSON Schema: the schema finds the record valid, we don't. There is
/// none the other way round.
package struct VerdictDifference: Sendable {
    package let id: String
    /// What the record holds.
    let subject: String
    /// The rule that it breaks here; for a duplicate key it is any rule of the schema.
    package let rule: Rule
    let reason: String

    package static let all = [
        VerdictDifference(
            id: "number-beyond-64-bits",
            subject:
                "a number beyond 64 bits where JSON Schema sets no bound: `18446744073709551616` and `1e400` in an "
                + "action's `inputs`, an `offset_ms` of `9223372036854775808` or more",
            rule: .numberTooLarge,
            reason: "readers round it, wrap it or reject it: its value would depend on the reader"),
        VerdictDifference(
            id: "nan-and-infinity",
            subject: "`NaN`, `Infinity`, `-Infinity`, which Python's `json` reads",
            rule: .jsonSyntax,
            reason: "they are not JSON (RFC 8259, section 6), and other readers reject them"),
        VerdictDifference(
            id: "lone-surrogate",
            subject: "half of a surrogate pair in a string: `\"\\ud83d\"`",
            rule: .jsonSyntax,
            reason:
                "it is not a character and can't be encoded in UTF-8, so no reader can write it back unchanged"
        ),
        VerdictDifference(
            id: "nesting",
            subject: "objects and arrays in an action's `inputs` or `outputs`, nested more than "
                + "\(JSONParser.maximumDepth) deep",
            rule: .jsonTooDeep,
            reason:
                "readers that recurse crash at some depth of their own; the bound is the same for all here"),
        VerdictDifference(
            id: "duplicate-key",
            subject:
                "a duplicate key whose first value breaks a rule: "
                + "`\"source\":\"robot\",\"source\":\"user\"`",
            rule: .valueNotAllowed,
            reason:
                "a schema sees only the value that its JSON reader kept, usually the last; readers disagree on which "
                + "one counts, so each must be valid (the duplicate itself is a warning: `key-duplicate`)"
        ),
        VerdictDifference(
            id: "long-line",
            subject: "a line of more than \(LineBuffer.maximumLineLength >> 20) MiB",
            rule: .lineTooLong,
            reason:
                "memory does not grow with the size of a file; a line that long is damage: a newline is missing"
        ),
    ]
}
