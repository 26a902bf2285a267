import GRDB
import Journals
import RecordFormat
import Synchronization
import SystemPackage
import Testing
import TraceFormat
import TraceStore

@testable import TraceIndex

/// What a look after an append costs must not grow with the session.
@Suite struct QueryCostTests {
    @Test func `an append to a long file costs a small part of reading it`() throws {
        let scratch = try Scratch()
        let folder = try scratch.session()
        try folder.write((0..<20_000).map { SessionFolder.marker($0, at: $0) }.joined(), to: "markers.jsonl")
        let work = IndexWork()
        let index = try JournalIndex(at: scratch.database, formats: Journals.all, work: work)
        /// What SQLite does for a reconcile, in some thousands of its instructions.
        func steps() throws -> Int {
            let before = work.stepCount
            _ = try index.reconcile(journal: folder.path, in: scratch.root, settleTime: .zero)
            return work.stepCount - before
        }
        let whole = try steps()
        let appends = try (0..<5).map { number in
            try folder.append(SessionFolder.marker(20_001 + number, at: 20_001))
            return try steps()
        }
        try #require(whole > 10)
        #expect(appends.allSatisfy { $0 < whole / 10 }, "appends took \(appends) steps, everything \(whole)")
    }

    /// Wherever in the list it begins; as many at one offset as there are is the worst case of a list by offset.
    @Test(arguments: [false, true])
    func `a page of a list costs no more in a long session than in a short one`(isTied: Bool) throws {
        func steps(_ count: Int) throws -> Int {
            let scratch = try Scratch()
            let folder = try scratch.session()
            let lines = (0..<count).map { SessionFolder.marker($0, at: isTied ? 5 : $0) }
            try folder.write(lines.joined(), to: "markers.jsonl")
            let work = IndexWork()
            let index = try JournalIndex(at: scratch.database, formats: Journals.all, work: work)
            _ = try index.reconcile(journal: folder.path, in: scratch.root, settleTime: .zero)
            var all = RecordFilter(.session(folder.path))
            all.offsets = SessionOffset.zero...SessionOffset(milliseconds: .max)
            let selection = RecordSelection(of: folder.path, .marker)
            let before = work.stepCount
            for part in 0..<40 {
                let last = count * part / 40
                let offset = SessionOffset(milliseconds: isTied ? 5 : Int64(last))
                let key = RecordSortKey(offset: offset, line: last + 1)
                let moment = Timestamp("2026-02-04T19:00:00Z").map { $0.adding(offset) }
                let place = MarkerSortKey(wallTime: moment, session: folder.path, record: key)
                #expect(try index.records(selection, after: key, limit: 90).count == 90)
                #expect(try index.markers(all, after: place, limit: 90).map(\.line).first == last + 2)
                _ = try index.sortKey(in: selection, countingBack: 45, from: offset)
            }
            return work.stepCount - before
        }
        let (short, long) = (try steps(4000), try steps(40_000))
        try #require(short > 5)
        #expect(long <= short + 2, "\(short) steps in the short session, \(long) in the long one")
    }

    /// Wherever it begins.
    @Test(arguments: [false, true])
    func `a page of a journal's records costs no more in a long session than in a short one`(isTied: Bool)
        throws
    {
        func steps(_ count: Int) throws -> Int {
            let scratch = try Scratch()
            let folder = try scratch.session()
            let lines = (0..<count).map { SessionFolder.marker($0, at: isTied ? 5 : $0) }
            try folder.write(lines.joined(), to: "markers.jsonl")
            let work = IndexWork()
            let index = try JournalIndex(at: scratch.database, formats: Journals.all, work: work)
            _ = try index.reconcile(journal: folder.path, in: scratch.root, settleTime: .zero)
            let all = RecordFilter(.session(folder.path))
            let whole = try index.timeline(all, hasEverything: true)
            let before = work.stepCount
            for part in 0..<40 {
                let last = count * part / 40
                let page = try index.timeline(
                    all, hasEverything: true, after: TimelineKey(whole[last]), limit: 90)
                #expect(page == Array(whole[(last + 1)...].prefix(90)))
            }
            return work.stepCount - before
        }
        let (short, long) = (try steps(4000), try steps(40_000))
        try #require(short > 5)
        #expect(long <= short + 2, "\(short) steps in the short session, \(long) in the long one")
    }

    /// Every statement that the reconcile of a session prepares, with the plan that SQLite has for it.
    @Test func `no query of a reconcile walks over all records of a session`() throws {
        let scratch = try Scratch()
        let folder = try scratch.session()
        try folder.write(
            SessionFolder.header(
                more: #""status":"closed","end_time":"2026-02-04T19:01:00Z","duration_ms":5"#,
                voiceNotes: true),
            to: "session.json")
        try folder.append(
            SessionFolder.voiceNote(7, more: #","marker_id":"\(SessionFolder.id(3))""#),
            to: "voice_notes.jsonl")
        try folder.append(SessionFolder.marker(7) + SessionFolder.marker(3) + SessionFolder.marker(3))
        let index = try scratch.index()
        _ = try index.reconcile(journal: folder.path, in: scratch.root, settleTime: .zero)
        try folder.append(SessionFolder.marker(3))
        let statements = Statements()
        _ = try index.database.write { database in
            database.trace { statements.add($0) }
            defer { database.trace(options: []) }
            let snapshot = try #require(try Journals.all.snapshot(at: folder.path, settleTime: .zero))
            var reconciler = try SourceReconciler(
                folder.path, root: nil, snapshot: snapshot, verification: .quick, formats: Journals.all,
                in: database)
            return try reconciler.run()
        }
        #expect(statements.all.count > 15)
        for sql in statements.all where !sql.hasPrefix("INSERT") {
            let plan = try index.database.read {
                try $0.query("EXPLAIN QUERY PLAN \(sql)").map { $0.text(3) ?? "" }
            }
            for step in plan {
                #expect(!step.hasPrefix("SCAN") || step == "SCAN CONSTANT ROW", "\(sql)\n\(plan)")
                // By the session alone, or by its kind alone, is as good as all.
                let isWide =
                    step.contains("record_by_offset (source_id=?)")
                    || step.contains("record_by_offset (source_id=? AND kind=?)")
                #expect(!isWide, "\(sql)\n\(plan)")
            }
        }
    }
}

/// What a connection ran.
private final class Statements: Sendable {
    private let texts = Mutex<Set<String>>([])

    func add(_ event: Database.TraceEvent) {
        guard case .statement(let statement) = event else { return }
        texts.withLock { _ = $0.insert(statement.sql) }
    }

    var all: [String] { texts.withLock { $0.sorted() } }
}
