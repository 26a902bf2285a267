import FileHarness
import Glibc
import SystemPackage
import Testing

@testable import TraceStore

struct PolledTreeTests {
    private let scratch: ScratchDirectory
    private var root: FilePath { scratch.path }

    init() throws { scratch = try ScratchDirectory() }

    private func shell(_ script: String) {
        #expect(Glibc.system("cd '\(root.string)' && \(script)") == 0)
    }

    /// A tree that has seen everything, so that it tells news only.
    private func settled() -> PolledTree {
        var tree = PolledTree(JournalRegistry([SessionFormat()]))
        tree.setTops([root])
        for _ in 0..<3 { _ = tree.look(atMost: 1000) }
        return tree
    }

    private func session(_ name: String) {
        shell("mkdir -p '\(name)/media' && : > '\(name)/session.json' && : > '\(name)/markers.jsonl'")
    }

    @Test func `the first round tells all directories, the next ones nothing`() {
        session("a")
        session("deep/b")
        shell("mkdir -p .stversions/old")
        var tree = PolledTree(JournalRegistry([SessionFormat()]))
        #expect(tree.look(atMost: 1000).isEmpty)
        tree.setTops([root])
        let names = ["", "a", "a/media", "deep", "deep/b", "deep/b/media"]
        let all = names.map { PolledTree.Change.directory($0.isEmpty ? root : root.pushing(FilePath($0))) }
        let first = tree.look(atMost: 1000)
        #expect(first.count == all.count && all.allSatisfy(first.contains), "\(first)")
        #expect(tree.count == all.count && tree.isAtStart)
        for _ in 0..<4 { #expect(tree.look(atMost: 1000).isEmpty) }
    }

    @Test func `in its first round too it is known how many directories are left to be looked at`() {
        for index in 0..<20 { session("\(index)") }
        var tree = PolledTree(JournalRegistry([SessionFormat()]))
        tree.setTops([root])
        _ = tree.look(atMost: 1)
        #expect(tree.count == 21)
        _ = tree.look(atMost: 20)
        #expect(tree.count >= 31)
        while !tree.isAtStart { _ = tree.look(atMost: 7) }
        #expect(tree.count == 41)
    }

    /// What is done below a root, and which directories must be told.
    static let changes: [(script: String, told: [String])] = [
        ("echo x >> a/markers.jsonl", ["a"]),
        ("touch -d 2001-01-01 a/markers.jsonl", ["a"]),
        (": > new && mv new a/markers.jsonl", ["", "a"]),
        ("chmod 600 a/session.json", ["a"]),
        (": > a/transcript.jsonl", ["a"]),
        ("rm a/session.json", ["a"]),
        (": > a/media/x.m4a", ["a/media"]),
        ("mkdir -p c/d && : > c/d/session.json", ["", "c", "c/d"]),
        ("mkdir -p a/media/n && : > a/media/n/session.json", ["a/media", "a/media/n"]),
        (": > plain/session.json", ["plain"]),
        ("mv a z", ["", "z", "z/media", "-a"]),
        ("rm -r a", ["", "-a"]),
        ("ln -s /tmp link", [""]),
        ("echo x >> plain/file", []),
    ]

    @Test(arguments: changes)
    func `a change is told in the next round, and only there`(_ change: (script: String, told: [String])) {
        session("a")
        session("b")
        shell("mkdir plain && : > plain/file")
        var tree = settled()
        shell(change.script)
        let told = change.told.map { name -> PolledTree.Change in
            name.hasPrefix("-")
                ? .gone(root.pushing(FilePath(String(name.dropFirst()))))
                : .directory(name.isEmpty ? root : root.pushing(FilePath(name)))
        }
        let first = tree.look(atMost: 1000)
        #expect(first.count == told.count && told.allSatisfy(first.contains), "\(change): \(first)")
        for _ in 0..<3 { #expect(tree.look(atMost: 1000).isEmpty) }
    }

    @Test func `a name that comes while a directory's times stand still is found`() throws {
        var tree = settled()
        shell("mkdir early && touch -d 2001-01-01 .")
        _ = tree.look(atMost: 1000)
        // As if the clock had not moved: the times are the same again, but for the kernel's own.
        session("late")
        shell("touch -d 2001-01-01 .")
        let told = tree.look(atMost: 1000)
        #expect(told.contains(.directory(root.appending("late"))), "\(told)")
    }

    @Test func `a round may be done in pieces, and comes to each directory once`() {
        for number in 0..<10 { session("s\(number)") }
        var tree = settled()
        for number in 0..<10 { shell("echo x >> s\(number)/markers.jsonl") }
        var told: [PolledTree.Change] = []
        var pieces = 0
        repeat {
            told += tree.look(atMost: 3)
            pieces += 1
        } while !tree.isAtStart
        #expect(pieces == 7 && tree.count == 21)
        #expect(Set(told.map { "\($0)" }).count == 10 && told.count == 10)
    }

    @Test func `a top that comes or goes changes nothing about the others`() {
        session("a")
        session("b")
        var tree = PolledTree(JournalRegistry([SessionFormat()]))
        tree.setTops([root.appending("a")])
        for _ in 0..<3 { _ = tree.look(atMost: 1000) }
        tree.setTops([root.appending("a"), root.appending("b")])
        #expect(
            Set(tree.look(atMost: 1000).map { "\($0)" })
                == Set(
                    [root.appending("b"), root.appending("b").appending("media")].map {
                        "\(PolledTree.Change.directory($0))"
                    }))
        tree.setTops([])
        #expect(tree.look(atMost: 1000).isEmpty && tree.count == 0)
    }

    @Test func `a top that is gone is told once, and when it is back`() {
        session("a")
        var tree = settled()
        shell("mv '\(root.string)' '\(root.string).away'")
        #expect(tree.look(atMost: 1000).contains(.directory(root)))
        #expect(tree.look(atMost: 1000).isEmpty)
        #expect(Glibc.system("mv '\(root.string).away' '\(root.string)'") == 0)
        #expect(tree.look(atMost: 1000).contains(.directory(root.appending("a"))))
    }
}
