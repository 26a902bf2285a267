internal import Journals
package import RecordFormat
internal import TraceFormat
internal import TraceStore
internal import TraceText

/// What a rule requires: `trace explain`.
package struct RuleQuestion: Sendable {
    /// The rule's id.
    let name: String

    /// - Parameter typed: The id of a rule, also as it is copied from a finding: with its brackets.
    package init(_ typed: String) {
        name = typed.trimmingPrefix("[").split(separator: "]").first.map(String.init) ?? typed
    }

    /// Every rule of every kind of journal.
    package static var all: [Rule] { Journals.all.rules }

    /// The rule that is meant.
    ///
    /// - Throws: ``LibraryError`` with `.noSuchRule`, which names those that are similar.
    package func rule() throws(LibraryError) -> Rule {
        if let rule = Journals.all.rule(named: name) { return rule }
        let others = similar.map { "'\($0)'" }.joined(separator: ", ")
        let all: Cure.Way = "\(verb: "explain") lists all rules"
        let overHTTP = Cure.Way.overHTTP("\(route: "GET /api/v1/rules") lists all rules")
        throw LibraryError(
            .noSuchRule, "there is no rule '\(name.oneLine)'",
            cure: others.isEmpty
                ? [all, overHTTP]
                : [
                    .atMachine("did you mean \(others)? \(verb: "explain") lists all rules"),
                    .overHTTP("did you mean \(others)? \(route: "GET /api/v1/rules") lists all rules"),
                ])
    }

    /// The rules that a mistyped or half-remembered name may mean: the nearest by its letters, and those that have all
    /// its words.
    private var similar: [String] {
        let ids = Self.all.map(\.id)
        let nearest = nearestName(to: name, among: ids)
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
        let others = ids.filter { id in
            id != nearest && !words.isEmpty && words.allSatisfy { id.contains($0) }
        }
        return Array(([nearest].compactMap(\.self) + others).prefix(4))
    }
}
