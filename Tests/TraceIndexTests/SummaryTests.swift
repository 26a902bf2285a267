import RecordFormat
import SystemPackage
import Testing
import TraceFormat

@testable import TraceIndex

/// Sessions in numbers, and many of them at once.
struct SummaryTests {
    private let scratch: Scratch
    private let index: JournalIndex

    init() throws {
        scratch = try Scratch()
        index = try scratch.index()
    }

    private func add(_ count: Int) throws {
        var rest = try (0..<count).map { number in
            let folder = try scratch.session(try #require(FilePath.Component("s\(number)")))
            if number.isMultiple(of: 3) { try folder.write("not JSON\n", to: "markers.jsonl") }
            return folder.path
        }[...]
        while !rest.isEmpty {
            let root = scratch.root
            rest = rest.dropFirst(
                index.reconcile(first: rest, in: { _ in root }, settleTime: .zero, verification: .quick).count
            )
        }
    }

    @Test func `sessions and findings are counted below the roots that are asked about`() throws {
        try add(4)
        let other = try SessionFolder(scratch.path.appending("other"))
        _ = try index.reconcile(journal: other.path, in: nil, settleTime: .zero)
        let all = try index.sessions(in: scratch.root)
        let summary = try index.summary(below: [scratch.root])
        #expect(summary.count == 4)
        for severity in Rule.Severity.allCases {
            let count = all.reduce(0) { $0 + ($1.findingCounts[severity] ?? 0) }
            #expect((summary.findingCounts[severity] ?? 0) == count)
        }
        #expect(summary.findingCounts[.error] ?? 0 > 0)
        #expect(try index.summary(below: ["/elsewhere"]) == SessionSummary())
        #expect(try index.sessionCount() == 5)
    }

    @Test func `journals of other kinds and their findings are not those of sessions`() throws {
        try add(4)
        let before = try index.summary(below: [scratch.root])
        let journal = try PracticeFolder(scratch.root.appending("pinball"))
        try journal.path.appending("practice-state.json").write(#"{"journalEntries":[{"#.utf8)
        _ = try index.reconcile(journal: journal.path, in: scratch.root, settleTime: .zero)
        #expect(try !index.findings(of: journal.path).isEmpty)
        #expect(try index.summary(below: [scratch.root]) == before)
    }

    @Test func `a session that was changed after a moment is found by its path`() throws {
        try add(3)
        let all = try index.sessions(in: scratch.root).sorted { $0.path.string < $1.path.string }
        let first = try #require(all.first)
        let updated = try #require(first.updatedAt)
        let before = Timestamp(milliseconds: updated.milliseconds - 1)
        let found = try #require(try index.session(below: [scratch.root], updatedAfter: before))
        #expect(found.path == first.path && found.updatedAt == updated)
        #expect(try index.session(below: [scratch.root], updatedAfter: updated) == nil)
        #expect(try index.session(below: ["/elsewhere"], updatedAfter: before) == nil)
    }

    @Test func `many sessions counted in one pass are what each of them is`() throws {
        try add(12)
        let each = try index.sessions()
        #expect(each.contains { $0.lastRecord != nil } && each.contains { !$0.findingCounts.isEmpty })
        let together = try index.database.read { database in
            let keys = try each.map { try #require(try KnownSource(database, at: $0.path)?.id) }
            var sessions = each.map { session in
                var session = session
                (session.counts, session.findingCounts, session.lastRecord) = ([:], [:], nil)
                return session
            }
            try SessionDetails(database, many: 1).add(to: &sessions, keys)
            return sessions
        }
        #expect(together == each)
    }
}
