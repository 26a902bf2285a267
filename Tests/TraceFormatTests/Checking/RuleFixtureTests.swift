import Foundation
import RecordFormat
import Testing
import TraceFormat

struct RuleFixtureTests {
    @Test(arguments: Rule.all.map(\.id)) func `every rule has a fixture with exactly its findings`(
        rule: String
    ) throws {
        try #require(RuleFixture.names().contains(rule), "Tests/Fixtures/rules/\(rule) is missing")
        let fixture = RuleFixture(name: rule)
        let findings = try fixture.session().findings()
        if ProcessInfo.processInfo.environment["TRACE_UPDATE_GOLDEN"] != nil { try fixture.expect(findings) }
        #expect(findings.map(\.description) == (try fixture.expected()))
        #expect(Set(findings.map(\.rule.id)) == [rule], "the fixture breaks its own rule and no other")
    }

    @Test func `every fixture has a rule`() throws {
        #expect(try RuleFixture.names().filter { Rule.named($0) == nil } == [])
    }

    @Test func `a session with every kind of record has no findings`() throws {
        #expect(try SessionFiles.valid.findings() == [])
    }

    @Test func `rules are named in kebab case and once`() {
        #expect(Set(Rule.all.map(\.id)).count == Rule.all.count)
        for rule in Rule.all {
            #expect(rule.id.allSatisfy { $0 == "-" || $0.isLowercase || $0.isWholeNumber }, "\(rule.id)")
            #expect(Rule.named(rule.id) == rule)
            #expect(rule.summary.hasSuffix("."), "\(rule.id)")
            #expect(!rule.cureText.isEmpty && !rule.cureText.hasSuffix("."), "\(rule.id)")
        }
        #expect(Rule.named("no-such-rule") == nil)
    }
}
