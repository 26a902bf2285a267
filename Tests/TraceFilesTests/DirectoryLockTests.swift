import FileHarness
import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import TraceFiles

struct DirectoryLockTests {
    let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    @Test func `a held lock is refused after the timeout, and had after its release`() throws {
        var lock: DirectoryLock? = try DirectoryLock(scratch.path)
        #expect(code { try DirectoryLock(scratch.path, timeout: .milliseconds(30)) } == .sessionLocked)
        #expect(code { try DirectoryLock(scratch.path, timeout: .zero) } == .sessionLocked)
        #expect(lock != nil)
        lock = nil
        _ = try DirectoryLock(scratch.path, timeout: .zero)
        #expect(try scratch.names().isEmpty)
    }

    @Test func `a lock is had as soon as its holder lets go`() throws {
        let path = scratch.path
        let refused = Steps()
        let order = Steps()
        let isDone = DispatchSemaphore(value: 0)
        try DirectoryLock.holding(path) { _ in
            Thread.detachNewThread {
                let lock = try? DirectoryLock(
                    path, timeout: waitLimit,
                    tryLock: { descriptor throws(Errno) in
                        let isFree = try tryFlock(descriptor)
                        if !isFree { _ = refused.add(.compare) }
                        return isFree
                    })
                if lock != nil { _ = order.add(.sync) }
                isDone.signal()
            }
            try soon("it is refused at first") { refused.all.count > 1 }
            _ = order.add(.write)
        }
        isDone.wait()
        #expect(order.all == [.write, .sync])
    }

    @Test func `a killed process leaves no lock`() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = scratch.path.string as String] in
            let lock = try DirectoryLock(FilePath(path))
            kill(getpid(), SIGKILL)
            withExtendedLifetime(lock) {}
        }
        _ = try DirectoryLock(scratch.path, timeout: .zero)
    }

    @Test func `where directories can't be locked, a file in the runtime directory is`() throws {
        let runtime = scratch("run")
        try scratch.makeDirectory("session")
        func lock() throws -> DirectoryLock {
            try DirectoryLock(
                scratch("session"), runtimeDirectory: runtime, timeout: .milliseconds(20),
                tryLock: { _ throws(Errno) in throw Errno(rawValue: EOPNOTSUPP) })
        }
        let identity = try OpenDirectory(scratch("session")).status().identity
        do {
            let held = try lock()
            #expect(code { try lock() } == .sessionLocked)
            withExtendedLifetime(held) {}
        }
        _ = try lock()
        var names: [String] = []
        try OpenDirectory(runtime).forEachName { names.append($0.string) }
        #expect(names == ["directory-\(String(identity.device, radix: 16))-\(identity.inode).lock"])
        #expect(
            code {
                try DirectoryLock(
                    scratch("session"), tryLock: { _ throws(Errno) in throw Errno(rawValue: EBADF) })
            } == .lockUnsupported)
    }

    @Test func `a directory that was replaced before the lock is not the one that is locked`() throws {
        try scratch.makeDirectory("session")
        let path = scratch("session")
        let aside = scratch("aside")
        var calls = 0
        let lock = try DirectoryLock(
            path,
            tryLock: { descriptor throws(Errno) in
                calls += 1
                if calls == 1 {
                    rename(path.string, aside.string)
                    mkdir(path.string, 0o755)
                }
                return try tryFlock(descriptor)
            })
        #expect(calls == 2)
        let named = try OpenDirectory(path).status().identity
        #expect(try lock.directory.status().identity.isSameFile(as: named))
    }

    @Test func `a missing directory is told apart from a locked one`() {
        #expect(code { try DirectoryLock(scratch("none")) } == .notFound)
    }

    @Test func `a directory whose name is not UTF-8 can be locked`() throws {
        try scratch.makeDirectory(crookedName)
        let lock = try DirectoryLock(scratch(crookedName))
        let line = try lock.appendLine([0x61], to: crookedName) { _ in true }
        #expect(line.createdFile)
    }

    @Test func `leftovers of killed writers go, everything else stays`() throws {
        try scratch.makeDirectory("media")
        for name: FilePath.Component in [
            ".session.json.trace-tmp", ".trace-tmp", "x.trace-tmp", ".session.json.tmp", "markers.jsonl",
        ] { try scratch.write("x", to: name) }
        try scratch.makeDirectory(".directory.trace-tmp")
        try scratch.link(".link.trace-tmp", to: "markers.jsonl")
        let media = FilePath("media").appending(".trace-media.tmp")
        let file = try FileDescriptor.open(
            scratch.path.pushing(media), .writeOnly, options: .create,
            permissions: FilePermissions(rawValue: 0o644))
        try file.close()

        let lock = try DirectoryLock(scratch.path)
        let alive = try TemporaryFile(
            ".alive.trace-tmp", in: lock.directory, permissions: 0o600)
        let removed = try lock.removeLeftovers()
        #expect(removed == [scratch(".session.json.trace-tmp"), scratch.path.pushing(media)])
        #expect(
            try scratch.names() == [
                ".alive.trace-tmp", ".directory.trace-tmp", ".link.trace-tmp", ".session.json.tmp",
                ".trace-tmp", "markers.jsonl", "media", "x.trace-tmp",
            ])
        _ = alive
    }
}
