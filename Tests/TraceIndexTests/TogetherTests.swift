import SystemPackage
import Testing
import TraceFiles
import TraceFormat
import TraceStore

@testable import TraceIndex

/// Many sessions in one transaction.
@Suite struct TogetherTests {
    private let scratch: Scratch
    private let index: JournalIndex
    private let folders: [SessionFolder]

    init() throws {
        let scratch = try Scratch()
        self.scratch = scratch
        index = try scratch.index()
        folders = try (0..<5).map { number in
            let name = try #require(FilePath.Component("session-\(number)"))
            let folder = try scratch.session(name)
            for line in 0...number { try folder.append(SessionFolder.marker(10 * number + line + 1)) }
            return folder
        }
    }

    private func reconcile(_ paths: [FilePath]) -> [Result<JournalReconciliation, any Error>] {
        var results: [Result<JournalReconciliation, any Error>] = []
        while results.count < paths.count {
            let part = index.reconcile(
                first: paths.dropFirst(results.count), in: { _ in scratch.root }, settleTime: .zero,
                verification: .thorough)
            guard !part.isEmpty else { break }
            results += part
        }
        return results
    }

    @Test func `they have the rows that each would have had on its own`() throws {
        let paths = folders.map(\.path)
        let results = try reconcile(paths).map { try $0.get() }
        #expect(results.map(\.outcome) == Array(repeating: .added, count: 5))
        #expect(results.map { $0.addedRecords[.marker] } == [1, 2, 3, 4, 5])
        #expect(try index.dump() == scratch.freshIndex(of: paths).dump())
        try waitForClock()
        #expect(try reconcile(paths).allSatisfy { try $0.get().outcome == .unchanged })
    }

    @Test func `one that is gone is forgotten among the others`() throws {
        var paths = folders.map(\.path)
        #expect(reconcile(paths).count == 5)
        try paths[2].removeTree()
        try folders[4].append(SessionFolder.marker(99))
        let outcomes = try reconcile(paths).map { try $0.get().outcome }
        #expect(outcomes == [.unchanged, .unchanged, .removed, .unchanged, .updated])
        paths.remove(at: 2)
        #expect(try index.dump() == scratch.freshIndex(of: paths).dump())
    }

    @Test func `the failure of one is its own`() throws {
        var paths = folders.map(\.path)
        let name = try #require(FilePath.Component(String(repeating: "x", count: 300)))
        paths.insert(scratch.root.appending(name), at: 3)
        let results = reconcile(paths)
        try #require(results.count == 6)
        #expect(throws: FileError.self) { try results[3].get() }
        paths.remove(at: 3)
        #expect(results.compactMap { try? $0.get() }.map(\.outcome) == Array(repeating: .added, count: 5))
        #expect(try index.dump() == scratch.freshIndex(of: paths).dump())
    }
}
