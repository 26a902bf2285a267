import FileHarness
import Glibc
import Journals
import StoreHarness
import SystemPackage
import Testing
import TraceFiles
import TraceIndex

@testable import TraceLibrary

/// What a scan of a root does, step by step.
struct RootScannerTests {
    private let scratch: ScratchDirectory
    private let index: JournalIndex
    private let outer: FilePath
    private let inner: FilePath

    init() throws {
        scratch = try ScratchDirectory()
        outer = scratch("sessions")
        inner = outer.appending("live")
        try OpenDirectory.make(inner)
        try OpenDirectory.make(scratch("state"))
        index = try JournalIndex(at: scratch("state").appending("index.sqlite"), formats: Journals.all)
    }

    /// What happened in a scan, a word each, with the names of sessions.
    private func scan(
        _ root: FilePath, of roots: [FilePath], shouldStop: () -> Bool = { false }
    ) throws -> [String] {
        var told: [String] = []
        let scanner = RootScanner(index, roots: SessionRoots(roots), settleTime: .zero)
        try scanner.scan(root, shouldStop: shouldStop) { event in
            func names(_ paths: [FilePath]) -> String {
                paths.compactMap { $0.lastComponent?.string }.sorted().joined(separator: " ")
            }
            switch event {
            case .looked(let state): told.append("looked: \(state)")
            case .found(let paths, let dangling, let unreadable):
                told.append("found: \(names(paths + dangling)) (\(unreadable.count))")
            case .otherNames(let found): told.append("other names: \(names(Array(found.keys)))")
            case .current(let paths, let total): told.append("current: \(names(paths)) of \(total)")
            case .reading(let left): told.append("reading: \(left)")
            case .read(let path, let change):
                told.append("read: \(names([path])) \(try change.get().outcome)")
            case .removed(let paths): told.append("forgot: \(names(paths))")
            case .failed(let step, let error): told.append("failed: \(step.rawValue): \(error)")
            }
        }
        return told
    }

    private func known() throws -> [String] {
        try index.sessions().map {
            "\($0.path.lastComponent?.string ?? "") in \($0.root == inner ? "inner" : "outer")"
        }
        .sorted()
    }

    @Test func `what lags is read, what rests is compared, what is gone is forgotten`() throws {
        _ = try SampleSession(at: outer.appending("a"))
        #expect(
            try scan(outer, of: [outer]) == [
                "looked: online", "found: a (0)", "current:  of 1", "reading: 1", "read: a added", "forgot: ",
            ])
        _ = try SampleSession(
            at: outer.appending("b"), header: SampleSession.header.replacing("0001\"", with: "0002\""))
        try #require(unlink(outer.appending("a").appending("session.json").string) == 0)
        let again = try scan(outer, of: [outer])
        #expect(again.last == "forgot: a")
        #expect(again.contains("read: b added"))
        #expect(try known() == ["b in outer"])
    }

    @Test func `a session belongs to the innermost root, whichever is scanned first`() throws {
        _ = try SampleSession(at: inner.appending("a"))
        for roots in [[outer, inner], [inner, outer]] {
            for root in roots { _ = try scan(root, of: roots) }
            #expect(try known() == ["a in inner"])
        }
        #expect(try scan(outer, of: [outer, inner]) == ["looked: online", "found: a (0)", "forgot: "])
        #expect(SessionRoots([outer, inner]).root(of: inner.appending("a")) == inner)
        #expect(SessionRoots([inner, outer]).root(of: inner) == inner)
        #expect(SessionRoots([outer]).root(of: FilePath(outer.string + "-2")) == nil)
    }

    /// Rows of each session by its path, whatever root it is in.
    private func paths() throws -> [String] { try index.sessions().map(\.path.string).sorted() }

    @Test(arguments: [false, true])
    func `a root that a link leads into is compared by what it is, and its sessions have one path`(
        isLinkFirst: Bool
    ) throws {
        let link = scratch("link")
        try #require(symlink(outer.string, link.string) == 0)
        let nested = try SampleSession(at: inner.appending("a"))
        let other = SampleSession.header.replacing("0001\"", with: "0002\"")
        _ = try SampleSession(at: outer.appending("b"), header: other)
        // As it was while the roots were compared by their paths.
        for root in [link, inner] { _ = try scan(root, of: [root]) }
        #expect(try paths().count == 3)
        let paths = isLinkFirst ? [link, inner] : [inner, link]
        for root in paths { _ = try scan(root, of: paths) }
        #expect(try self.paths() == [link.appending("b").string, nested.path.string].sorted())
        let roots = SessionRoots(paths)
        let byLink = link.appending("live").appending("a")
        #expect(roots.root(of: byLink) == nil && roots.ownPath(of: byLink) == nested.path)
        #expect(roots.root(of: nested.path) == inner && roots.ownPath(of: nested.path) == nested.path)
        #expect(roots.ownPath(of: link.appending("b")) == link.appending("b"))
        #expect(
            roots.journals(of: link) == [link.appending("b")] && roots.journals(of: inner) == [nested.path])
        // What was scanned rests.
        #expect(try scan(link, of: paths).last == "forgot: ")
    }

    @Test func `of two paths of one root the first counts`() throws {
        let link = scratch("link")
        try #require(symlink(outer.string, link.string) == 0)
        _ = try SampleSession(at: outer.appending("a"))
        for paths in [[link, outer], [outer, link], [outer, outer]] {
            for root in paths { _ = try scan(root, of: paths) }
            #expect(try self.paths() == [paths[0].appending("a").string])
        }
    }

    @Test func `a root that comes later is compared when it is there`() throws {
        let (link, moved) = (scratch("link"), scratch("moved"))
        let roots = SessionRoots([link, inner])
        _ = try SampleSession(at: inner.appending("a"))
        let byLink = link.appending("live").appending("a")
        #expect(roots.ownPath(of: byLink) == byLink)
        try #require(symlink(outer.string, link.string) == 0)
        #expect(roots.comparedAgain.ownPath(of: byLink) == inner.appending("a"))
        try #require(rename(outer.string, moved.string) == 0)
        #expect(roots.comparedAgain.ownPath(of: byLink) == byLink)
    }

    @Test func `where the index can't say how a root is, nobody is told that it is there`() throws {
        _ = try scan(outer, of: [outer])
        try #require(rename(scratch("state").string, scratch("away").string) == 0)
        let told = try scan(outer, of: [outer])
        #expect(
            told.map { $0.prefix { $0 != "/" } } == [
                "failed: look for the root: ", "found:  (0)", "failed: forget sessions that are gone: ",
            ])
    }

    @Test func `a root that is gone keeps its sessions`() throws {
        _ = try SampleSession(at: outer.appending("a"))
        _ = try scan(outer, of: [outer])
        try #require(rename(outer.string, outer.string + ".away") == 0)
        #expect(try scan(outer, of: [outer]) == ["looked: offline"])
        #expect(try known() == ["a in outer"])
    }

    @Test(arguments: 1...12) func `a scan that is stopped forgets nothing`(asked: Int) throws {
        _ = try SampleSession(at: outer.appending("a"))
        _ = try scan(outer, of: [outer])
        try #require(unlink(outer.appending("a").appending("session.json").string) == 0)
        var count = 0
        let told = try scan(
            outer, of: [outer],
            shouldStop: {
                count += 1
                return count >= asked
            })
        #expect(try known().isEmpty == told.contains("forgot: a"))
        #expect(told.contains("forgot: a") == (count < asked))
    }
}
