import FileHarness
import Glibc
import SystemPackage
import TestSupport
import Testing
import TraceText

@testable import TraceFiles

struct PlaceMediaTests {
    let scratch: ScratchDirectory
    let session: OpenDirectory
    static let checksum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    init() throws {
        scratch = try ScratchDirectory()
        try scratch.write("abc", to: "source")
        try scratch.makeDirectory("session")
        session = try OpenDirectory(scratch("session"))
    }

    func place(_ path: FilePath = "media/a.m4a", in session: OpenDirectory? = nil) throws -> MediaPlacement {
        try (session ?? self.session).placeMedia(
            from: scratch("source"), to: path, expectedSHA256: Self.checksum, expectedSize: 3)
    }

    func names(_ path: FilePath = "media") throws -> [String] {
        var names: [String] = []
        try OpenDirectory(scratch("session").pushing(path)).forEachName { names.append($0.escaped) }
        return names.sorted()
    }

    @Test func `the file is copied into a media directory that is made for it`() throws {
        let placement = try place()
        #expect(try names() == ["a.m4a"])
        let media = try session.openDirectory("media")
        #expect(try media.readFile("a.m4a")?.contents == Array("abc".utf8))
        #expect(placement == .placed(try media.status(of: "a.m4a", followingLinks: false).identity))
        #expect(try scratch.text(of: "source") == "abc")
        #expect(try media.status(of: "a.m4a", followingLinks: false).permissions == 0o644)
    }

    @Test func `placing the same again is done already`() throws {
        let first = try place()
        #expect(try place() == .alreadyThere(first.identity))
        #expect(
            try session.placeMedia(from: scratch("source"), to: "media/a.m4a")
                == .alreadyThere(first.identity))
        #expect(
            try session.placeMedia(
                from: scratch("source"), to: "media/a.m4a", expectedSHA256: Self.checksum.uppercased())
                == .alreadyThere(first.identity))
    }

    @Test
    func `a large file is copied in pieces, each on the disk soon after, and asks at each whether to go on`()
        throws
    {
        let size: Int64 = 30 << 20
        var sizes: [Int64] = []
        let file = try FileDescriptor.open(scratch("source"), .writeOnly)
        try file.closeAfter {
            _ = try file.writeAll(toAbsoluteOffset: 9 << 20, Array("in the second piece".utf8))
            _ = try file.writeAll(toAbsoluteOffset: size - 1, [0x21])
        }
        _ = try session.placeMedia(from: scratch("source"), to: "media/a.m4a") { (done, _) throws(Errno) in
            if (size...(2 * size)).contains(done) { sizes.append(done - size) }
        }
        let steps = zip(sizes, sizes.dropFirst()).map { $1 - $0 }
        #expect(steps.allSatisfy { $0 <= 8 << 20 })
        let copied = try session.openDirectory("media").sha256(of: "a.m4a")
        #expect(try copied == OpenDirectory(scratch.path).sha256(of: "source"))

        let error = #expect(throws: FileError.self) {
            try session.placeMedia(from: scratch("source"), to: "media/b.m4a") { (done, _) throws(Errno) in
                if done > size + (16 << 20) { throw .canceled }
            }
        }
        #expect(error?.errno == .canceled)
        #expect(try names() == ["a.m4a"])
    }

    @Test func `the look at what is there already can be ended too`() throws {
        _ = try place()
        var passes = 0
        let error = #expect(throws: FileError.self) {
            try session.placeMedia(from: scratch("source"), to: "media/a.m4a") { (_, _) throws(Errno) in
                passes += 1
                if passes == 2 { throw .canceled }
            }
        }
        #expect(error?.errno == .canceled)
        #expect(
            try place()
                == .alreadyThere(
                    session.openDirectory("media").status(of: "a.m4a", followingLinks: false).identity))
    }

    @Test func `other contents of that name are left alone`() throws {
        _ = try place()
        try scratch.write("abd", to: "source")
        #expect(code { try session.placeMedia(from: scratch("source"), to: "media/a.m4a") } == .alreadyExists)
        let media = try session.openDirectory("media")
        #expect(try media.readFile("a.m4a")?.contents == Array("abc".utf8))
        #expect(try names() == ["a.m4a"])
    }

    @Test func `a file that comes at the last instant is compared, not replaced`() throws {
        for (theirs, expected) in [("abc", nil), ("xyz", FileError.Code.alreadyExists)] {
            let scratch = try ScratchDirectory()
            try scratch.makeDirectory("media")
            let session = try OpenDirectory(scratch.path) { step, path throws(Errno) in
                guard step == .rename,
                    let file = try? FileDescriptor.open(
                        path, .writeOnly, options: .create, permissions: FilePermissions(rawValue: 0o644))
                else { return }
                _ = try? file.closeAfter { try file.writeAll(theirs.utf8) }
            }
            if let expected {
                #expect(code { try place(in: session) } == expected)
            } else if case .placed = try place(in: session) {
                Issue.record("claimed the other program's file")
            }
            let media = try session.openDirectory("media")
            #expect(try media.readFile("a.m4a")?.contents == Array(theirs.utf8))
            #expect(try media.statusIfPresent(of: TemporaryFile.mediaName, followingLinks: false) == nil)
        }
    }

    @Test func `a wrong size or checksum places nothing`() throws {
        let tooLong = code {
            try session.placeMedia(
                from: scratch("source"), to: "media/a", expectedSHA256: nil, expectedSize: 4)
        }
        #expect(tooLong == .verificationFailed)
        let other = code {
            try session.placeMedia(
                from: scratch("source"), to: "media/a",
                expectedSHA256: String(repeating: "0", count: 64), expectedSize: 3)
        }
        #expect(other == .verificationFailed)
        #expect(try names().isEmpty)
    }

    @Test func `a source that changes during the copy places nothing`() throws {
        let session = try OpenDirectory(scratch("session")) { [scratch] step, _ throws(Errno) in
            if step == .sync { try? scratch.append("d", to: "source") }
        }
        #expect(code { try place(in: session) } == .changedMeanwhile)
        #expect(try names().isEmpty)
    }

    @Test(arguments: [
        "media", "other/a", "/media/a", "media/../a", "media/./a", "../media/a", "media/x/../../../a", "",
    ])
    func `a path that is not below media is refused`(path: String) throws {
        #expect(code { try place(FilePath(path)) } == .invalidData)
    }

    @Test func `links inside the session are never followed`() throws {
        try scratch.makeDirectory("outside")
        try #require(symlink("../outside", scratch("session").appending("media").string) == 0)
        #expect(code { try place() } == .leavesSession)
        unlink(scratch("session").appending("media").string)
        try #require(mkdir(scratch("session").appending("media").string, 0o755) == 0)
        try #require(symlink("../../outside", scratch("session").appending("media/sub").string) == 0)
        #expect(code { try place("media/sub/a") } == .leavesSession)
        #expect(try OpenDirectory(scratch("outside")).statusIfPresent(of: "a", followingLinks: false) == nil)
        try #require(
            symlink("../../outside/a", scratch("session").pushing("media/a.m4a").string) == 0)
        #expect(code { try place() } == .notRegularFile)
        #expect(try OpenDirectory(scratch("outside")).statusIfPresent(of: "a", followingLinks: false) == nil)
    }

    @Test func `directories below media are made`() throws {
        _ = try place("media/a/b/c.m4a")
        #expect(try names("media/a/b") == ["c.m4a"])
    }

    @Test func `sources that are no file are refused without hanging`() throws {
        try #require(mkfifo(scratch("pipe").string, 0o644) == 0)
        #expect(code { try session.placeMedia(from: scratch("pipe"), to: "media/a") } == .notRegularFile)
        #expect(code { try session.placeMedia(from: scratch("none"), to: "media/a") } == .notFound)
        #expect(code { try session.placeMedia(from: scratch.path, to: "media/a") } == .notRegularFile)
    }

    @Test func `names that are not UTF-8 and files larger than a buffer work`() throws {
        var bytes: [UInt8] = []
        for number in 0..<700_000 { bytes.append(UInt8(truncatingIfNeeded: number &* 31 >> 3)) }
        try scratch.write(bytes, to: crookedName)
        let target = FilePath("media").appending(crookedName)
        let placement = try session.placeMedia(from: scratch(crookedName), to: target)
        #expect(placement.identity.size == 700_000)
        #expect(try session.openDirectory("media").readFile(crookedName)?.contents == bytes)
    }

    @Test(.enabled(if: SmallFileSystem.isAvailable, "needs the right to mount"))
    func `across file systems it is copied too, and a full disk leaves nothing`() throws {
        let disk = try SmallFileSystem()
        let session = try OpenDirectory(disk.directory.path)
        _ = try place(in: session)
        try scratch.write([UInt8](repeating: 7, count: 100_000), to: "source")
        #expect(code { try session.placeMedia(from: scratch("source"), to: "media/b") } == .diskFull)
        var names: [String] = []
        try session.openDirectory("media").forEachName { names.append($0.string) }
        #expect(names == ["a.m4a"])
    }

    @Test func `a process killed before any step leaves the whole file or none, and a second run finishes`()
        async throws
    {
        let steps = Steps()
        let counted = try OpenDirectory(scratch("session")) { step, _ throws(Errno) in _ = steps.add(step) }
        _ = try place(in: counted)
        #expect(steps.all == [.syncDirectory, .write, .sync, .verify, .rename, .syncDirectory])
        for fatal in Torture.steps(steps.all.count) {
            let scratch = try ScratchDirectory()
            try scratch.write("abc", to: "source")
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = scratch.path.string as String, fatal = fatal as Int] in
                let steps = Steps()
                let session = try OpenDirectory(FilePath(path)) { step, _ throws(Errno) in
                    if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
                }
                _ = try session.placeMedia(from: FilePath(path).appending("source"), to: "media/a")
            }
            let session = try OpenDirectory(scratch.path)
            let media = try session.openDirectory("media")
            let bytes = try media.readFile("a")?.contents
            #expect(bytes == (fatal < 6 ? nil : Array("abc".utf8)))
            let again = try session.placeMedia(from: scratch("source"), to: "media/a")
            #expect(again.identity.size == 3)
            #expect(try media.statusIfPresent(of: TemporaryFile.mediaName, followingLinks: false) == nil)
        }
    }
}
