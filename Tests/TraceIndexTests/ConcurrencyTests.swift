import Dispatch
import GRDB
import Glibc
import Journals
import SystemPackage
import Testing
import TraceFiles
import TraceFormat

@testable import TraceIndex

/// The daemon and commands use one index at a time.
@Suite struct ConcurrencyTests {
    @Test func `several writers and readers end in the index of a fresh reading`() throws {
        let scratch = try Scratch()
        let folders = try (0..<4).map { try scratch.session(#require(FilePath.Component("s\($0)"))) }
        DispatchQueue.concurrentPerform(iterations: 4) { worker in
            do {
                let index = try scratch.index()
                // Nothing is damaged, so nothing is made anew.
                defer { #expect(index.drainNotices() == []) }
                for round in 0..<25 {
                    let folder = folders[(worker + round) % 4]
                    try folder.append(SessionFolder.marker(worker * 100 + round))
                    _ = try index.reconcile(journal: folder.path, in: scratch.root, settleTime: .zero)
                    // One state: what a session counts is what it lists.
                    let count = try index.session(at: folder.path)?.counts[.marker] ?? 0
                    #expect(try index.records(of: folder.path, kind: .marker).count >= count)
                }
            } catch {
                Issue.record("worker \(worker): \(error)")
            }
        }
        let index = try scratch.index()
        for folder in folders {
            _ = try index.reconcile(journal: folder.path, in: scratch.root, settleTime: .zero)
        }
        #expect(try index.dump() == scratch.freshIndex(of: folders.map(\.path)).dump())
        #expect(try index.sessions().compactMap { $0.counts[.marker] }.reduce(0, +) == 100)
    }

    @Test func `one index object serves several threads`() throws {
        let scratch = try Scratch()
        let folder = try scratch.session()
        let index = try scratch.index()
        DispatchQueue.concurrentPerform(iterations: 8) { worker in
            do {
                for round in 0..<10 {
                    try folder.append(SessionFolder.marker(worker * 100 + round))
                    _ = try index.reconcile(journal: folder.path, in: scratch.root, settleTime: .zero)
                    _ = try index.findings()
                }
            } catch {
                Issue.record("worker \(worker): \(error)")
            }
        }
        _ = try index.reconcile(journal: folder.path, in: scratch.root, settleTime: .zero)
        #expect(try index.session(at: folder.path)?.counts[.marker] == 80)
        #expect(try index.dump() == scratch.freshIndex(of: [folder.path]).dump())
    }

    @Test func `several openers of no index make one, and lose nothing of each other's`() throws {
        let scratch = try Scratch()
        for round in 0..<40 {
            let path = scratch.database.removingLastComponent().appending("\(round).sqlite")
            DispatchQueue.concurrentPerform(iterations: 8) { worker in
                do {
                    let root = scratch.root.appending("\(worker)")
                    try JournalIndex(at: path, formats: Journals.all).setRoot(root, state: .online)
                } catch {
                    Issue.record("worker \(worker): \(error)")
                }
            }
            #expect(try JournalIndex(at: path, formats: Journals.all).roots().count == 8, "round \(round)")
        }
    }

    /// SQLite refuses the log at once where another connection is about to write, and asks no busy handler.
    @Test func `an opener waits while another program makes the first tables`() throws {
        let scratch = try Scratch()
        let other = try DatabaseQueue(path: scratch.database.string)
        let opened = DispatchGroup()
        try other.inDatabase { database in
            try database.execute(sql: "BEGIN IMMEDIATE")
            DispatchQueue.global().async(group: opened) {
                do {
                    let index = try scratch.index()
                    try index.setRoot(scratch.root, state: .online)
                } catch {
                    Issue.record(error)
                }
            }
            #expect(opened.wait(timeout: .now() + .milliseconds(100)) == .timedOut)
            try database.execute(sql: "COMMIT")
        }
        opened.wait()
        #expect(try scratch.index().roots().count == 1)
    }

    @Test func `several openers of a damaged index make one new one`() throws {
        let scratch = try Scratch()
        let folder = try scratch.session()
        try scratch.database.write(Array(repeating: 7, count: 5000))
        DispatchQueue.concurrentPerform(iterations: 6) { worker in
            do {
                _ = try scratch.index().reconcile(journal: folder.path, in: scratch.root, settleTime: .zero)
            } catch {
                Issue.record("worker \(worker): \(error)")
            }
        }
        #expect(try scratch.index().dump() == scratch.freshIndex(of: [folder.path]).dump())
        let damaged = try scratch.path.names.filter { $0.string.contains(".damaged-") }
        #expect(damaged.count == 1, "\(damaged)")
    }

    @Test func `a question is answered while another writes`() throws {
        let scratch = try Scratch()
        let folder = try scratch.session()
        let (writer, reader) = (try scratch.index(), try scratch.index())
        _ = try writer.reconcile(journal: folder.path, in: scratch.root)
        try writer.database.write { database in
            try database.query("DELETE FROM session").run()
            #expect(try reader.sessions().count == 1)
        }
        #expect(try reader.sessions().isEmpty)
    }

    /// Runs `body` while a transaction on another thread, which has run `statement`, lasts.
    private func during<Result>(
        _ statement: String, on index: JournalIndex, _ body: () throws -> Result
    ) throws -> Result {
        let (begun, end, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchGroup())
        DispatchQueue.global().async(group: ended) {
            do {
                try index.database.write { database in
                    try database.query(statement).run()
                    begun.signal()
                    end.wait()
                }
            } catch {
                Issue.record(error)
                begun.signal()
            }
        }
        begun.wait()
        defer {
            end.signal()
            ended.wait()
        }
        return try body()
    }

    @Test func `a question does not wait for the transaction of another thread`() throws {
        let scratch = try Scratch()
        let folder = try scratch.session()
        let index = try scratch.index()
        _ = try index.reconcile(journal: folder.path, in: scratch.root)
        #expect(try index.sessions().count == 1)
        #expect(try scratch.database.openCount == 1)
        try during("DELETE FROM session", on: index) {
            let counts = try (0..<3).map { _ in try index.sessions().count }
            #expect(counts == [1, 1, 1])
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                #expect((try? index.sessions())?.count == 1)
            }
        }
        #expect(try index.sessions().isEmpty)
        #expect(index.drainNotices() == [])
    }

    @Test func `what a thread has written is in its next answer, whichever connection gives it`() throws {
        let scratch = try Scratch()
        let index = try scratch.index()
        for number in 1...20 {
            try index.setRoot(scratch.root.appending("\(number)"), state: .online)
            #expect(try index.roots().count == number)
            #expect(try during("DELETE FROM session", on: index) { try index.roots().count } == number)
            index.releaseMemory()
        }
        #expect(try scratch.database.openCount <= 2)
    }

    @Test(arguments: [false, true])
    func `a database that is deleted or replaced while both connections are open is noticed`(isReplaced: Bool)
        throws
    {
        let scratch = try Scratch()
        let folder = try scratch.session()
        let index = try scratch.index()
        _ = try index.reconcile(journal: folder.path, in: scratch.root)
        try during("DELETE FROM session", on: index) {
            #expect(try index.sessions().count == 1)
            if isReplaced {
                try scratch.index().rebuild()
            } else {
                try scratch.database.unlink()
            }
            #expect(try index.sessions().isEmpty)
            #expect(index.drainNotices().count == 1)
            _ = try index.reconcile(journal: folder.path, in: scratch.root)
        }
        #expect(try index.dump() == scratch.freshIndex(of: [folder.path]).dump())
        #expect(index.drainNotices() == [])
    }

    @Test func `damage that a question meets beside a transaction has the index made anew`() throws {
        let scratch = try Scratch()
        let folder = try scratch.session()
        var index = try scratch.index()
        _ = try index.reconcile(journal: folder.path, in: scratch.root)
        let (page, size) = try index.database.read { database in
            func number(_ sql: String) throws -> Int { try database.query(sql).first { Int($0.int(0)) } ?? 0 }
            return (
                try number("SELECT rootpage FROM sqlite_schema WHERE name = 'source'"),
                try number("PRAGMA page_size")
            )
        }
        index = try JournalIndex(at: scratch.path.appending("other.sqlite"), formats: Journals.all)
        // The log went into the database when the last connection was closed.
        index = try scratch.index()
        try during("SELECT 1", on: index) {
            var bytes = try #require(scratch.database.contents)
            for place in (page - 1) * size..<page * size { bytes[place] = 0xAA }
            try scratch.database.write(bytes, [])
            #expect(code { try index.sessions() } == .corrupt)
            #expect(index.drainNotices().contains { $0.contains("was rebuilt because it was damaged") })
            #expect(try index.sessions().isEmpty)
            _ = try index.reconcile(journal: folder.path, in: scratch.root)
        }
        #expect(try index.dump() == scratch.freshIndex(of: [folder.path]).dump())
        #expect(try scratch.path.names.count { $0.string.contains(".damaged-") } >= 1)
    }

    @Test(arguments: [false, true])
    func `a connection leaves the locks of the others of its process`(isReader: Bool) throws {
        let scratch = try Scratch()
        let index = try scratch.index()
        try index.setRoot("/somewhere", state: .online)
        // A lock of an open file conflicts with those of its own process too (fcntl(2)); and what is not closed before the end
        // takes none of them with it.
        let file = try FileDescriptor.open(scratch.database, .readOnly)
        try file.closeAfter {
            func isLocked() throws -> Bool {
                var lock = flock()
                lock.l_type = Int16(F_WRLCK)
                lock.l_whence = Int16(SEEK_SET)
                // F_OFD_GETLK, which Glibc's module leaves out.
                try #require(fcntl(file.rawValue, 36, &lock) == 0)
                return lock.l_type != F_UNLCK
            }
            #expect(try isLocked())
            var other: JournalIndex? =
                isReader
                ? try JournalIndex(readingAt: scratch.database, formats: Journals.all) : try scratch.index()
            #expect(try isLocked())
            #expect(try other?.roots().count == 1)
            other = nil
            #expect(try isLocked())
            #expect(try during("DELETE FROM session", on: index) { try index.roots().count } == 1)
            index.releaseMemory()
            #expect(try isLocked())
        }
    }

    @Test func `two writers while a file grows end in the index of a fresh reading`() async throws {
        let scratch = try Scratch()
        let folder = try scratch.session()
        let (path, root) = (folder.path, scratch.root)
        let indexes = [try scratch.index(), try scratch.index()]
        try await withThrowingTaskGroup { group in
            for index in indexes {
                group.addTask {
                    for _ in 0..<50 { _ = try index.reconcile(journal: path, in: root, settleTime: .zero) }
                }
            }
            for line in 0..<200 { try folder.append(SessionFolder.marker(line, at: line)) }
            try await group.waitForAll()
        }
        _ = try indexes[0].reconcile(journal: path, in: root, settleTime: .zero)
        #expect(try indexes[1].dump(of: path) == scratch.freshIndex(of: [path]).dump(of: path))
    }
}

extension FilePath {
    /// How many descriptors of this process lead to it.
    fileprivate var openCount: Int {
        get throws {
            let file = try FileStatus(of: self).identity.file
            let descriptors: FilePath = "/proc/self/fd"
            return try descriptors.names.count {
                (try? FileStatus(of: descriptors.appending($0)))?.identity.file == file
            }
        }
    }
}
