import PracticeJournal
import RecordFormat
import Testing

struct StrictViewTests {
    @Test(arguments: GoldenCase.all(of: "practice-strict-view"))
    func `a strict reader gets what it can read`(golden: GoldenCase) throws {
        let expected = try golden.need("expect")
        let view = try StrictView(of: try Scene.document(golden.need("document").bytes))
        #expect(GoldenValue(view.bytes) == expected["document"])
        #expect(
            view.withheld.map { "\($0.array.rawValue) \($0.id ?? "")" }
                == (try expected.need("withheld").elements.map { "\($0.text("array")) \($0.text("id"))" }))
        #expect(
            view.adjusted.map { "\($0.array.rawValue) \($0.id ?? "") \($0.member ?? "")" }
                == (try expected.need("mended").elements.map {
                    "\($0.text("array")) \($0.text("id")) \($0.text("key"))"
                }))
    }

    @Test func `nothing to adjust is the same text`() throws {
        let text = ByteTests.odd.replacing("\"x\":null", with: "\"x\":7")
        let view = try StrictView(of: try Scene.document(text.utf8))
        #expect(view.bytes == Array(text.utf8))
    }
}
