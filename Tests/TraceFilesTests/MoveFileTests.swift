import FileHarness
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import TraceFiles

struct MoveFileTests {
    let scratch: ScratchDirectory
    let spool: OpenDirectory
    let done: OpenDirectory

    init() throws {
        scratch = try ScratchDirectory()
        try scratch.makeDirectory("spool")
        try scratch.makeDirectory("done")
        spool = try OpenDirectory(scratch("spool"))
        done = try OpenDirectory(scratch("done"))
    }

    func put(_ text: String, _ name: FilePath.Component, in directory: OpenDirectory) throws {
        try directory.replaceFile(
            name, with: Array(text.utf8),
            expecting: directory.statusIfPresent(of: name, followingLinks: false)?.identity)
    }

    @Test func `the file is in the new directory and no longer in the old`() throws {
        try put("entry", crookedName, in: spool)
        let identity = try spool.moveFile(crookedName, to: "b", in: done)
        #expect(try spool.readFile(crookedName) == nil)
        let read = try done.readFile("b")
        #expect(read?.contents == Array("entry".utf8))
        #expect(read?.identity == identity)
    }

    @Test func `a file that is not there is told apart from one that may not be replaced`() throws {
        #expect(code { try spool.moveFile("a", to: "a", in: done) } == .notFound)
        try put("one", "a", in: spool)
        try put("two", "a", in: done)
        #expect(code { try spool.moveFile("a", to: "a", in: done) } == .alreadyExists)
        #expect(try spool.readFile("a")?.contents == Array("one".utf8))
        #expect(try done.readFile("a")?.contents == Array("two".utf8))
    }

    @Test func `the same contents under both names finish the move`() throws {
        try put("one", "a", in: spool)
        try put("one", "a", in: done)
        try spool.moveFile("a", to: "a", in: done)
        #expect(try spool.readFile("a") == nil)
        // What a killed link-and-unlink leaves: one file, two names.
        try #require(
            link(scratch("done").appending("a").string, scratch("spool").appending("a").string) == 0)
        try spool.moveFile("a", to: "a", in: done)
        #expect(try spool.readFile("a") == nil)
        #expect(try done.readFile("a")?.contents == Array("one".utf8))
    }

    @Test func `a file system without renameat2 never replaces either`() throws {
        try put("one", "a", in: spool)
        try spool.moveWithoutReplacing("a", to: "b", in: done, renameat2: nil)
        #expect(try spool.readFile("a") == nil)
        #expect(try done.readFile("b")?.contents == Array("one".utf8))
        try put("two", "a", in: spool)
        #expect(throws: Errno.fileExists) {
            try spool.moveWithoutReplacing("a", to: "b", in: done, renameat2: nil)
        }
        #expect(try spool.readFile("a")?.contents == Array("two".utf8))
        #expect(try done.readFile("b")?.contents == Array("one".utf8))
    }

    @Test func `a directory of the new name is never taken for the file that was moved`() throws {
        try #require(mkdir(scratch("done").appending("a").string, 0o755) == 0)
        let size = try done.status(of: "a", followingLinks: false).identity.size
        try put(String(repeating: "x", count: Int(size)), "a", in: spool)
        #expect(code { try spool.moveFile("a", to: "a", in: done) } == .alreadyExists)
        #expect(try spool.readFile("a")?.contents.count == Int(size))
    }

    @Test func `without renameat2 and hard links, as for directories, nothing is replaced either`() throws {
        try #require(mkdir(scratch("spool").appending("a").string, 0o755) == 0)
        try spool.moveWithoutReplacing("a", to: "b", in: done, renameat2: nil)
        try #require(mkdir(scratch("spool").appending("a").string, 0o755) == 0)
        #expect(throws: Errno.fileExists) {
            try spool.moveWithoutReplacing("a", to: "b", in: done, renameat2: nil)
        }
        #expect(throws: Errno.noSuchFileOrDirectory) {
            try spool.moveWithoutReplacing("missing", to: "c", in: done, renameat2: nil)
        }
        #expect(try spool.status(of: "a", followingLinks: false).kind == .directory)
        #expect(try done.status(of: "b", followingLinks: false).kind == .directory)
    }

    @Test func `moving a file onto itself changes nothing`() throws {
        try put("one", "a", in: spool)
        try spool.moveFile("a", to: "a", in: OpenDirectory(scratch("spool")))
        #expect(try spool.readFile("a")?.contents == Array("one".utf8))
    }

    @Test(.enabled(if: SmallFileSystem.isAvailable, "needs the right to mount"))
    func `between file systems it is copied with its attributes, then removed`() throws {
        let disk = try SmallFileSystem()
        let elsewhere = try OpenDirectory(disk.directory.path)
        try put("entry", "a", in: spool)
        let path = scratch("spool").appending("a").string
        try #require(chmod(path, 0o640) == 0)
        let time = timespec(tv_sec: -5, tv_nsec: 250_000_000)
        try #require(utimensat(AT_FDCWD, path, [time, time], 0) == 0)

        let identity = try spool.moveFile("a", to: "b", in: elsewhere)
        #expect(identity.modified == SystemTime(seconds: -5, nanoseconds: 250_000_000))
        #expect(try elsewhere.status(of: "b", followingLinks: false).permissions == 0o640)
        #expect(try elsewhere.readFile("b")?.contents == Array("entry".utf8))
        #expect(try spool.readFile("a") == nil)
        #expect(try disk.directory.names() == ["b"])

        try put("other", "a", in: spool)
        #expect(code { try spool.moveFile("a", to: "b", in: elsewhere) } == .alreadyExists)
        try put(String(repeating: "x", count: 100_000), "a", in: spool)
        #expect(code { try spool.moveFile("a", to: "c", in: elsewhere) } == .diskFull)
        #expect(try spool.readFile("a") != nil)
        #expect(try disk.directory.names() == ["b"])
    }

    @Test(.enabled(if: SmallFileSystem.isAvailable, "needs the right to mount"), arguments: 1...3)
    func `between file systems it can be ended, and the file is whole where it was`(last: Int) throws {
        let disk = try SmallFileSystem()
        let elsewhere = try OpenDirectory(disk.directory.path)
        try put("entry", "a", in: spool)
        // Once in the copying, and once for each of the two that are compared.
        var asked = 0
        let error = #expect(throws: FileError.self) {
            try spool.moveFile("a", to: "a", in: elsewhere) { (_) throws(Errno) in
                asked += 1
                if asked == last { throw .canceled }
            }
        }
        #expect(error?.errno == .canceled)
        #expect(try spool.readFile("a")?.contents == Array("entry".utf8))
        #expect(try disk.directory.names() == (last == 1 ? [] : ["a"]))
        try spool.moveFile("a", to: "a", in: elsewhere)
        #expect(try elsewhere.readFile("a")?.contents == Array("entry".utf8))
        #expect(try spool.readFile("a") == nil)
    }

    @Test(.enabled(if: SmallFileSystem.isAvailable, "needs the right to mount"))
    func `killed before any step between file systems, a second run finishes`() async throws {
        for fatal in Torture.steps(8) {
            let disk = try SmallFileSystem()
            try put("entry", "a", in: spool)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [
                    from = scratch("spool").string as String, to = disk.directory.path.string as String,
                    fatal = fatal as Int
                ] in
                let steps = Steps()
                let hook: FailPoint = { step, _ throws(Errno) in
                    if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
                }
                let spool = try OpenDirectory(FilePath(from), failPoint: hook)
                try spool.moveFile("a", to: "a", in: OpenDirectory(FilePath(to), failPoint: hook))
            }
            let elsewhere = try OpenDirectory(disk.directory.path)
            let copies = [try spool.readFile("a"), try elsewhere.readFile("a")].compactMap { $0?.contents }
            #expect(!copies.isEmpty)
            #expect(copies.allSatisfy { $0 == Array("entry".utf8) })
            if try spool.readFile("a") != nil { try spool.moveFile("a", to: "a", in: elsewhere) }
            #expect(try elsewhere.readFile("a")?.contents == Array("entry".utf8))
            #expect(try disk.directory.names() == ["a"])
        }
    }
}
