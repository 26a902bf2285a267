import FileHarness
import Glibc
import SystemPackage
import TestSupport
import Testing
import TraceText

@testable import TraceFiles

struct ReplaceFileTests {
    let scratch: ScratchDirectory
    let directory: OpenDirectory

    init() throws {
        scratch = try ScratchDirectory()
        directory = try OpenDirectory(scratch.path)
    }

    func identity(_ name: FilePath.Component = "session.json") throws -> FileIdentity? {
        try directory.statusIfPresent(of: name, followingLinks: true)?.identity
    }

    @Test func `a new file gets the usual permissions`() throws {
        let identity = try directory.replaceFile(
            "session.json", with: Array("new".utf8), expecting: nil)
        #expect(try scratch.text(of: "session.json") == "new")
        #expect(try scratch.permissions(of: "session.json") == 0o644)
        #expect(try self.identity() == identity)
        #expect(try scratch.names() == ["session.json"])
    }

    @Test(arguments: [0o600, 0o664, 0o777, 0o400] as [UInt32])
    func `permissions are kept`(permissions: UInt32) throws {
        try scratch.write("old", to: "session.json")
        try #require(chmod(scratch("session.json").string, permissions) == 0)
        try directory.replaceFile("session.json", with: Array("new".utf8), expecting: identity())
        #expect(try scratch.permissions(of: "session.json") == permissions)
        #expect(try scratch.text(of: "session.json") == "new")
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give files away"))
    func `owner and group are kept`() throws {
        try scratch.write("old", to: "session.json")
        try #require(chown(scratch("session.json").string, 1234, 5678) == 0)
        try directory.replaceFile("session.json", with: [], expecting: identity())
        let status = try directory.status(of: "session.json", followingLinks: false)
        #expect(status.owner == 1234 && status.group == 5678)
    }

    @Test func `a link stays a link, and its target is replaced where it lies`() throws {
        try scratch.makeDirectory("notes")
        try scratch.link("digest.md", to: "notes/digest.md")
        let notes = try OpenDirectory(scratch("notes"))
        try directory.replaceFile("digest.md", with: Array("one".utf8), expecting: nil)
        try directory.replaceFile("digest.md", with: Array("two".utf8), expecting: identity("digest.md"))
        #expect(try notes.readFile("digest.md")?.contents == Array("two".utf8))
        #expect(try directory.status(of: "digest.md", followingLinks: false).kind == .symbolicLink)
        #expect(try scratch.names() == ["digest.md", "notes"])
    }

    @Test func `a file that is not the one that was read is left alone`() throws {
        try scratch.write("old", to: "session.json")
        let read = try identity()
        try scratch.write("edited", to: "session.json")
        #expect(
            code { try directory.replaceFile("session.json", with: [1], expecting: read) }
                == .changedMeanwhile)
        #expect(
            code { try directory.replaceFile("session.json", with: [1], expecting: nil) } == .changedMeanwhile
        )
        #expect(code { try directory.replaceFile("none", with: [1], expecting: read) } == .changedMeanwhile)
        #expect(try scratch.text(of: "session.json") == "edited")
        #expect(try scratch.names() == ["session.json"])
    }

    @Test(arguments: [WriteStep.write, .sync, .compare])
    func `an edit during the write is not overwritten`(moment: WriteStep) throws {
        try scratch.write("old", to: "session.json")
        let directory = try OpenDirectory(scratch.path) { [scratch] step, _ throws(Errno) in
            if step == moment { try? scratch.renameOver("session.json", "edited") }
        }
        let read = try identity()
        #expect(
            code { try directory.replaceFile("session.json", with: [1], expecting: read) }
                == .changedMeanwhile)
        #expect(try scratch.text(of: "session.json") == "edited")
        #expect(try scratch.names() == ["session.json"])
    }

    @Test func `a file that appears at the last instant is not overwritten`() throws {
        let directory = try OpenDirectory(scratch.path) { [scratch] step, _ throws(Errno) in
            if step == .rename { try? scratch.write("theirs", to: "session.json") }
        }
        #expect(
            code { try directory.replaceFile("session.json", with: [1], expecting: nil) } == .changedMeanwhile
        )
        #expect(try scratch.text(of: "session.json") == "theirs")
        #expect(try scratch.names() == ["session.json"])
    }

    @Test(arguments: [WriteStep.write, .sync, .compare, .rename])
    func `a failure at any step leaves the old file and no other`(failing: WriteStep) throws {
        try scratch.write("old", to: "session.json")
        let directory = try OpenDirectory(scratch.path) { step, _ throws(Errno) in
            if step == failing { throw Errno(rawValue: EIO) }
        }
        let read = try identity()
        #expect(code { try directory.replaceFile("session.json", with: [1], expecting: read) } == .io)
        #expect(try scratch.text(of: "session.json") == "old")
        #expect(try identity() == read)
        #expect(try scratch.names() == ["session.json"])
    }

    @Test(.enabled(if: SmallFileSystem.isAvailable, "needs the right to mount"))
    func `a full disk leaves the old file and no other`() throws {
        let disk = try SmallFileSystem()
        let directory = try OpenDirectory(disk.directory.path)
        let identity = try directory.replaceFile("session.json", with: [0x61], expecting: nil)
        let long = [UInt8](repeating: 0, count: 100_000)
        #expect(
            code { try directory.replaceFile("session.json", with: long, expecting: identity) } == .diskFull)
        #expect(try disk.directory.text(of: "session.json") == "a")
        #expect(try disk.directory.names() == ["session.json"])
    }

    @Test func `a leftover is overwritten, a living writer is waited for`() throws {
        try scratch.write("left over", to: ".session.json.trace-tmp")
        try scratch.link(".linked.trace-tmp", to: "victim")
        try directory.replaceFile("session.json", with: [0x61], expecting: nil)
        try directory.replaceFile("linked", with: [0x61], expecting: nil)
        #expect(try scratch.names() == ["linked", "session.json"])

        let name = TemporaryFile.name(for: "session.json")
        do {
            let alive = try TemporaryFile(name, in: directory, permissions: 0o600)
            let refused = code {
                _ = try TemporaryFile(name, in: directory, permissions: 0o600, timeout: .milliseconds(20))
            }
            #expect(refused == .sessionLocked)
            _ = alive
        }
        #expect(try scratch.names() == ["linked", "session.json"])
    }

    @Test func `of writers that read the same state one wins, the others start over`() async throws {
        try scratch.write("", to: "session.json")
        let path = scratch.path
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    let directory = try OpenDirectory(path)
                    var done = 0
                    while done < 100 {
                        do {
                            guard let read = try directory.readFile("session.json") else { return }
                            try directory.replaceFile(
                                "session.json", with: read.contents + [0x78], expecting: read.identity)
                            done += 1
                        } catch let error as FileError
                            where [.changedMeanwhile, .sessionLocked].contains(error.code)
                        {
                            // The latter where the disk is so slow that the others took ten seconds.
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try scratch.bytes(of: "session.json").count == 400)
        #expect(try scratch.names() == ["session.json"])
    }

    @Test func `names of any bytes and of the greatest length work`() throws {
        let longest = try #require(FilePath.Component(bytes: [UInt8](repeating: 0xFE, count: 255)))
        for name in [crookedName, longest] {
            let identity = try directory.replaceFile(name, with: [1], expecting: nil)
            try directory.replaceFile(name, with: [2], expecting: identity)
            #expect(try directory.readFile(name)?.contents == [2])
            #expect(TemporaryFile.isName(TemporaryFile.name(for: name)))
        }
        #expect(try scratch.names().count == 2)
    }

    @Test(arguments: [
        (".a.trace-tmp", true), ("..trace-tmp", false), (".trace-tmp", false), ("a.trace-tmp", false),
    ])
    func `the name of a temporary file has a dot, a name and an ending`(name: String, isOne: Bool) throws {
        #expect(try TemporaryFile.isName(#require(FilePath.Component(name))) == isOne)
    }

    @Test func `what is no regular file is refused`() throws {
        try scratch.makeDirectory("directory")
        try #require(mkfifo(scratch("pipe").string, 0o644) == 0)
        for name: FilePath.Component in ["directory", "pipe", ".", ".."] {
            #expect(code { try directory.replaceFile(name, with: [1], expecting: nil) } == .notRegularFile)
        }
    }

    @Test func `a process killed before any step leaves the old contents or the new`() async throws {
        for fatal in Torture.steps(5) {
            let scratch = try ScratchDirectory()
            try scratch.write("old", to: "session.json")
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = scratch.path.string as String, fatal = fatal as Int] in
                let steps = Steps()
                let directory = try OpenDirectory(FilePath(path)) { step, _ throws(Errno) in
                    if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
                }
                let old = try directory.status(of: "session.json", followingLinks: true).identity
                try directory.replaceFile("session.json", with: Array("new".utf8), expecting: old)
            }
            #expect(try scratch.text(of: "session.json") == (fatal < 5 ? "old" : "new"))
            let removed = try DirectoryLock(scratch.path).removeLeftovers()
            #expect(removed == (fatal < 5 ? [scratch(".session.json.trace-tmp")] : []))
            #expect(try scratch.names() == ["session.json"])
        }
    }
}
