import Foundation
import RecordFormat
import Testing

@testable import PracticeJournal

/// A document that violates one rule, and what is to be found in it.
private struct RuleFixture {
    let rule: String

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/practice-rules")

    static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.path).sorted()
    }

    private var directory: URL { Self.root.appending(path: rule) }

    func findings() throws -> [Finding] {
        let library = try? Data(contentsOf: directory.appending(path: "library.json"))
        let bytes = try Data(contentsOf: directory.appending(path: "practice-state.json"))
        return try PracticeImport(
            Array(bytes), file: "practice-state.json",
            library: try library.map { try Scene.library(GoldenValue($0)) } ?? GameLibrary(), now: Scene.now
        ).findings
    }

    /// `TRACE_UPDATE_GOLDEN=1` writes them again.
    func expected(_ findings: [Finding]) throws -> [String] {
        let file = directory.appending(path: "expected.txt")
        if ProcessInfo.processInfo.environment["TRACE_UPDATE_GOLDEN"] == "1" {
            try Data(findings.map { "\($0)\n" }.joined().utf8).write(to: file)
        }
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }
}

struct RuleTests {
    @Test(arguments: [
        ("101", Rule.practiceProgressRange), ("-1", .practiceProgressRange), ("40.5", .typeMismatch),
        (#""40""#, .typeMismatch), ("true", .typeMismatch), ("[40]", .typeMismatch),
    ])
    func `a percentage out of range is one thing, and what is none another`(value: String, rule: Rule) throws
    {
        let text =
            #"{"schemaVersion":4,"studyEvents":[{"id":"00000000-0000-4000-8000-000000000001","gameID":"G1","task":"rulesheet","progressPercent":\#(value),"timestamp":1772402400000}]}"#
        #expect(try Scene.reading(text.utf8).findings.map(\.rule) == [rule])
    }

    /// That a directory has one header is no rule of a document (`DocumentTests`).
    @Test(arguments: (Rule.practice + Rule.journal).filter { $0 != .journalAmbiguous }.map(\.id))
    func `every rule has a fixture`(rule: String) throws {
        #expect(try RuleFixture.names().contains(rule))
    }

    @Test(arguments: try RuleFixture.names())
    func `a fixture violates its own rule and no other`(rule: String) throws {
        let findings = try RuleFixture(rule: rule).findings()
        // What is converted is of the older shape first of all.
        let isConversion = rule.hasPrefix("practice-legacy")
        #expect(Set(findings.map(\.rule.id)) == (isConversion ? [rule, "practice-shape-legacy"] : [rule]))
        let expected = try RuleFixture(rule: rule).expected(findings)
        #expect(findings.map(\.description) == expected)
    }

    @Test func `rules are named once, and say what they ask for and what to do`() {
        let rules = Rule.practice + Rule.league + Rule.journal + Rule.reading + Rule.schema
        #expect(Set(rules.map(\.id)).count == rules.count)
        for rule in rules {
            #expect(rule.id.allSatisfy { $0 == "-" || $0.isLowercase || $0.isWholeNumber }, "\(rule.id)")
            #expect(rule.summary.hasSuffix("."), "\(rule.id)")
            #expect(!rule.cureText.isEmpty && !rule.cureText.hasSuffix("."), "\(rule.id)")
        }
    }
}
