import FileHarness
import Glibc
import SystemPackage
import Testing
import TraceText

@testable import TraceFiles

struct DirectoryWalkerTests {
    let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    @Test func `every entry is met once, links are not followed`() throws {
        try scratch.makeDirectory("a")
        try scratch.write("x", to: "file")
        try scratch.write("x", to: crookedName)
        try scratch.link("loop", to: ".")
        try #require(mkfifo(scratch("pipe").string, 0o644) == 0)
        try #require(mkdir(scratch("a").appending("b").string, 0o755) == 0)
        try #require(close(creat(scratch("a").pushing("b/deep").string, 0o644)) == 0)
        var met: [String] = []
        DirectoryWalker(root: scratch.path).walk { entry in
            met.append("\(entry.depth) \(entry.name.escaped) \(entry.kind)")
            return .descend
        } report: {
            Issue.record($0)
        }
        let expected = [
            "0 a directory", "0 file regular", #"0 a\xFF\xFE.j regular"#, "0 loop symbolicLink",
            "0 pipe special", "1 b directory", "2 deep regular",
        ]
        #expect(met.sorted() == expected.sorted())
    }

    @Test func `the visitor decides where to descend and when to stop`() throws {
        for name: FilePath.Component in ["yes", "no"] {
            try scratch.makeDirectory(name)
            try #require(close(creat(scratch(name).appending("in-\(name)").string, 0o644)) == 0)
        }
        var met: Set<String> = []
        DirectoryWalker(root: scratch.path).walk { entry in
            met.insert(entry.name.string)
            return entry.name == "no" ? .pass : .descend
        } report: {
            Issue.record($0)
        }
        #expect(met == ["yes", "no", "in-yes"])
        var count = 0
        DirectoryWalker(root: scratch.path).walk { _ in
            count += 1
            return .stop
        } report: {
            Issue.record($0)
        }
        #expect(count == 1)
    }

    @Test func `it asks at each directory whether to go on, and says whether it came to its end`() throws {
        for name: FilePath.Component in ["a", "b", "c"] { try scratch.makeDirectory(name) }
        func walk(asking most: Int) -> (isWhole: Bool, asked: Int) {
            var asked = 0
            let isWhole = DirectoryWalker(root: scratch.path).walk {
                asked += 1
                return asked > most
            } visit: { _ in
                .descend
            } report: {
                Issue.record($0)
            }
            return (isWhole, asked)
        }
        #expect(walk(asking: 4) == (true, 4))
        #expect(walk(asking: 3) == (false, 4))
        #expect(walk(asking: 0) == (false, 1))
    }

    @Test func `a large directory is left in its middle`() throws {
        for number in 0..<3000 {
            try #require(close(creat("\(scratch.path)/\(number)", 0o644)) == 0)
        }
        var asked = 0
        var met = 0
        let isWhole = DirectoryWalker(root: scratch.path).walk {
            asked += 1
            return asked > 2
        } visit: { _ in
            met += 1
            return .pass
        } report: {
            Issue.record($0)
        }
        #expect(!isWhole)
        #expect(met == 2048)
    }

    @Test func `a directory that vanishes or becomes a link holds nothing, its siblings are walked`() throws {
        try scratch.makeDirectory("gone")
        try scratch.makeDirectory("link")
        try scratch.makeDirectory("stays")
        try #require(close(creat(scratch("stays").appending("file").string, 0o644)) == 0)
        var met: Set<String> = []
        var errors: [FileError.Code] = []
        DirectoryWalker(root: scratch.path).walk { [scratch] entry in
            met.insert(entry.name.string)
            if entry.name == "gone" { rmdir(entry.path.string) }
            if entry.name == "link" {
                rmdir(entry.path.string)
                symlink(scratch("stays").string, entry.path.string)
            }
            return .descend
        } report: {
            errors.append($0.code)
        }
        #expect(met == ["gone", "link", "stays", "file"])
        #expect(errors == [])
    }

    @Test func `a root that is not there is reported`() {
        var errors: [FileError] = []
        DirectoryWalker(root: scratch("none")).walk { _ in
            .descend
        } report: {
            errors.append($0)
        }
        #expect(errors.map(\.code) == [.notFound])
        #expect(errors.first?.path == scratch("none"))
    }

    @Test func `a tree deeper than a path may be is reported where it gets too deep`() throws {
        var directory = try OpenDirectory(scratch.path)
        let name = FilePath.Component(bytes: [UInt8](repeating: 0x64, count: 200)) ?? "d"
        for _ in 0..<30 {
            try #require(directory.withDescriptor { mkdirat($0, name.string, 0o755) } == 0)
            directory = try directory.openDirectory(name)
        }
        var errors: [FileError.Code] = []
        var depth = 0
        DirectoryWalker(root: scratch.path).walk { entry in
            depth = max(depth, entry.depth)
            return .descend
        } report: {
            errors.append($0.code)
        }
        #expect(errors == [.invalidData])
        #expect(depth > 15)
        removeDeepTree(scratch.path, name)
    }

    /// Removes what is too deep for paths, from the outside in: the inner directory is moved up, then the
    /// outer removed.
    private func removeDeepTree(_ root: FilePath, _ name: FilePath.Component) {
        while true {
            let outer = root.appending(name).string
            let inner = root.appending(name).appending(name).string
            let aside = root.appending("aside").string
            let isLast = rename(inner, aside) != 0
            rmdir(outer)
            if isLast { return }
            rename(aside, outer)
        }
    }
}
