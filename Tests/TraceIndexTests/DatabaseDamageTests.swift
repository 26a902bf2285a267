import GRDB
import Glibc
import SystemPackage
import Testing
import TraceFormat

@testable import TraceIndex

/// The index is disposable: whatever becomes of its database, it comes back the same, unattended.
@Suite struct DatabaseDamageTests {
    private func filled(_ scratch: Scratch) throws -> (folder: SessionFolder, rows: [String]) {
        let folder = try scratch.session()
        try folder.write((0..<300).map { SessionFolder.marker($0, at: $0) }.joined(), to: "markers.jsonl")
        let index = try scratch.index()
        _ = try index.reconcile(session: folder.path, in: scratch.root, settleTime: .zero)
        return (folder, try index.dump())
    }

    /// Opens what is there, reconciles, and expects the rows of before.
    private func expectComesBack(_ scratch: Scratch, _ folder: SessionFolder, _ rows: [String]) throws
        -> [String]
    {
        let index = try scratch.index()
        do {
            _ = try index.reconcile(session: folder.path, in: scratch.root, settleTime: .zero)
            #expect(try index.dump() == rows)
        } catch let error as IndexError where error.code == .corrupt {
            // Damage that shows only when the rows are read: the index is empty then, and says so.
            _ = try index.reconcile(session: folder.path, in: scratch.root, settleTime: .zero)
            #expect(try index.dump() == rows)
        }
        return index.takeNotes()
    }

    private func deleteJournal(_ scratch: Scratch) {
        for suffix in ["-wal", "-shm"] { unlink(scratch.database.string + suffix) }
    }

    private func delete(_ scratch: Scratch) throws {
        try #require(unlink(scratch.database.string) == 0)
        deleteJournal(scratch)
    }

    @Test func `deleted, it comes back the same`() throws {
        let scratch = try Scratch()
        let (folder, rows) = try filled(scratch)
        try delete(scratch)
        #expect(try expectComesBack(scratch, folder, rows).isEmpty)
    }

    @Test(arguments: [0.001, 0.1, 0.5, 0.9, 0.999])
    func `truncated, it is moved aside or mended`(share: Double) throws {
        let scratch = try Scratch()
        let (folder, rows) = try filled(scratch)
        deleteJournal(scratch)
        let bytes = try #require(scratch.database.contents)
        try scratch.database.write(bytes.prefix(Int(Double(bytes.count) * share)))
        _ = try expectComesBack(scratch, folder, rows)
    }

    @Test func `a file that is no database is moved aside and kept`() throws {
        let scratch = try Scratch()
        let (folder, rows) = try filled(scratch)
        deleteJournal(scratch)
        try scratch.database.write(Array(repeating: UInt8(ascii: "x"), count: 8192))
        let notes = try expectComesBack(scratch, folder, rows)
        #expect(notes.count == 1)
        #expect(notes.first?.contains("kept as") == true)
    }

    @Test func `a database of another program is moved aside`() throws {
        let scratch = try Scratch()
        let (folder, rows) = try filled(scratch)
        try delete(scratch)
        let foreign = try DatabaseQueue(path: scratch.database.string)
        try foreign.write { try $0.execute(sql: "CREATE TABLE song (title TEXT)") }
        try foreign.close()
        #expect(try !expectComesBack(scratch, folder, rows).isEmpty)
    }

    @Test func `an index of a newer schema is moved aside`() throws {
        let scratch = try Scratch()
        let (folder, rows) = try filled(scratch)
        let newer = try DatabaseQueue(path: scratch.database.string)
        try newer.write { try $0.execute(sql: "PRAGMA user_version = 999") }
        try newer.close()
        #expect(try !expectComesBack(scratch, folder, rows).isEmpty)
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `a flipped bit never stops it and never makes an answer wrong for good`(seed: UInt64) throws {
        let scratch = try Scratch()
        let (folder, rows) = try filled(scratch)
        deleteJournal(scratch)
        var numbers = SeededNumbers(seed: seed)
        var bytes = try #require(scratch.database.contents)
        bytes[Int.random(in: 0..<bytes.count, using: &numbers)] ^=
            1 << UInt8.random(in: 0..<8, using: &numbers)
        try scratch.database.write(bytes)
        let index = try scratch.index()
        _ = try? index.reconcile(session: folder.path, in: scratch.root, settleTime: .zero)
        // SQLite does not notice every flipped bit in a row's own bytes; a rebuild asks nothing of what is there.
        try index.rebuild()
        _ = try index.reconcile(session: folder.path, in: scratch.root, settleTime: .zero)
        #expect(try index.dump() == rows, "seed \(seed)")
    }

    @Test func `two writers at once end in the same rows`() async throws {
        let scratch = try Scratch()
        let folder = try scratch.session()
        let (path, root) = (folder.path, scratch.root)
        let indexes = [try scratch.index(), try scratch.index()]
        try await withThrowingTaskGroup { group in
            for index in indexes {
                group.addTask {
                    for _ in 0..<50 { _ = try index.reconcile(session: path, in: root, settleTime: .zero) }
                }
            }
            for line in 0..<200 { try folder.append(SessionFolder.marker(line, at: line)) }
            try await group.waitForAll()
        }
        _ = try indexes[0].reconcile(session: path, in: root, settleTime: .zero)
        let fresh = try scratch.freshIndex(of: [path])
        #expect(try indexes[1].dump(of: path) == fresh.dump(of: path))
    }
}

/// What a look after an append costs must not grow with the session.
@Suite struct QueryCostTests {
    @Test func `no query of a reconcile walks over all records of a session`() throws {
        let scratch = try Scratch()
        let folder = try scratch.session()
        try folder.write((0..<20_000).map { SessionFolder.marker($0, at: $0) }.joined(), to: "markers.jsonl")
        let index = try scratch.index()
        _ = try index.reconcile(session: folder.path, in: scratch.root, settleTime: .zero)
        try folder.append(SessionFolder.marker(20_001, at: 20_001))
        let start = ContinuousClock.now
        _ = try index.reconcile(session: folder.path, in: scratch.root, settleTime: .zero)
        let whole = ContinuousClock.now
        try index.rebuild()
        _ = try index.reconcile(session: folder.path, in: scratch.root, settleTime: .zero)
        let (append, rebuild) = (start.duration(to: whole), whole.duration(to: .now))
        #expect(append < rebuild / 10, "an append took \(append), everything \(rebuild)")
    }
}
