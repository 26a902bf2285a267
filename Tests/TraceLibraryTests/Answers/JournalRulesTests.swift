import Foundation
import Journals
import RecordFormat
import Testing
import TraceFormat
import TraceStore

@testable import TraceLibrary
import TraceStore

@Suite(.serialized) struct JournalRulesTests {
    @Test func `docs/rules.md holds the rules of all kinds of journal`() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../docs/rules.md")
        var text = try String(contentsOf: path, encoding: .utf8)
        let mark = "<!-- journals: JournalRules.markdown() -->\n"
        let start = try #require(text.range(of: mark)).upperBound
        let end = try #require(text.range(of: "<!-- end -->", range: start..<text.endIndex)).lowerBound
        let generated = JournalRules.markdown()
        if text[start..<end] != generated, ProcessInfo.processInfo.environment["TRACE_UPDATE_GOLDEN"] != nil {
            text.replaceSubrange(start..<end, with: generated)
            return try Data(text.utf8).write(to: path)
        }
        #expect(text[start..<end] == generated, "run the tests with TRACE_UPDATE_GOLDEN=1")
    }

    @Test func `every rule of every kind of journal belongs to one group`() {
        let grouped = (RuleReference.groups + JournalRules.groups).flatMap(\.rules)
        #expect(Set(grouped) == Set(Journals.all.rules))
        #expect(grouped.count == Journals.all.rules.count)
    }
}
