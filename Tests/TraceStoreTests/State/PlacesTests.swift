import FileHarness
import Glibc
import SystemPackage
import Testing
import TraceText

@testable import TraceFiles
@testable import TraceStore

/// Small things about directories: our own ones, files for other programs, what a user can do where.
struct PlacesTests {
    let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    @Test func `a directory of our own goes with what lies in it`() throws {
        let path = try PrivateDirectory.with(in: scratch.path) { path in
            try path.appending("a").write("one")
            #expect(try OpenDirectory(path).status().permissions == 0o700)
            return path
        }
        #expect(path.removingLastComponent() == scratch.path)
        #expect(try scratch.names().isEmpty)
    }

    @Test func `where no directory can be made, nothing is done in it`() throws {
        let failure = code {
            try PrivateDirectory.with(in: scratch("missing")) { _ in Issue.record("there is none") }
        }
        #expect(failure == .notFound)
    }

    @Test func `a file for others is replaced in one step, where its path says`() throws {
        try VolatileFile.replace(scratch("a"), with: Array("one".utf8), mode: 0o644)
        try VolatileFile.replace(scratch("a"), with: Array("two".utf8), mode: 0o600)
        #expect(try scratch.text(of: "a") == "two")
        #expect(try scratch.permissions(of: "a") == 0o600)
        #expect(try scratch.names() == ["a"])
    }

    @Test func `an empty file is made where its path says, once`() throws {
        try SharedPermissions.makeFile(scratch("a"))
        try scratch.write("one", to: "a")
        try SharedPermissions.makeFile(scratch("a"))
        #expect(try scratch.text(of: "a") == "one")
    }

    @Test func `what a user can do in a directory`() throws {
        let check = try #require(PlaceCheck(of: scratch.path))
        #expect(check.isReadable && check.isWritable)
        #expect((check.freeBytes ?? 0) > 0)
        try scratch.write("", to: "a")
        #expect(PlaceCheck(of: scratch("a")) == nil)
        #expect(PlaceCheck(of: scratch("missing")) == nil)
        #expect(PlaceCheck.nearest(above: scratch("a").appending("b").appending("c")) == scratch("a"))
    }

    @Test func `a mount point of the table on which nothing is mounted is known`() throws {
        try scratch.makeDirectory("a disk")
        let point = scratch("a disk")
        let named = point.string.replacing(" ", with: "\\040")
        for gap in [" ", "\t", " \t  "] {
            let line = ["UUID=2", named, "ext4", "noauto", "0", "0"].joined(separator: gap)
            try scratch.write(
                "# \(named)x /x\n\nUUID=1 / ext4 defaults 0 1\nproc /proc proc\n\(line)\nswap\n", to: "fstab")
            #expect(PathCheck.unmounted(above: point, table: scratch("fstab")) == point)
        }
        func unmounted(_ path: FilePath) -> FilePath? {
            PathCheck.unmounted(above: path, table: scratch("fstab"))
        }
        #expect(unmounted(point) == point && unmounted(point.appending("music")) == point)
        #expect(unmounted(scratch("elsewhere")) == nil && unmounted("/proc/1") == nil)
        #expect(PathCheck.unmounted(above: point, table: scratch("no")) == nil)
    }

    @Test func `a path of bytes that are no text is shown by them`() {
        #expect(FilePath(platformString: [0x61, -128, -1, 0]).escaped == "a\\x80\\xFF")
    }

    @Test(arguments: [
        ("/a/b", "/a", true), ("/a", "/a", true), ("/ab", "/a", false), ("/a", "/a/b", false),
        ("/a/b", "/", true), ("a/b", "a", true), ("b/a", "a", false),
    ])
    func `a path lies in a directory by whole names`(path: String, directory: String, isInside: Bool) {
        #expect(FilePath(path).lies(in: FilePath(directory)) == isInside)
    }

    @Test(arguments: ["..", "/", "elsewhere/.."])
    func `a link that can only mean a directory leads to no file`(target: String) throws {
        try scratch.link("a", to: target)
        #expect(code { try OpenDirectory(scratch.path).finalPlace(of: "a").path } == .notRegularFile)
    }

    @Test func `one process at a time holds a state directory`() throws {
        let lock = try InstanceLock(state: scratch("state"))
        #expect(code(of: StoreError.self) { try InstanceLock(state: scratch("state")) } == .alreadyRunning)
        #expect(RunningDaemon.status(state: scratch("state")) != nil)
        withExtendedLifetime(lock) {}
    }

    @Test func `which roots a daemon watches is told as far as there is room`() throws {
        let lock = try InstanceLock(state: scratch("state"))
        func status() throws -> DaemonStatus {
            try #require(RunningDaemon.quickStatus(state: scratch("state")))
        }
        #expect(try !status().ignores("/a"))
        lock.announce { $0.watch(["/a", "/b\\"]) }
        #expect(try status().roots == ["/a", "/b\\\\"])
        #expect(try status().root(watching: "/a/c") == "/a")
        #expect(try status().root(watching: "/b\\/c") == "/b\\\\")
        #expect(try status().ignores("/ab") && status().ignores("/b"))
        #expect(RunningDaemon.status(state: scratch("state"))?.roots == ["/a", "/b\\\\"])
        // Long names in a script of three bytes a letter, and a problem that has no room beside them.
        let many = (1...60).map { FilePath("/\($0)" + String(repeating: "音", count: 80)) }
        lock.announce { status in
            status.watch(many)
            let words = String(repeating: "音", count: 500)
            status.problem = ErrorReport(message: words, cure: Cure(words))
            status.unhealthyReason = String(repeating: "音", count: 300)
            status.partial = Dictionary(uniqueKeysWithValues: many.map { ($0.string, "polled") })
        }
        #expect(try (status().roots?.count ?? 60) < 60)
        #expect(try !status().ignores("/elsewhere") && !status().ignores(many[59]))
        withExtendedLifetime(lock) {}
    }

    @Test func `a root is known by where links lead too`() throws {
        try scratch.makeDirectory("real")
        try OpenDirectory.make(scratch("real").appending("a"))
        try scratch.link("link", to: "real")
        let lock = try InstanceLock(state: scratch("state"))
        for (root, path) in [("link", "real"), ("real", "link"), ("link", "link")] {
            lock.announce { $0.watch([scratch.path.appending(root)]) }
            let status = try #require(RunningDaemon.quickStatus(state: scratch("state")))
            #expect(
                status.root(watching: scratch.path.appending(path).appending("a"))
                    == scratch.path.appending(root).string)
        }
        withExtendedLifetime(lock) {}
    }

    @Test func `a file has the same contents as before if neither its size nor its time is another`() {
        let before = FileIdentity(
            device: 1, inode: 2, size: 3, modified: SystemTime(seconds: 0, nanoseconds: 4),
            changed: SystemTime(seconds: 0, nanoseconds: 5))
        func differs(_ change: (inout FileIdentity) -> Void) -> Bool {
            var after = before
            change(&after)
            return !after.hasSameContents(as: before)
        }
        #expect(!differs { $0.changed = SystemTime(seconds: 0, nanoseconds: 6) })
        #expect(differs { $0.device = 6 } && differs { $0.inode = 6 })
        #expect(differs { $0.size = 6 } && differs { $0.modified = SystemTime(seconds: 0, nanoseconds: 6) })
    }
}
