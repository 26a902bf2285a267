import PracticeJournal
import RecordFormat
import Testing

struct RepairTests {
    @Test(arguments: GoldenCase.all(of: "practice-dates"))
    func `a repair writes the times that were read, once`(golden: GoldenCase) throws {
        let document = try Scene.document(golden.need("document").bytes)
        let repair = try DocumentRepair(of: document)
        let times = try golden.need("expect").need("timestamps").elements
        let repaired = try Scene.document(repair.bytes)
        try repaired.withRoot { root in
            var read: [Double?] = []
            _ = DocumentDates(of: root) { read.append($0.milliseconds) }
            #expect(read == times.map { $0["ms"]?.number })
        }
        #expect(repaired.dateUnit != .appleSeconds)
        let again = try DocumentRepair(of: repaired)
        #expect(again.fixes == [] && again.bytes == repair.bytes)
    }

    @Test func `blank keys and a byte order mark go, and every other byte stays`() throws {
        let text = #"{"gameSummaryNotes" : {" ":"whose?", "GaB12":"two balls first","":"?"} , "x":[1.50] }"#
        let repair = try DocumentRepair(of: try Scene.document("\u{FEFF}\(text)".utf8))
        #expect(
            String(decoding: repair.bytes, as: UTF8.self)
                == #"{"gameSummaryNotes" : {"GaB12":"two balls first"} , "x":[1.50] }"#)
        #expect(repair.fixes.count == 3)
        #expect(try DocumentRepair(of: try Scene.document(repair.bytes)).fixes == [])
    }
}
