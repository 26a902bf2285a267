import PracticeJournal
import RecordFormat
import Testing

struct LegacyTests {
    @Test(arguments: GoldenCase.all(of: "practice-legacy"))
    func `the older shape is told and converted`(golden: GoldenCase) throws {
        let document = try golden.need("document")
        #expect(document.read { DocumentShape(of: $0) }?.rawValue == golden.text("shape"))
        guard let expected = golden["expect"] else { return }
        let now = Timestamp(milliseconds: Int64(try #require(golden["now_ms"]?.integer)))
        let conversion = try #require(document.read { LegacyConversion(of: $0, now: now) })
        let found = GoldenValue(conversion.bytes)
        for (name, value) in try expected.need("document").members {
            #expect(found[name] == value, "\(name)")
        }
        #expect(found == expected["document"])
        #expect(
            conversion.found.findings.map { "\($0.rule.id) \($0.path)" }
                == (try expected.need("findings").elements.map { "\($0.text("rule")) \($0.text("path"))" }))
    }
}
