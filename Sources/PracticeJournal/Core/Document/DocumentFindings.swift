package import RecordFormat

/// A finding whose place is said by names and numbers; ``DocumentPlaces`` finds it in the text.
package struct DocumentFinding: Sendable, Hashable {
    package let rule: Rule
    package let path: DocumentPath
    let message: String
}

/// Collects findings, the first of each rule: a document with a million bad records has one cause, and not a million.
package struct DocumentFindings {
    /// How many findings of one rule are kept; the last of them says how many more there are.
    static let limit = 20

    private var found: [DocumentFinding] = []
    /// By the rule's id, which is shorter to compare than the rule.
    private var counts: [String: Int] = [:]
    /// Where the last finding is that is kept of a rule.
    private var last: [String: Int] = [:]

    init() {}

    mutating func add(
        _ rule: Rule, _ path: @autoclosure () -> DocumentPath, _ message: @autoclosure () -> String
    ) {
        let count = counts[rule.id, default: 0] + 1
        counts[rule.id] = count
        guard count <= Self.limit else { return }
        last[rule.id] = found.count
        let path = path()
        found.append(DocumentFinding(rule: rule, path: path, message: message()))
    }

    /// In the order in which they were added.
    package var findings: [DocumentFinding] {
        var findings = found
        for (rule, count) in counts where count > Self.limit {
            guard let index = last[rule] else { continue }
            let finding = findings[index]
            findings[index] = DocumentFinding(
                rule: finding.rule, path: finding.path,
                message: "\(finding.message), and \(count - Self.limit) more of this rule")
        }
        return findings
    }
}
