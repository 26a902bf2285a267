import Foundation
import Testing
import TraceFormat

struct RuleReferenceTests {
    @Test(arguments: ["rules: RuleReference.markdown()", "differences: RuleReference.differencesMarkdown()"])
    func `docs/rules.md holds what the code declares`(mark: String) throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../docs/rules.md")
        let text = try String(contentsOf: path, encoding: .utf8)
        let start = try #require(text.range(of: "<!-- \(mark) -->\n"))
        let end = try #require(text.range(of: "<!-- end -->", range: start.upperBound..<text.endIndex))
        let isRules = mark.hasPrefix("rules")
        let generated = isRules ? RuleReference.markdown() : RuleReference.differencesMarkdown()
        let isSame = text[start.upperBound..<end.lowerBound] == generated
        #expect(isSame, "replace the part between the marks by:\n\(generated)")
    }

    @Test func `every rule belongs to one group`() {
        #expect(RuleReference.groups.flatMap(\.rules) == Rule.all)
        for rule in Rule.all {
            #expect(RuleReference.groups.count { $0.rules.contains(rule) } == 1, "\(rule.id)")
        }
    }

    @Test(arguments: Rule.all.map(\.id)) func `a rule's example is a finding of its fixture`(id: String)
        throws
    {
        let example = try #require(Rule.named(id)?.example, "Rule.examples has none")
        let expected = try RuleFixture(name: id).expected()
        #expect(
            expected.contains("\(example) [\(id)]"),
            "Rule.examples holds something that is not in \(expected)")
    }
}
