import RecordFormat
import SystemPackage
import TestSupport
import Testing
import TraceFormat

@testable import TraceIndex

/// Lists of one session's records, a page at a time.
@Suite struct RecordPageTests {
    private let scratch: Scratch
    private let folder: SessionFolder
    private let index: JournalIndex

    init() throws {
        scratch = try Scratch()
        folder = try scratch.session()
        index = try scratch.index()
    }

    private func reconcile() throws {
        try waitForClock()
        _ = try index.reconcile(journal: folder.path, in: scratch.root, settleTime: .zero)
    }

    private func offset(_ milliseconds: Int64) -> SessionOffset { SessionOffset(milliseconds: milliseconds) }

    private var all: RecordSelection { RecordSelection(of: folder.path, .marker) }

    /// The lines of all pages.
    private func lines(_ selection: RecordSelection, pageSize: Int) throws -> [Int] {
        var lines: [Int] = []
        var key: RecordSortKey?
        while let last = try index.records(selection, after: key, limit: pageSize).map({ record in
            lines.append(record.line)
            return RecordSortKey(record)
        }).last { key = last }
        return lines
    }

    /// Few offsets, ids that come again, and lines without an id or an offset.
    private func writeMany() throws {
        var random = SeededRandom(seed: 7)
        let text = (0..<400).map { _ -> String in
            let number = Int.random(in: 0..<300, using: &random)
            let more = random.element(of: [
                "", #","tags":["highlight"]"#, #","tags":["Fix_Review","bass"]"#, #","tags":["bass"]"#,
            ])
            let line = SessionFolder.marker(number, at: Int.random(in: 0..<12, using: &random), more: more)
            return random.element(of: [line, line, line, line, "{\"offset_ms\":3}\n", "no marker\n"])
        }
        try folder.append(text.joined())
        try reconcile()
    }

    @Test(arguments: [1, 2, 7, 1000])
    func `pages joined are the whole list`(pageSize: Int) throws {
        try writeMany()
        let whole = try index.records(of: folder.path, kind: .marker)
        #expect(whole.count > 100)
        #expect(try lines(all, pageSize: pageSize) == whole.map(\.line))
        #expect(try index.records(all) == whole)

        var some = all
        some.offsets = offset(3)...offset(8)
        some.tags = ["fix-review"]
        let tagged = try index.records(
            of: folder.path, kind: .marker, offsets: some.offsets, tag: "fix-review")
        #expect(tagged.count > 10)
        #expect(try lines(some, pageSize: pageSize) == tagged.map(\.line))
        some.tags.append("BASS")
        #expect(try lines(some, pageSize: pageSize) == tagged.map(\.line))
        some.tags.append("none")
        #expect(try lines(some, pageSize: pageSize) == [])
    }

    @Test func `a page begins behind a place, whether or not a record is there`() throws {
        try folder.append([10, 20, 20, 30].enumerated().map { SessionFolder.marker($0, at: $1) }.joined())
        try reconcile()
        func lines(_ after: Int64, _ line: Int, in range: ClosedRange<Int64> = 0...(.max)) throws -> [Int] {
            var selection = all
            selection.offsets = offset(range.lowerBound)...offset(range.upperBound)
            return try index.records(selection, after: RecordSortKey(offset: offset(after), line: line))
                .map(\.line)
        }
        #expect(try lines(20, 2) == [3, 4])
        #expect(try lines(20, 3) == [4])
        #expect(try lines(20, 0) == [2, 3, 4])
        #expect(try lines(20, .max) == [4] && lines(20, .min) == [2, 3, 4])
        #expect(try lines(15, 9) == [2, 3, 4])
        #expect(try lines(30, 4) == [] && lines(.max, 1) == [])
        #expect(try lines(5, 1, in: 20...20) == [2, 3])
        #expect(try lines(20, 2, in: 0...20) == [3] && lines(30, 1, in: 0...20) == [])
    }

    @Test func `what is added before the place shows nothing twice, and what is added behind it is shown`()
        throws
    {
        try folder.append((0..<6).map { SessionFolder.marker($0, at: $0 * 10) }.joined())
        try reconcile()
        let page = try index.records(all, limit: 3)
        try folder.append(SessionFolder.marker(7, at: 5) + SessionFolder.marker(8, at: 45))
        // The last of the page moves away: the place is still one.
        try folder.append(SessionFolder.marker(2, at: 1))
        try reconcile()
        let rest = try index.records(all, after: page.last.map { RecordSortKey($0) })
        #expect(rest.map { $0.offset?.milliseconds } == [30, 40, 45, 50])
    }

    @Test func `it is counted back from an offset`() throws {
        try folder.append(
            [10, 20, 20, 30, 40].enumerated().map { SessionFolder.marker($0, at: $1) }.joined())
        try folder.append(SessionFolder.marker(3, at: 35, more: #","tags":["b"]"#))
        try reconcile()
        func first(_ count: Int, _ from: Int64, _ selection: RecordSelection) throws -> Int? {
            let key = try index.sortKey(in: selection, countingBack: count, from: offset(from))
            return try index.records(selection, after: key, limit: 1).first?.line
        }
        #expect(try first(2, 40, all) == 3)
        #expect(try first(1, 40, all) == 6 && first(0, 40, all) == 5)
        #expect(try first(2, 36, all) == 3 && first(2, 35, all) == 2)
        #expect(try first(9, 40, all) == 1 && first(3, 0, all) == 1)
        #expect(try first(1, .max, all) == 5)
        #expect(try first(3, .min, all) == 1)
        var some = all
        some.offsets = offset(20)...offset(35)
        #expect(try first(1, 90, some) == 6 && first(9, 90, some) == 2)
        some.tags = ["b"]
        #expect(try first(0, 90, some) == nil && first(1, 90, some) == 6)
    }

    @Test(arguments: [RecordKind.voiceNote, .transcript, .timeline])
    func `records of every kind with offsets come in pages`(kind: RecordKind) throws {
        try folder.append(
            SessionFolder.voiceNote(1, at: 9) + SessionFolder.voiceNote(2, at: 3), to: "voice_notes.jsonl")
        try folder.append(
            SessionFolder.segment(1, at: 9) + SessionFolder.segment(2, at: 3), to: "transcript.jsonl")
        try folder.append(
            SessionFolder.start.replacing("FAV", with: "FAW").replacing("session_start", with: "media_start"),
            to: "timeline.jsonl")
        try reconcile()
        let whole = try index.records(of: folder.path, kind: kind)
        #expect(whole.count == 2)
        #expect(
            try lines(RecordSelection(of: folder.path, kind), pageSize: 1) == whole.map(\.line))
    }

    @Test func `a session that the index does not know is an error`() {
        let selection = RecordSelection(of: "/none", .marker)
        #expect(code { try index.records(selection, limit: 1) } == .noSuchSession)
        #expect(
            code { try index.sortKey(in: selection, countingBack: 1, from: .zero) } == .noSuchSession)
    }
}
