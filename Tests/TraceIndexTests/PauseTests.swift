import Journals
import RecordFormat
import SystemPackage
import Testing
import TraceFormat

@testable import TraceIndex

/// Sessions whose clock stood still.
@Suite struct PauseTests {
    private let scratch: Scratch
    private let folder: SessionFolder
    private let index: JournalIndex

    /// A recording that was paused after a minute, for ten.
    init() throws {
        scratch = try Scratch()
        folder = try scratch.session()
        index = try scratch.index()
        for (number, offset) in [(1, 30_000), (2, 60_000), (3, 90_000)] {
            try folder.append(SessionFolder.marker(number, at: offset, more: #","label":"m\#(number)""#))
        }
        try folder.append(Self.edge("media_end", 50, at: 60_000, "19:01:00"), to: "timeline.jsonl")
        try reconcile()
    }

    private static func edge(_ kind: String, _ id: Int, at offset: Int, _ time: String) -> String {
        """
        {"id":"\(SessionFolder.id(id))","kind":"\(kind)","offset_ms":\(offset),"wall_time":"2026-02-04T\(time)Z",\
        "created_at":"2026-02-04T\(time)Z","source":"system"}

        """
    }

    private func reconcile() throws { _ = try index.reconcile(journal: folder.path, in: scratch.root) }

    private func resume() throws {
        try folder.append(Self.edge("media_start", 51, at: 60_000, "19:11:00"), to: "timeline.jsonl")
        try reconcile()
    }

    private static func moment(_ time: String) throws -> Timestamp {
        try #require(Timestamp("2026-02-04T\(time)Z"))
    }

    private var everywhere: RecordFilter { RecordFilter(.roots([scratch.root])) }

    @Test func `a moment after a pause is later by its length`() throws {
        try resume()
        let expected = ["19:00:30.000", "19:01:00.000", "19:11:30.000"].map { "2026-02-04T\($0)Z" }
        #expect(
            try index.records(of: folder.path, kind: .marker).map { $0.wallTime?.description } == expected)
        #expect(try index.markers(everywhere).map { $0.wallTime?.description } == expected)
        let words = SearchWords("m3")
        try index.fillSearch()
        let hits = try index.search(words, everywhere, limit: 5)
        #expect(hits.map { $0.record?.wallTime?.description } == [expected[2]])
        let view = try index.database.read { database in
            try database.query("SELECT wall_ms FROM records WHERE kind = 'marker' ORDER BY line").map {
                $0.int(0)
            }
        }
        #expect(view.map { Timestamp(milliseconds: $0).description } == expected)
    }

    @Test(arguments: [
        ("19:00:00", "19:05:00", [1, 2]), ("19:01:00", "19:01:00", [2]), ("19:01:01", "19:11:00", []),
        ("19:11:00", "19:12:00", [3]), ("19:00:30", "19:11:30", [1, 2, 3]),
    ])
    func `since and until ask the session's clock`(_ first: String, _ last: String, _ lines: [Int]) throws {
        try resume()
        var filter = everywhere
        filter.moments = try Self.moment(first)...Self.moment(last)
        #expect(try index.markers(filter).map(\.line) == lines)
    }

    @Test func `what ran at a moment is found by the clock`() throws {
        func offset(_ time: String, now: String = "20:00:00") throws -> Int64? {
            try index.sessions(
                runningAt: Self.moment(time), in: everywhere.scope, now: Self.moment(now)
            ).first?.offset.milliseconds
        }
        // The pause lasts: the clock stands.
        #expect(try offset("19:30:00") == 60_000)
        try resume()
        #expect(try offset("19:00:45") == 45_000)
        #expect(try offset("19:05:00") == 60_000)
        #expect(try offset("19:12:00") == 120_000)
        try folder.write(
            SessionFolder.header(
                more: #""status":"closed","end_time":"2026-02-04T19:12:00Z","duration_ms":120000"#),
            to: "session.json")
        try reconcile()
        #expect(try offset("19:12:00") == 120_000)
        #expect(try offset("19:12:01") == nil)
        #expect(
            try !index.findings(of: folder.path).contains { $0.finding.rule.id == "closed-duration-mismatch" }
        )
    }

    @Test func `an index that grew with a pause is a fresh one`() throws {
        try resume()
        try folder.append(Self.edge("media_end", 52, at: 60_000, "19:11:00"), to: "timeline.jsonl")
        try reconcile()
        let grown = try index.dump()
        #expect(
            grown.filter { $0.hasPrefix("pause") } == ["pause 60000 0 600000", "pause 60000 600000 600000"])
        let fresh = try JournalIndex(at: scratch.root.appending("fresh.sqlite"), formats: Journals.all)
        _ = try fresh.reconcile(journal: folder.path, in: scratch.root)
        #expect(try fresh.dump() == grown)
        try folder.write(SessionFolder.start, to: "timeline.jsonl")
        try reconcile()
        #expect(try !index.dump().contains { $0.hasPrefix("pause") })
    }

    @Test func `a pause that lasts before others that are over does not move what comes behind it`() throws {
        try resume()
        for (kind, id, offset, time) in [
            ("media_end", 52, 80_000, "19:11:20"), ("media_start", 53, 80_000, "19:21:20"),
            ("media_end", 54, 20_000, "19:21:20"),
        ] {
            try folder.append(Self.edge(kind, id, at: offset, time), to: "timeline.jsonl")
        }
        try reconcile()
        let expected = ["19:00:30.000", "19:01:00.000", "19:21:30.000"].map { "2026-02-04T\($0)Z" }
        #expect(
            try index.records(of: folder.path, kind: .marker).map { $0.wallTime?.description } == expected)
        #expect(try index.markers(everywhere).map { $0.wallTime?.description } == expected)
    }

    @Test func `pauses without end don't overflow`() throws {
        for number in 0..<50 {
            try folder.append(
                Self.edge("media_end", 100 + number, at: 60_000 + number, "19:01:00")
                    .replacing("2026-02-04", with: "0000-01-01")
                    + Self.edge("media_start", 200 + number, at: 60_000 + number, "19:01:00")
                    .replacing("2026-02-04", with: "9999-12-31"), to: "timeline.jsonl")
        }
        try reconcile()
        #expect(try index.markers(everywhere).map(\.line) == [1, 2, 3])
    }
}
