import RecordFormat
import SystemPackage
import TestSupport
import Testing
import TraceFormat

@testable import TraceIndex

/// What happened, in all journals, a page at a time.
@Suite struct TimelinePageTests {
    private let scratch: Scratch
    private let index: JournalIndex

    init() throws {
        scratch = try Scratch()
        index = try scratch.index()
    }

    private var everywhere: RecordFilter { RecordFilter(.roots([scratch.root])) }

    private func reconcile(_ path: FilePath) throws {
        _ = try index.reconcile(journal: path, in: scratch.root, settleTime: .zero)
    }

    /// A session with records of several kinds, many of them at one offset.
    private func addSession(
        _ name: FilePath.Component, start: String = "2026-03-01T22:00:00Z", isPaused: Bool = false,
        isClosed: Bool = false
    ) throws {
        var random = SeededRandom(seed: 5)
        func offset() -> Int { Int.random(in: 0..<20, using: &random) * 500 }
        let folder = try scratch.session(name)
        let more =
            isClosed
            ? #""status":"closed","end_time":"2026-03-01T22:00:10Z","duration_ms":10000"#
            : #""status":"active""#
        try folder.write(
            SessionFolder.header(startTime: start, more: more, voiceNotes: true, transcript: true),
            to: "session.json")
        if isPaused {
            for (id, kind, time) in [(50, "media_end", "22:00:04"), (51, "media_start", "22:10:04")] {
                try folder.append(
                    #"{"id":"\#(SessionFolder.id(id))","kind":"\#(kind)","offset_ms":4000,"#
                        + #""wall_time":"2026-03-01T\#(time)Z","created_at":"2026-03-01T\#(time)Z","source":"system"}"#
                        + "\n", to: "timeline.jsonl")
            }
        }
        try folder.append((0..<40).map { SessionFolder.marker($0, at: offset()) }.joined())
        // Takes the place of another line.
        try folder.append(SessionFolder.marker(3, at: offset()))
        try folder.append(
            (0..<10).map { SessionFolder.voiceNote(100 + $0, at: offset()) }.joined(), to: "voice_notes.jsonl"
        )
        try folder.append(
            (0..<10).map { SessionFolder.segment(200 + $0, at: offset()) }.joined(), to: "transcript.jsonl")
        try reconcile(folder.path)
    }

    /// Sessions and other journals of the same minutes; of each kind, some that are the same but for their paths.
    private func addMany() throws {
        try addSession("b")
        try addSession("a", isClosed: true)
        try addSession("c", isPaused: true)
        try addSession("d", start: "2026-03-01T22:00:03Z", isClosed: true)
        try addSession("e", start: "2026-03-01T22:20:00Z")
        for name in ["pins", "a-pins"] as [FilePath.Component] {
            var journal = try PracticeFolder(scratch.root.appending(name))
            for number in 0..<20 { journal.add("note \(number)") }
            try journal.write()
            try journal.writeLog(10)
            try reconcile(journal.path)
        }
    }

    private func pages(
        _ filter: RecordFilter, _ size: Int, hasEverything: Bool = true
    ) throws -> [TimelineRecord] {
        var found: [TimelineRecord] = []
        while true {
            let page = try index.timeline(
                filter, hasEverything: hasEverything, after: found.last.map { TimelineKey($0) }, limit: size)
            found += page
            if page.count < size { return found }
            // What comes twice would never end.
            try #require(found.count < 10_000)
        }
    }

    private func moment(_ time: String) throws -> Timestamp {
        try #require(Timestamp("2026-03-01T\(time)Z"))
    }

    @Test(arguments: [1, 2, 31, 32, 33, 10_000])
    func `pages of the timeline joined are the whole`(size: Int) throws {
        try addMany()
        let whole = try index.timeline(everywhere, hasEverything: true)
        #expect(whole.count > 350)
        #expect(Set(whole.map(\.kind)).count == 2 && Set(whole.map(\.record.kind)).count > 5)
        #expect(try pages(everywhere, size) == whole)
        #expect(
            try pages(everywhere, size, hasEverything: false) == index.timeline(everywhere))

        for (first, last) in [("22:00:02", "22:00:04"), ("22:05:00", "22:30:00"), ("23:00:00", "23:30:00")] {
            var within = everywhere
            within.moments = try moment(first)...moment(last)
            #expect(try pages(within, size) == index.timeline(within, hasEverything: true))
        }
        var some = everywhere
        some.kinds = [.marker]
        #expect(try pages(some, size).count == 200)
        some.kinds = nil
        some.journalKinds = [JournalKind(name: "practice")]
        #expect(try pages(some, size) == index.timeline(some, hasEverything: true))
        #expect(try pages(some, size) == whole.filter { $0.kind.name == "practice" })
        for name in ["c", "pins"] as [FilePath.Component] {
            let one = RecordFilter(.session(scratch.root.appending(name)))
            #expect(try !index.timeline(one, hasEverything: true).isEmpty)
            #expect(try pages(one, size) == index.timeline(one, hasEverything: true))
        }
        #expect(try pages(RecordFilter(.roots(["/none"])), size).isEmpty)
    }

    @Test func `a page behind a record that has gone begins with its moment`() throws {
        try addMany()
        let whole = try index.timeline(everywhere, hasEverything: true)
        for place in stride(from: 0, to: whole.count, by: 29) {
            let record = whole[place]
            let key = TimelineKey(
                time: record.time, journal: record.record.session, kind: record.record.kind.code,
                line: record.record.line, byteOffset: record.record.byteOffset + 1)
            let rest = try index.timeline(everywhere, hasEverything: true, after: key, limit: .max)
            #expect(rest == Array(whole.drop { $0.time < record.time }))
        }
    }

    @Test func `what was superseded is still a place to continue behind`() throws {
        try addSession("a")
        let whole = try index.timeline(everywhere, hasEverything: true)
        let place = try #require(whole.firstIndex { $0.record.id?.description == SessionFolder.id(7) })
        let path = scratch.root.appending("a")
        try path.appending("markers.jsonl").write(SessionFolder.marker(7, at: 60_000).utf8, [.append])
        try reconcile(path)
        let rest = try index.timeline(
            everywhere, hasEverything: true, after: TimelineKey(whole[place]), limit: .max)
        #expect(rest.dropLast() == whole[(place + 1)...])
        #expect(rest.last?.record.id == whole[place].record.id)
    }

    @Test func `a session without a start has no moments, and so is not on the timeline`() throws {
        try addSession("a")
        let whole = try index.timeline(everywhere, hasEverything: true)
        try addSession("timeless", start: "yesterday")
        let timeless = scratch.root.appending("timeless")
        #expect(try !index.records(of: timeless).isEmpty)
        #expect(try index.timeline(everywhere, hasEverything: true) == whole)
        #expect(try pages(everywhere, 7) == whole)
        let one = RecordFilter(.session(timeless))
        #expect(try index.timeline(one, hasEverything: true).isEmpty && pages(one, 7).isEmpty)
    }

    @Test(arguments: [1, 2, 100])
    func `moments beyond what 64 bits hold come once each, too`(size: Int) throws {
        let folder = try scratch.session()
        try folder.write(SessionFolder.header(voiceNotes: true), to: "session.json")
        let offsets = [Int.max, Int.max - 1, 5, Int.max, Int.max - 2_000_000_000_000]
        try folder.append(offsets.enumerated().map { SessionFolder.marker($0, at: $1) }.joined())
        try folder.append(
            SessionFolder.voiceNote(9, at: Int.max - 1) + SessionFolder.voiceNote(10, at: Int.max),
            to: "voice_notes.jsonl")
        try reconcile(folder.path)
        let whole = try index.timeline(everywhere, hasEverything: true)
        #expect(whole.count == 8)
        #expect(try pages(everywhere, size) == whole)
    }
}
