package import RecordFormat
internal import TraceFormat

extension Rule {
    /// The group that it is documented in.
    private var group: RuleReference.Group? {
        RuleReference.group(of: self) ?? JournalRules.groups.first { $0.rules.contains(self) }
    }

    /// The rule with the keys of docs/cli-json.md.
    package var json: JSONText {
        .object { object in
            object.member("rule", JSONText(id))
            object.member("severity", JSONText(severity.rawValue))
            object.member("group", group.map { JSONText($0.title) })
            object.member("summary", JSONText(summary))
            object.member("cure", JSONText(cureText))
            object.member("example", example.map { JSONText($0) })
            object.member("file", correction.map { JSONText($0.file.fileName) })
            object.member("before", correction.map { .array($0.before.map { JSONText($0) }) })
            object.member("after", correction.map { .array($0.after.map { JSONText($0) }) })
        }
    }
}
