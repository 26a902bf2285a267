import PracticeJournal
import RecordFormat
import Testing

struct DateTests {
    @Test(arguments: GoldenCase.all(of: "practice-dates"))
    func `the times of a document are told apart`(golden: GoldenCase) throws {
        let document = try golden.need("document")
        let expected = try golden.need("expect")
        try document.read { root in
            var entries: [DocumentDates.Entry] = []
            let dates = DocumentDates(of: root) { entries.append($0) }
            #expect(dates.unit.rawValue == expected.text("unit"))
            #expect(dates.usedFallback == expected["usedFallback"]?.boolean)
            let times = try expected.need("timestamps").elements
            #expect(entries.map(\.path.description) == times.map { $0.text("path") })
            #expect(entries.map(\.milliseconds) == times.map { $0["ms"]?.number })
            let findings = try expected.need("findings").elements
            #expect(
                dates.found.findings.map { "\($0.rule.id) \($0.path)" }
                    == findings.map { "\($0.text("rule")) \($0.text("path"))" })
        }
    }
}
