import GRDB
import Journals
import Synchronization
import SystemPackage
import Testing
import TraceStore

@testable import TraceIndex

/// What a look after an append costs must not grow with the session.
@Suite struct QueryCostTests {
    @Test func `an append to a long file costs a small part of reading it`() throws {
        let scratch = try Scratch()
        let folder = try scratch.session()
        try folder.write((0..<20_000).map { SessionFolder.marker($0, at: $0) }.joined(), to: "markers.jsonl")
        let work = IndexWork()
        let index = try SessionIndex(at: scratch.database, formats: Journals.all, work: work)
        /// What SQLite does for a reconcile, in some thousands of its instructions.
        func steps() throws -> Int {
            let before = work.stepCount
            _ = try index.reconcile(session: folder.path, in: scratch.root, settleTime: .zero)
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
        _ = try index.reconcile(session: folder.path, in: scratch.root, settleTime: .zero)
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
