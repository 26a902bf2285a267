import RecordFormat
import SystemPackage
import TestSupport
import Testing

@testable import TraceIndex

/// By what it is known that the index is as it was.
@Suite struct IndexRevisionTests {
    private let scratch: Scratch
    private let folder: SessionFolder
    private let index: JournalIndex

    init() throws {
        scratch = try Scratch()
        folder = try scratch.session()
        index = try scratch.index()
    }

    private func reconcile(_ index: JournalIndex? = nil) throws -> JournalReconciliation {
        try (index ?? self.index).reconcile(journal: folder.path, in: scratch.root, settleTime: .zero)
    }

    @Test func `changes by any process are counted, and nothing else is`() throws {
        let first = try index.revision()
        _ = try reconcile()
        let second = try index.revision()
        #expect(second.epoch == first.epoch && second.number > first.number)
        try soon("nothing is left to be looked at") { try reconcile().isSettled }
        let settled = try index.revision()
        #expect(try reconcile().outcome == .unchanged)
        _ = try index.sessions()
        try index.probe()
        #expect(try index.revision() == settled)

        // By another connection, as that of another process is.
        let other = try scratch.index()
        try folder.append(SessionFolder.marker(1))
        _ = try reconcile(other)
        let third = try index.revision()
        #expect(third.number > settled.number)
        #expect(try other.revision() == third)
        // What was rolled back has not happened.
        struct Failure: Error {}
        #expect(throws: Failure.self) {
            try index.database.write { database in
                try database.query("DELETE FROM finding").run()
                try database.query("UPDATE source SET title = 'x'").run()
                throw Failure()
            }
        }
        #expect(try index.revision() == third)
    }

    @Test func `another index is of another epoch`() throws {
        _ = try reconcile()
        let old = try index.revision()
        try scratch.database.unlink()
        #expect(try index.revision().epoch != old.epoch)
        let emptied = try index.revision()
        try index.rebuild()
        #expect(try index.revision().epoch != emptied.epoch)
    }

    @Test func `the files of the database tell that nothing was written`() throws {
        _ = try reconcile()
        var state = index.fileState()
        try soon("a later change would be seen") {
            state = index.fileState()
            return state != nil
        }
        _ = try index.sessions()
        _ = try index.revision()
        #expect(index.fileState() == state)
        try folder.append(SessionFolder.marker(1))
        _ = try reconcile()
        #expect(index.fileState() != state)
    }

    @Test func `ids that several directories have are found in one question`() throws {
        var ids: [ULID] = []
        for number in 0..<300 {
            // Every third id is in two directories.
            let id = SessionFolder.id(number - (number % 3 == 2 ? 1 : 0))
            let session = try scratch.session(try #require(FilePath.Component("session-\(number)")))
            try session.write(SessionFolder.header(id: id), to: "session.json")
            _ = try index.reconcile(journal: session.path, in: scratch.root, settleTime: .zero)
            ids.append(try #require(ULID(id)))
        }
        let repeated = try index.repeatedIDs(among: ids)
        #expect(repeated == Set((0..<100).compactMap { ULID(SessionFolder.id($0 * 3 + 1)) }))
        #expect(try index.repeatedIDs(among: [ids[0], ids[1]]) == [ids[1]])
        #expect(try index.repeatedIDs(among: []).isEmpty)
    }

    @Test func `an id is counted in journals of every kind`() throws {
        let id = "01KGNQZP000000000000000001"
        let known = try #require(ULID(id))
        var paths: [FilePath] = []
        for (number, name) in (["pins", "pins-backup"] as [FilePath.Component]).enumerated() {
            let journal = try PracticeFolder(scratch.root.appending(name))
            _ = try index.reconcile(journal: journal.path, in: scratch.root, settleTime: .zero)
            paths.append(journal.path)
            #expect(try index.journalCount(withID: known) == number + 1)
            #expect(try index.repeatedIDs(among: [known]) == (number == 0 ? [] : [known]))
        }
        #expect(try index.uncountedJournals(withIDPrefix: "01KG").map(\.path) == paths)
        try folder.write(SessionFolder.header(id: id), to: "session.json")
        _ = try reconcile()
        #expect(try index.journalCount(withID: known) == 3)
        #expect(try index.uncountedJournals(withIDPrefix: id).count == 3)
        #expect(try index.uncountedJournals(withIDPrefix: id + "0").isEmpty)
        #expect(try index.uncountedJournals(kinds: [JournalKind(name: "practice")]).map(\.path) == paths)
    }
}

extension JournalIndex {
    /// The state that it has now.
    fileprivate func revision() throws -> IndexRevision { try database.read { try IndexRevision($0) } }
}
