import Dispatch
import Journals
import SystemPackage
import Testing
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
                defer { #expect(index.takeNotes() == []) }
                for round in 0..<25 {
                    let folder = folders[(worker + round) % 4]
                    try folder.append(SessionFolder.marker(worker * 100 + round))
                    _ = try index.reconcile(session: folder.path, in: scratch.root, settleTime: .zero)
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
            _ = try index.reconcile(session: folder.path, in: scratch.root, settleTime: .zero)
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
                    _ = try index.reconcile(session: folder.path, in: scratch.root, settleTime: .zero)
                    _ = try index.findings()
                }
            } catch {
                Issue.record("worker \(worker): \(error)")
            }
        }
        _ = try index.reconcile(session: folder.path, in: scratch.root, settleTime: .zero)
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
                    try SessionIndex(at: path, formats: Journals.all).setRoot(root, state: .online)
                } catch {
                    Issue.record("worker \(worker): \(error)")
                }
            }
            #expect(try SessionIndex(at: path, formats: Journals.all).roots().count == 8, "round \(round)")
        }
    }

    @Test func `several openers of a damaged index make one new one`() throws {
        let scratch = try Scratch()
        let folder = try scratch.session()
        try scratch.database.write(Array(repeating: 7, count: 5000))
        DispatchQueue.concurrentPerform(iterations: 6) { worker in
            do {
                _ = try scratch.index().reconcile(session: folder.path, in: scratch.root, settleTime: .zero)
            } catch {
                Issue.record("worker \(worker): \(error)")
            }
        }
        #expect(try scratch.index().dump() == scratch.freshIndex(of: [folder.path]).dump())
        #expect(try scratch.path.names.count { $0.string.contains(".damaged-") } == 1)
    }

    @Test func `a question is answered while another writes`() throws {
        let scratch = try Scratch()
        let folder = try scratch.session()
        let (writer, reader) = (try scratch.index(), try scratch.index())
        _ = try writer.reconcile(session: folder.path, in: scratch.root)
        try writer.database.write { database in
            try database.query("DELETE FROM session").run()
            #expect(try reader.sessions().count == 1)
        }
        #expect(try reader.sessions().isEmpty)
    }

    @Test func `two writers while a file grows end in the index of a fresh reading`() async throws {
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
        #expect(try indexes[1].dump(of: path) == scratch.freshIndex(of: [path]).dump(of: path))
    }
}
