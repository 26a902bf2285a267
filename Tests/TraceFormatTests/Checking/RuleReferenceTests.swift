import Foundation
import RecordFormat
import Testing
import TraceFormat

@Suite(.serialized) struct RuleReferenceTests {
    @Test(arguments: [
        ("rules: RuleReference.markdown()", RuleReference.markdown()),
        ("corrections: RuleReference.correctionsMarkdown()", RuleReference.correctionsMarkdown()),
        ("differences: RuleReference.differencesMarkdown()", RuleReference.differencesMarkdown()),
    ])
    func `docs/rules.md holds what the code declares`(mark: String, generated: String) throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../docs/rules.md")
        var text = try String(contentsOf: path, encoding: .utf8)
        let start = try #require(text.range(of: "<!-- \(mark) -->\n")).upperBound
        let end = try #require(text.range(of: "<!-- end -->", range: start..<text.endIndex)).lowerBound
        if text[start..<end] != generated, ProcessInfo.processInfo.environment["TRACE_UPDATE_GOLDEN"] != nil {
            text.replaceSubrange(start..<end, with: generated)
            return try Data(text.utf8).write(to: path)
        }
        #expect(text[start..<end] == generated, "run the tests with TRACE_UPDATE_GOLDEN=1")
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
