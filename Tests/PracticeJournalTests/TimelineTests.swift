import PracticeJournal
import RecordFormat
import Testing

struct TimelineTests {
    private static func cases(_ isLog: Bool) -> [GoldenCase] {
        GoldenCase.all(of: "practice-timeline") { ($0["log"] != nil) == isLog }
    }

    @Test(arguments: cases(false))
    func `rows and log are one timeline`(golden: GoldenCase) throws {
        let names = Dictionary(
            try golden.file.need("names").members.map { ($0.name, $0.value.string ?? "") },
            uniquingKeysWith: { $1 })
        let timeline = PracticeTimeline(
            try Scene.document(golden.file.need("document").bytes).rows,
            try LibraryLog(golden.file.need("log").bytes).entries,
            filter: try #require(TimelineFilter(rawValue: golden.text("filter"))),
            zone: try Scene.zone(golden.text("zone")), name: { $0.isEmpty ? "None" : names[$0] ?? $0 })
        let expected = try golden.need("expect").elements
        #expect(timeline.items.map(\.id) == expected.map { $0.text("id") })
        #expect(timeline.items.map(\.time) == expected.map { $0["at"]?.number })
        #expect(timeline.items.map(\.text) == expected.map { $0.text("text") })
        #expect(timeline.items.map(\.day) == expected.map { $0.text("day") })
    }

    /// The names of the games alone would not make an id canonical; the library of the other goldens has the same games.
    @Test(arguments: cases(true))
    func `the log is read in both of its forms`(golden: GoldenCase) throws {
        let log = try LibraryLog(golden.need("log").bytes, library: try Scene.library())
        #expect(log.entries.map { GoldenValue($0.json.bytes) } == (try golden.need("expect").elements))
    }
}
