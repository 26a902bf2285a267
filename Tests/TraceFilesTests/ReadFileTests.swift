import FileHarness
import Glibc
import SystemPackage
import Testing

@testable import TraceFiles

struct ReadFileTests {
    let scratch: ScratchDirectory
    let directory: OpenDirectory

    init() throws {
        scratch = try ScratchDirectory()
        directory = try OpenDirectory(scratch.path)
    }

    @Test func `the bytes come with the identity that they belong to`() throws {
        try scratch.write("text", to: "a")
        let read = try #require(try directory.readFile("a"))
        #expect(read.contents == Array("text".utf8))
        #expect(read.identity == (try directory.status(of: "a", followingLinks: false).identity))
        #expect(read.identity.size == 4)
        try scratch.write("", to: "empty")
        #expect(try directory.readFile("empty")?.contents == [])
        #expect(try directory.readFile("none") == nil)
    }

    @Test func `a link is followed, also one that leads nowhere`() throws {
        try scratch.makeDirectory("sub")
        try scratch.write("text", to: "a")
        try scratch.link("link", to: "sub/../a")
        try scratch.link("nowhere", to: "gone")
        #expect(try directory.readFile("link")?.contents == Array("text".utf8))
        #expect(try directory.readFile("nowhere") == nil)
    }

    @Test func `a file at the limit is read, one byte more is refused`() throws {
        try scratch.write("four", to: "a")
        #expect(try directory.readFile("a", limit: 4) != nil)
        #expect(code { try directory.readFile("a", limit: 3) } == .invalidData)
    }

    @Test func `a file that changes during the read is read again`() throws {
        try scratch.write("old", to: "a")
        let steps = Steps()
        let directory = try OpenDirectory(scratch.path) { [scratch] step, _ throws(Errno) in
            switch steps.add(step) {
            case 1: try? scratch.append(" and more", to: "a")
            case 2: try? scratch.write("short", to: "a")
            default: break
            }
        }
        #expect(try directory.readFile("a")?.contents == Array("short".utf8))
        #expect(steps.all.count == 3)
    }

    @Test func `a file that never rests is reported`() throws {
        try scratch.write("old", to: "a")
        let directory = try OpenDirectory(scratch.path) { [scratch] _, _ throws(Errno) in
            try? scratch.append("x", to: "a")
        }
        #expect(code { try directory.readFile("a") } == .changedMeanwhile)
    }

    @Test func `pipes and directories are refused without hanging`() throws {
        try #require(mkfifo(scratch("pipe").string, 0o644) == 0)
        try scratch.makeDirectory("directory")
        #expect(code { try directory.readFile("pipe") } == .notRegularFile)
        #expect(code { try directory.readFile("directory") } == .notRegularFile)
        #expect(code { try directory.sha256(of: "pipe") } == .notRegularFile)
        #expect(code { try OpenDirectory("/dev").readFile("zero") } == .notRegularFile)
    }

    @Test func `an open file stays the same when its name gets another`() throws {
        try scratch.write("old", to: "a")
        let file = try #require(try directory.openRegularFile("a"))
        try scratch.renameOver("a", "new")
        var bytes = [UInt8](repeating: 0, count: 8)
        let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 1) }
        #expect(bytes.prefix(count) == Array("ld".utf8)[...])
        #expect(try file.currentIdentity().isSameFile(as: file.identity))
        #expect(try directory.openRegularFile("none") == nil)
    }

    @Test func `the checksum is that of the standard`() throws {
        try scratch.write("abc", to: "abc")
        try scratch.write("", to: crookedName)
        try scratch.write([UInt8](repeating: 0x61, count: 1_000_000), to: "million")
        #expect(
            try directory.sha256(of: "abc")
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            try directory.sha256(of: crookedName)
                == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            try directory.sha256(of: "million")
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
        #expect(code { try directory.sha256(of: "none") } == .notFound)
    }

    @Test func `what is there can be made durable, what is not is reported`() throws {
        try scratch.write("abc", to: "abc")
        try scratch.link("link", to: "abc")
        try directory.makeDurable("abc")
        try directory.makeDurable("link")
        #expect(code { try directory.makeDurable("none") } == .notFound)
    }
}
