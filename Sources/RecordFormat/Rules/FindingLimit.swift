/// Passes on the first findings of each rule on one line (or in a document or table), and only counts the others,
/// so that one broken line can't bury everything else.
///
/// It counts by rule: a warning never takes the place of an error.
package struct FindingLimit {
    /// How many findings of one rule a line may have.
    static let perRule = 20

    private var counts: [Rule: Int] = [:]
    /// The last finding of each rule that is shown; it says how many are not.
    private var last: [Finding] = []

    package init() {}

    package mutating func add(_ finding: Finding, _ report: (Finding) -> Void) {
        let count = counts[finding.rule, default: 0] + 1
        counts[finding.rule] = count
        if count < Self.perRule { return report(finding) }
        if count == Self.perRule { last.append(finding) }
    }

    /// Once all of the line's findings are known.
    package func finish(_ report: (Finding) -> Void) {
        for finding in last {
            let more = counts[finding.rule, default: 0] - Self.perRule
            let message = more > 0 ? "\(finding.message), and \(more) more of this rule" : finding.message
            report(Finding(finding.rule, at: finding.place, message))
        }
    }
}
