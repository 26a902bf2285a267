import FileHarness
import Glibc
import StoreHarness
import SystemPackage
import Testing
import TraceFiles

@testable import TraceStore

/// What only shows on a disk of its own.
@Suite(.enabled(if: SmallFileSystem.isAvailable, "needs the right to mount"))
struct SmallDiskTests {
    @Test func `a stop leaves an entry in its spool whose audio is being copied to another disk`() throws {
        let scratch = try ScratchDirectory()
        let scene = try QueueScene(in: scratch.path)
        let disk = try SmallFileSystem()
        try scene.deliver(QueueScene.note(11, audio: "memo.m4a"), 11)
        try scene.local.appending("memo.m4a").write(QueueScene.sound)
        let spool = Spool(scene.local)
        let file = try #require(try spool.files().first)
        let done = disk.directory.path.appending("done")
        let before = try tree(of: scene.local)
        #expect(throws: FileError.self) {
            try spool.move(file, spool.read(file), to: done, failPoint: nil, shouldStop: { true })
        }
        #expect(try tree(of: scene.local) == before)
        #expect(try scene.names(done) == [])
        try spool.move(file, spool.read(file), to: done, failPoint: nil)
        #expect(try scene.names(done) == ["\(number(11)).json", "memo.m4a"])
    }

    @Test func `where no lock file can be made, that is an error`() throws {
        let scratch = try ScratchDirectory()
        let disk = try SmallFileSystem()
        try disk.makeReadOnly()
        let failure = code {
            try DirectoryLock(
                scratch.path, runtimeDirectory: disk.directory.path, timeout: .zero,
                tryLock: { _ throws(Errno) in throw Errno(rawValue: EOPNOTSUPP) })
        }
        #expect(failure == .readOnly)
    }
}
