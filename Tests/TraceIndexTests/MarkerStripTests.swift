import RecordFormat
import SystemPackage
import TestSupport
import Testing
import TraceFormat

@testable import TraceIndex

/// How many markers are where.
@Suite struct MarkerStripTests {
    private let scratch: Scratch
    private let folder: SessionFolder
    private let index: JournalIndex

    init() throws {
        scratch = try Scratch()
        folder = try scratch.session()
        index = try scratch.index()
    }

    private func reconcile() throws {
        _ = try index.reconcile(journal: folder.path, in: scratch.root, settleTime: .zero)
    }

    private func strip(
        _ first: Int64? = nil, _ last: Int64? = nil, cells: Int
    ) throws -> MarkerStrip {
        try index.markerStrip(
            of: folder.path, from: first.map(SessionOffset.init(milliseconds:)),
            to: last.map(SessionOffset.init(milliseconds:)), cells: cells)
    }

    @Test func `markers are counted by category in either spelling, and only where their last line says`()
        throws
    {
        let tags = [
            (0, #"["highlight"]"#), (1, #"["texture_sample"]"#), (2, #"["texture-sample"]"#),
            (3, #"["fix_review","bass"]"#), (4, #"["fix-review","highlight"]"#), (5, #"["HIGHLIGHT"]"#),
            (6, #"["bass"]"#), (7, #"["structure"]"#),
        ]
        try folder.append(
            tags.map { SessionFolder.marker($0, at: $0 * 100, more: #","tags":\#($1)"#) }.joined()
                + SessionFolder.marker(8, at: 799) + "{\"offset_ms\":100}\n"
                + SessionFolder.marker(7, at: 0, more: #","tags":["structure"]"#))
        try reconcile()
        let strip = try strip(cells: 8)
        #expect(strip.offsets.lowerBound == .zero && strip.offsets.upperBound.milliseconds == 799)
        #expect(strip.counts == [2, 1, 1, 1, 1, 1, 1, 1])
        #expect(strip.before == [0, 2, 3, 4, 5, 6, 7, 8])
        #expect(strip.categories[.highlight] == [1, 0, 0, 0, 1, 1, 0, 0])
        #expect(strip.categories[.texture] == [0, 1, 1, 0, 0, 0, 0, 0])
        #expect(strip.categories[.fix] == [0, 0, 0, 1, 1, 0, 0, 0])
        #expect(strip.categories[.structure] == [1, 0, 0, 0, 0, 0, 0, 0])
        #expect(strip.others == [0, 0, 0, 0, 0, 0, 1, 1])
        for category in MarkerCategory.allCases {
            let listed = try index.records(of: folder.path, kind: .marker, tag: category.rawValue)
            #expect(strip.categories[category]?.reduce(0, +) == listed.count)
        }
    }

    @Test(arguments: [1, 2, 3, 7, 60, 2000])
    func `every marker of a stretch is in the cell where it lies`(cells: Int) throws {
        var random = SeededRandom(seed: 3)
        let offsets = (0..<500).map { _ in Int.random(in: 0..<1000, using: &random) }
        try folder.append(offsets.enumerated().map { SessionFolder.marker($0, at: $1) }.joined())
        try reconcile()
        let last = try #require(offsets.max())
        for (first, end) in [(0, last), (0, 5000), (100, 899), (250, 250), (950, 4000), (2000, 3000)] {
            let strip = try strip(Int64(first), Int64(end), cells: cells)
            var expected = [Int](repeating: 0, count: cells)
            for offset in offsets where offset >= first && offset <= end {
                expected[(offset - first) * cells / (end - first + 1)] += 1
            }
            #expect(strip.counts == expected, "\(first)...\(end)")
            #expect(strip.others == expected && strip.total == expected.reduce(0, +))
        }
    }

    @Test func `a stretch goes to the session's end, or to the last marker if that is later`() throws {
        try folder.append(SessionFolder.marker(1, at: 500))
        try reconcile()
        #expect(try strip(cells: 3).offsets.upperBound.milliseconds == 500)
        try folder.write(
            SessionFolder.header(
                more: #""status":"closed","end_time":"2026-02-04T19:00:01Z","duration_ms":1000"#),
            to: "session.json")
        try reconcile()
        #expect(try strip(cells: 2).counts == [1, 0])
        #expect(try strip(cells: 2).offsets.upperBound.milliseconds == 1000)
        try folder.append(SessionFolder.marker(2, at: 3000))
        try reconcile()
        #expect(try strip(cells: 2).offsets.upperBound.milliseconds == 3000)
        #expect(try strip(9000, nil, cells: 2).counts == [0, 0])
        #expect(try strip(-5, -1, cells: 2).offsets == .zero ... .zero)
    }

    @Test func `offsets as large as can be have a cell too, and a session without markers has none in any`()
        throws
    {
        let empty = try scratch.session("empty")
        _ = try index.reconcile(journal: empty.path, in: scratch.root, settleTime: .zero)
        #expect(try index.markerStrip(of: empty.path, cells: 3).counts == [0, 0, 0])
        try folder.append(SessionFolder.marker(1, at: 0) + SessionFolder.marker(2, at: .max))
        try reconcile()
        #expect(try strip(0, .max, cells: 3).counts.reduce(0, +) == strip(cells: 3).total)
        #expect(try strip(cells: 3).counts.first ?? 0 > 0)
        #expect(code { try index.markerStrip(of: "/none", cells: 1) } == .noSuchSession)
    }
}
