import RecordFormat
import Testing

struct DayTimelineTests {
    @Test(arguments: GoldenCase.all(of: "timeline-day"))
    func `all journals have one day`(golden: GoldenCase) throws {
        let entries = try golden.file.need("records").elements.map { record in
            DayTimeline.Entry(
                JournalKind(name: record.text("journal")), title: record.text("title"),
                entryKind: record.text("kind"), time: try #require(record["at_ms"]?.number),
                text: record.text("text"))
        }
        let timeline = DayTimeline(
            try #require(CivilDate(golden.text("day"))), in: try Scene.zone(golden.text("zone")), entries,
            kinds: ["session", "practice", "caddy", "waterline"].map { JournalKind(name: $0) })
        #expect(timeline.lines == (try golden.need("expect").need("lines").elements.map(\.string)))
    }

    @Test(arguments: [
        ("2026-02-29", false), ("2028-02-29", true), ("2026-2-1", false), ("", false), ("2026-13-01", false),
        ("2026-01-0a", false), ("+026-01-01", false),
    ])
    func `a day is one of the calendar`(text: String, isDay: Bool) {
        #expect((CivilDate(text) != nil) == isDay)
    }
}
