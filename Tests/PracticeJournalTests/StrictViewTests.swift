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

    @Test(arguments: [
        (
            #""analyticsSettings":{"gapMode":"wormhole","useMedian":false,"x":1}"#,
            #""analyticsSettings":{"gapMode":"compressInactive","useMedian":false,"x":1}"#
        ),
        (#""analyticsSettings":{}"#, #""analyticsSettings":{"gapMode":"compressInactive","useMedian":true}"#),
        (
            #""leagueSettings":{"playerName":null,"csvAutoFillEnabled":"yes","lastImportAt":"today"}"#,
            #""leagueSettings":{"playerName":"","csvAutoFillEnabled":true}"#
        ),
        (
            #""practiceSettings":{"playerName":7,"selectedGroupID":"none"}"#,
            #""practiceSettings":{}"#
        ),
        (#""syncSettings":[1]"#, ""),
        (#""syncSettings":null"#, #""syncSettings":null"#),
        (
            #""rulesheetResumeOffsets":{"A":0.5,"B":"half","C":null}"#,
            #""rulesheetResumeOffsets":{"A":0.5}"#
        ),
        (#""gameSummaryNotes":"none""#, ""),
    ])
    func `settings and places that a strict reader can't read are as it takes them where they are missing`(
        stored: String, shown: String
    ) throws {
        let document = try Scene.document(#"{"schemaVersion":4,\#(stored)}"#.utf8)
        let view = try StrictView(of: document)
        let members = [#""schemaVersion":4"#, shown].filter { !$0.isEmpty }.joined(separator: ",")
        #expect(GoldenValue(view.bytes) == GoldenValue("{\(members)}".utf8))
        #expect(try StrictView(of: Scene.document(view.bytes)).bytes == view.bytes)
    }
}
