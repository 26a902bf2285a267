import GRDB
import Glibc
import Journals
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceFormat
import TraceText

@testable import TraceIndex

/// A database that is missing, damaged, foreign or of another version is made anew, unattended.
@Suite struct DamageTests {
    private let scratch: Scratch
    private let folder: SessionFolder
    /// What the index must say.
    private let right: [String]

    init() throws {
        scratch = try Scratch()
        folder = try scratch.session()
        try folder.append(
            (0..<400).map { SessionFolder.marker($0, more: #","tags":["highlight"]"#) }.joined())
        try folder.append("nonsense\n")
        try waitForClock()
        let index = try scratch.index()
        _ = try index.reconcile(journal: folder.path, in: scratch.root, settleTime: .zero)
        right = try index.dump()
    }

    private func sibling(_ suffix: String) -> FilePath {
        FilePath(scratch.database.string + suffix)
    }

    /// Opens the index, reconciles, and compares.
    private func recover(_ context: String = "") throws -> [String] {
        let index = try scratch.index()
        _ = try index.reconcile(journal: folder.path, in: scratch.root, settleTime: .zero)
        #expect(try index.dump() == right, "\(context)")
        #expect(try index.sessions().first?.counts[.marker] == 400, "\(context)")
        return index.drainNotices()
    }

    private func keptNames() throws -> [String] {
        try scratch.path.names.map(\.string).filter { $0.contains(".damaged-") }
    }

    @Test func `a database that is whole is opened as it is`() throws {
        #expect(try recover() == [])
        #expect(try keptNames() == [])
    }

    @Test(arguments: [true, false])
    func `a deleted database is made anew, with and without its journal`(keepsJournal: Bool) throws {
        let index = try scratch.index()
        try index.setRoot("/somewhere", state: .online)
        // As if the process were killed: the journal stays.
        let journal = sibling("-wal").contents
        try #require(journal?.isEmpty == false)
        try scratch.database.unlink()
        if !keepsJournal { for suffix in ["-wal", "-shm"] { try sibling(suffix).unlink() } }
        #expect(try recover() == [])
        #expect(try scratch.index().roots().map(\.path) == [scratch.root])
    }

    @Test func `an index whose database is deleted under it goes on with a new one`() throws {
        let index = try scratch.index()
        #expect(try index.sessions().count == 1)
        try scratch.database.unlink()
        #expect(try index.sessions().isEmpty)
        _ = try index.reconcile(journal: folder.path, in: scratch.root, settleTime: .zero)
        #expect(try index.dump() == right)
        #expect(try scratch.index().dump() == right)
    }

    @Test(arguments: ["DROP TABLE finding", "DROP VIEW records", "ALTER TABLE file RENAME TO other"])
    func `a database without one of its tables is made anew`(statement: String) throws {
        try DatabaseQueue(path: scratch.database.string).write { try $0.execute(sql: statement) }
        let index = try scratch.index()
        for _ in 1...2 { _ = try? index.sessions() }
        try folder.append(SessionFolder.marker(400))
        _ = try? index.reconcile(journal: folder.path, in: scratch.root, settleTime: .zero)
        _ = try? index.findings(of: folder.path)
        try? index.database.read { try $0.execute(sql: "SELECT * FROM records LIMIT 1") }
        _ = try index.reconcile(journal: folder.path, in: scratch.root, settleTime: .zero)
        #expect(try index.sessions().first?.counts[.marker] == 401)
        #expect(try keptNames().isEmpty == false)
        #expect(index.drainNotices().contains { $0.contains("it was damaged: no such table") })
    }

    @Test(arguments: [
        "INSERT INTO root (nothing) VALUES (1)", "INSERT INTO root (path) VALUES (NULL)", "SELECT",
    ])
    func `a statement that is wrong itself costs no index`(statement: String) throws {
        let index = try scratch.index()
        for _ in 1...2 {
            let error = #expect(throws: IndexError.self) {
                try index.database.write { try $0.execute(sql: statement) }
            }
            #expect(error?.code == .io)
            #expect(throws: IndexError.self) { try index.database.read { try $0.execute(sql: statement) } }
        }
        #expect(index.drainNotices() == [])
        #expect(try recover() == [])
        #expect(try keptNames() == [])
    }

    @Test func `a database cut short anywhere is made anew`() throws {
        let bytes = try #require(scratch.database.contents)
        let lengths = [
            0, 1, 15, 16, 50, 99, 100, 511, 512, 4095, 4096, 4097, 8192, bytes.count / 2, bytes.count - 4096,
            bytes.count - 1,
        ]
        for length in lengths {
            for suffix in ["-wal", "-shm"] { try sibling(suffix).unlink() }
            try scratch.database.write(bytes.prefix(length))
            _ = try recover("cut to \(length) of \(bytes.count)")
        }
        #expect(try Set(keptNames().map { $0.prefix { $0 != "-" } }).count == 1)
        #expect(try keptNames().count { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") } <= 3)
    }

    @Test func `each byte of the header may be wrong`() throws {
        let bytes = try #require(scratch.database.contents)
        for place in Torture.places(0..<100) {
            for suffix in ["-wal", "-shm"] { try sibling(suffix).unlink() }
            var damaged = bytes
            damaged[place] ^= 0xFF
            try scratch.database.write(damaged)
            _ = try recover("header byte \(place)")
        }
    }

    /// A flipped bit in a value that no structure of SQLite depends on can't be seen without comparing with
    /// the files; the index must still answer or say that it is damaged, and be right once it is rebuilt.
    @Test(arguments: Torture.choose(Array(UInt64(0)..<60), sample: 8, "flipped bits"))
    func `flipped bits in pages never crash, and a rebuild mends them`(seed: UInt64) throws {
        var numbers = SeededRandom(seed: seed)
        var bytes = try #require(scratch.database.contents)
        for _ in 0..<(seed.isMultiple(of: 3) ? 200 : 3) {
            bytes[Int.random(in: 100..<bytes.count, using: &numbers)] ^=
                1 << UInt8.random(in: 0..<8, using: &numbers)
        }
        try scratch.database.write(bytes)
        do {
            let index = try scratch.index()
            for _ in 0..<2 {
                // Reads of a damaged index throw `.corrupt` at most once: by the next it has been made anew.
                do {
                    _ = try index.reconcile(journal: folder.path, in: scratch.root, settleTime: .zero)
                    for session in try index.sessions() { _ = try? index.records(of: session.path) }
                    _ = try index.findings()
                    _ = try index.dump()
                } catch let error as IndexError {
                    #expect([.corrupt, .noSuchSession].contains(error.code), "seed \(seed): \(error)")
                }
            }
            try index.rebuild()
            _ = try index.reconcile(journal: folder.path, in: scratch.root, settleTime: .zero)
            #expect(try index.dump() == right, "seed \(seed)")
        } catch {
            Issue.record("seed \(seed): \(error)")
        }
    }

    @Test(arguments: ["application_id = 77", "user_version = 999", "user_version = 0"])
    func `a foreign database and one of another version are moved aside`(pragma: String) throws {
        try scratch.index().database.write { try $0.query("PRAGMA \(pragma)").run() }
        let notes = try recover(pragma)
        #expect(notes.count == 1)
        #expect(notes.first?.contains("was rebuilt") == true, "\(notes)")
        #expect(try keptNames().count == 1)
    }

    @Test func `a database of another program is moved aside`() throws {
        try scratch.database.unlink()
        for suffix in ["-wal", "-shm"] { try sibling(suffix).unlink() }
        let foreign = try DatabaseQueue(path: scratch.database.string)
        try foreign.write { try $0.execute(sql: "CREATE TABLE song (title TEXT)") }
        try foreign.close()
        #expect(try recover().count == 1)
        #expect(try keptNames().count == 1)
    }

    @Test func `a file that is no database is moved aside, and kept`() throws {
        try scratch.database.write(Array("dear diary, this is no database\n".utf8))
        #expect(try recover().count == 1)
        let kept = try #require(try keptNames().first { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") })
        #expect(scratch.path.appending(kept).contents?.starts(with: Array("dear diary".utf8)) == true)
    }

    @Test func `only the latest three are kept`() throws {
        for number in 0..<5 {
            for suffix in ["-wal", "-shm"] { try sibling(suffix).unlink() }
            try scratch.database.write(
                Array(
                    "no database \(number), for once and for all time, of a hundred bytes or a little more than that so far"
                        .utf8))
            _ = try recover()
        }
        let kept = try keptNames().filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.sorted()
        #expect(kept.count == 3)
        let texts = kept.map {
            String(decoding: scratch.path.appending($0).contents?.prefix(13) ?? [], as: UTF8.self)
        }
        #expect(texts == ["no database 2", "no database 3", "no database 4"])
    }

    @Test func `the journal of another database is not taken for this one's`() throws {
        let other = try JournalIndex(at: scratch.path.appending("other.sqlite"), formats: Journals.all)
        try other.setRoot("/other", state: .online)
        let journal = try #require(scratch.path.appending("other.sqlite-wal").contents)
        try scratch.database.unlink()
        for suffix in ["-wal", "-shm"] { try sibling(suffix).unlink() }
        try sibling("-wal").write(journal)
        _ = try recover()
        #expect(try scratch.index().roots().map(\.path) == [scratch.root])
    }

    @Test func `a reader of a damaged, foreign or missing index is told so, and changes nothing`() throws {
        #expect(
            code { try JournalIndex(readingAt: scratch.path.appending("none.sqlite"), formats: Journals.all) }
                == .notFound)
        let bytes = try #require(scratch.database.contents)
        try scratch.database.write(Array(bytes.prefix(64)))
        #expect(code { try JournalIndex(readingAt: scratch.database, formats: Journals.all) } == .corrupt)
        try scratch.database.write(bytes)
        try scratch.index().database.write { try $0.query("PRAGMA user_version = 999").run() }
        #expect(code { try JournalIndex(readingAt: scratch.database, formats: Journals.all) } == .otherSchema)
        #expect(try keptNames() == [])
    }

    @Test func `a reader answers and can't write`() throws {
        let reader = try JournalIndex(readingAt: scratch.database, formats: Journals.all)
        #expect(try reader.dump() == right)
        #expect(try reader.isCurrent(session: folder.path))
        #expect(code { try reader.forget(session: folder.path) } == .permissionDenied)
    }

    @Test func `an index that can't be made says where and why`() throws {
        #expect(
            code { try JournalIndex(at: scratch.path.pushing("none/index.sqlite"), formats: Journals.all) }
                == .notFound)
        #expect(code { try JournalIndex(at: "/proc/index.sqlite", formats: Journals.all) } != nil)
        let crooked = FilePath.Component(bytes: [0x61, 0xFF])
        #expect(
            code {
                try JournalIndex(at: scratch.path.appending(try #require(crooked)), formats: Journals.all)
            } == .invalidPath)
        let error = IndexError(.busy, "is in use", path: "/x/index.sqlite", cure: "wait")
        #expect("\(error)" == "/x/index.sqlite: is in use [index-busy]\n  hint: wait")
    }
}
