import RecordFormat
import SystemPackage
import TestSupport
import Testing
import TraceFormat

@testable import TraceIndex

/// The markers of all sessions, and the sessions, a page at a time.
@Suite struct MarkerPageTests {
    private let scratch: Scratch
    private let index: JournalIndex

    init() throws {
        scratch = try Scratch()
        index = try scratch.index()
    }

    private var everywhere: RecordFilter {
        var filter = RecordFilter(.roots([scratch.root]))
        filter.offsets = SessionOffset.zero...SessionOffset(milliseconds: .max)
        return filter
    }

    /// A session with some markers; without a start if `minute` is nil.
    private func add(
        _ name: FilePath.Component, minute: Int?, _ more: String = #""status":"active""#, markers: String,
        pause: (Int, String, String)? = nil
    ) throws {
        let folder = try scratch.session(name)
        let start = minute.map { "2026-02-04T19:\($0 < 10 ? "0" : "")\($0):00Z" } ?? "yesterday"
        try folder.write(SessionFolder.header(startTime: start, more: more), to: "session.json")
        if let (offset, begin, end) = pause {
            for (id, kind, time) in [(50, "media_end", begin), (51, "media_start", end)] {
                try folder.append(
                    #"{"id":"\#(SessionFolder.id(id))","kind":"\#(kind)","offset_ms":\#(offset),"#
                        + #""wall_time":"2026-02-04T\#(time)Z","created_at":"2026-02-04T\#(time)Z","source":"system"}"#
                        + "\n", to: "timeline.jsonl")
            }
        }
        try folder.append(markers)
        _ = try index.reconcile(journal: folder.path, in: scratch.root, settleTime: .zero)
    }

    private func markers(_ offsets: [Int]) -> String {
        offsets.enumerated().map { number, offset in
            SessionFolder.marker(number, at: offset, more: number % 3 == 0 ? #","tags":["highlight"]"# : "")
        }.joined()
    }

    private func pages(_ filter: RecordFilter, _ size: Int) throws -> [IndexedRecord] {
        var found: [IndexedRecord] = []
        while true {
            let page = try index.markers(
                filter, after: found.last.map { MarkerSortKey($0) }, limit: size)
            found += page
            if page.count < size { return found }
        }
    }

    /// Sessions that overlap, that start together, that are paused, that hold something beyond their ends, that have no start.
    private func addMany() throws {
        var random = SeededRandom(seed: 11)
        func some(_ count: Int, _ range: Range<Int>) -> [Int] {
            (0..<count).map { _ in Int.random(in: range, using: &random) * 10_000 }
        }
        let closed = #""status":"closed","end_time":"2026-02-04T19:05:00Z","duration_ms":300000"#
        try add("b", minute: 0, closed, markers: markers(some(90, 0..<20)))
        try add("a", minute: 0, closed, markers: markers(some(80, 0..<20)))
        try add("c", minute: 1, markers: markers(some(70, 0..<30)), pause: (60_000, "19:02:00", "19:04:00"))
        try add("d", minute: 2, closed, markers: markers(some(10, 0..<90)))
        try add("e", minute: 30, closed, markers: markers(some(150, 0..<2)))
        try add("f", minute: 31, closed, markers: "")
        try add("h", minute: nil, markers: markers(some(20, 0..<4)))
        try add("g", minute: nil, markers: markers(some(20, 0..<4)))
        try add("i", minute: 2, markers: SessionFolder.marker(1, at: 5) + SessionFolder.marker(1, at: 7))
    }

    @Test(arguments: [1, 3, 64, 65, 10_000])
    func `pages of the markers of all sessions joined are the whole list`(size: Int) throws {
        try addMany()
        let whole = try index.markers(everywhere)
        #expect(whole.count == 441)
        #expect(try pages(everywhere, size) == whole)

        var some = everywhere
        some.tags = ["highlight"]
        some.offsets = SessionOffset(milliseconds: 20_000)...SessionOffset(milliseconds: 200_000)
        #expect(try index.markers(some).count > 50)
        #expect(try pages(some, size) == index.markers(some))

        for (first, last) in [("19:00:10", "19:05:00"), ("19:02:00", "19:04:00"), ("19:30:00", "23:00:00")] {
            var within = everywhere
            within.moments = try moment(first)...moment(last)
            #expect(try !index.markers(within).isEmpty)
            #expect(try pages(within, size) == index.markers(within))
        }
        let one = RecordFilter(.session(scratch.root.appending("c")))
        #expect(try pages(one, size) == index.markers(one))
        #expect(try pages(RecordFilter(.roots(["/none"])), size).isEmpty)
    }

    private func moment(_ time: String) throws -> Timestamp {
        try #require(Timestamp("2026-02-04T\(time)Z"))
    }

    @Test func `a marker that is added before the place shows nothing twice`() throws {
        try add("a", minute: 0, markers: markers([1000, 2000, 3000]))
        try add("b", minute: 0, markers: markers([1000, 2000, 3000]))
        let page = try index.markers(everywhere, after: nil, limit: 3)
        #expect(page.map { $0.session.lastComponent?.string } == ["a", "b", "a"])
        let path = scratch.root.appending("a")
        try path.appending("markers.jsonl").write(SessionFolder.marker(20, at: 1500).utf8, [.append])
        _ = try index.reconcile(journal: path, in: scratch.root, settleTime: .zero)
        try add("c", minute: 0, markers: markers([2000]))
        let rest = try index.markers(everywhere, after: page.last.map { MarkerSortKey($0) }, limit: 9)
        #expect(rest.map { $0.session.lastComponent?.string } == ["b", "c", "a", "b"])
        #expect(rest.map { $0.offset?.milliseconds } == [2000, 2000, 3000, 3000])
    }

    // MARK: - Sessions

    private func paths(_ filter: SessionFilter) throws -> [String?] {
        try index.sessions(filter).map { $0.path.lastComponent?.string }
    }

    @Test(arguments: [1, 2, 4, 100])
    func `pages of the sessions joined are the whole list`(size: Int) throws {
        try addMany()
        let whole = try index.sessions()
        #expect(whole.map { $0.path.lastComponent?.string } == ["f", "e", "d", "i", "c", "a", "b", "g", "h"])
        var found: [IndexedSession] = []
        var filter = SessionFilter()
        filter.limit = size
        while true {
            filter.after = found.last.map { SessionSortKey($0) }
            let page = try index.sessions(filter)
            found += page
            if page.count < size { break }
        }
        #expect(found == whole)
        // A session that comes before the place moves none.
        filter.after = SessionSortKey(whole[3])
        filter.limit = nil
        let rest = try paths(filter)
        try add("z", minute: 50, markers: "")
        #expect(try paths(filter) == rest && rest == ["c", "a", "b", "g", "h"])
    }

    @Test func `a filter leaves the sessions that it names`() throws {
        try addMany()
        try add(
            "j", minute: 40, markers: SessionFolder.marker(1, more: #","tags":["Fix_Review"]"#) + "broken\n")
        try add("k", minute: 0, markers: "")
        var filter = SessionFilter()
        filter.status = .closed
        #expect(try paths(filter) == ["f", "e", "d", "a", "b"])
        filter.starts = try moment("19:00:00")...moment("19:30:00")
        #expect(try paths(filter) == ["e", "d", "a", "b"])
        filter = SessionFilter()
        filter.tags = ["fix-review"]
        #expect(try paths(filter) == ["j"])
        filter.tags = ["highlight", "fix-review"]
        #expect(try paths(filter) == [])
        filter = SessionFilter()
        filter.roots = [scratch.path]
        #expect(try paths(filter) == [])
        filter.roots = [scratch.path, scratch.root]
        filter.hasFindings = true
        #expect(
            try paths(filter)
                == index.sessions().filter { !$0.findingCounts.isEmpty }.map { $0.path.lastComponent?.string }
        )
        #expect(try paths(filter).contains("j") && !paths(filter).contains("k"))
    }
}
