import FileHarness
import Glibc
import SystemPackage
import TestSupport
import Testing
import TraceText

@testable import TraceFiles

/// What is left when an append can't finish: other programs in between, full disks, failing devices, kills.
struct AppendFaultTests {
    let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    func append(
        _ line: String, isWhole: Bool = true, attempts: Int = 5, _ hook: @escaping FailPoint
    ) throws -> AppendedLine {
        let lock = try DirectoryLock(scratch.path, failPoint: hook)
        return try lock.appendLine(Array(line.utf8), to: "markers.jsonl", attempts: attempts) { _ in
            isWhole
        }
    }

    @Test func `a file renamed over ours before the check gets the line too`() throws {
        try scratch.write("old\n", to: "markers.jsonl")
        let steps = Steps()
        let appended = try append("mine") { [scratch] step, _ throws(Errno) in
            if steps.add(step) == 3 { try? scratch.renameOver("markers.jsonl", "synced") }
        }
        #expect(steps.all == [.write, .sync, .verify, .write, .sync, .verify])
        #expect(try scratch.text(of: "markers.jsonl") == "synced\nmine\n")
        #expect(appended.offset == 7)
    }

    @Test(arguments: ["", "mine\n"])
    func `a file renamed over ours that has taken our line along does not get it twice`(earlier: String)
        throws
    {
        try scratch.write("old\n\(earlier)", to: "markers.jsonl")
        let steps = Steps()
        let appended = try append("mine") { [scratch] step, _ throws(Errno) in
            // As `sed -i` does that read the file after our write.
            if steps.add(step) == 3 {
                try? scratch.renameOver("markers.jsonl", "edited\n\(earlier)mine\nmore\n")
            }
        }
        #expect(steps.all.filter { $0 == .write }.count == 1)
        #expect(try scratch.text(of: "markers.jsonl") == "edited\n\(earlier)mine\nmore\n")
        #expect(Int(appended.offset) == 7 + earlier.count && appended.length == 5)
    }

    @Test func `a file renamed over ours that has an equal line of its own gets ours too`() throws {
        try scratch.write("old\nmine\n", to: "markers.jsonl")
        let steps = Steps()
        _ = try append("mine") { [scratch] step, _ throws(Errno) in
            if steps.add(step) == 3 { try? scratch.renameOver("markers.jsonl", "mine\nedited\n") }
        }
        #expect(try scratch.text(of: "markers.jsonl") == "mine\nedited\nmine\n")
    }

    @Test func `a file truncated or removed before the check is written anew`() throws {
        let steps = Steps()
        let appended = try append("mine") { [scratch] step, _ throws(Errno) in
            guard step == .verify else { return }
            switch steps.add(step) {
            case 1: try? scratch.write("edited\n", to: "markers.jsonl")
            case 2: unlink(scratch("markers.jsonl").string)
            default: break
            }
        }
        #expect(try scratch.text(of: "markers.jsonl") == "mine\n")
        #expect(appended.createdFile)
    }

    @Test func `a program that never stops replacing the file is reported`() throws {
        let steps = Steps()
        let code = code {
            try append("mine", attempts: 3) { [scratch] step, _ throws(Errno) in
                guard step == .verify else { return }
                _ = steps.add(step)
                try? scratch.renameOver("markers.jsonl", "synced\n")
            }
        }
        #expect(code == .verificationFailed)
        #expect(steps.all.count == 3)
    }

    private static let canMakeDevices: Bool = {
        guard let scratch = try? ScratchDirectory() else { return false }
        return mknod(scratch("zero").string, S_IFCHR | 0o600, 0x105) == 0
    }()

    @Test(.enabled(if: canMakeDevices, "making a device needs root"))
    func `a device that comes in the place of the file is not read without end`() throws {
        try scratch.write("old\n", to: "markers.jsonl")
        let code = code {
            try append("mine") { [scratch] step, _ throws(Errno) in
                guard step == .verify else { return }
                unlink(scratch("markers.jsonl").string)
                mknod(scratch("markers.jsonl").string, S_IFCHR | 0o600, 0x105)
            }
        }
        #expect(code == .notRegularFile)
        let lock = try DirectoryLock(scratch.path)
        #expect(FileHarness.code { try lock.directory.makeDurable("markers.jsonl") } == .notRegularFile)
    }

    @Test func `a huge line is gone through once, and what lies behind it is found`() throws {
        let huge = [UInt8](repeating: 0x78, count: 24 << 20)
        try scratch.write(Array("mine\n".utf8) + huge + Array("\nmine\nmore".utf8), to: "lines")
        let directory = try OpenDirectory(scratch.path)
        let file = try directory.openFile("lines", O_RDONLY)
        let size = try file.status().identity.size
        var found = FoundLines()
        let read = try CountedWork.bytesRead {
            found = try file.lines(before: size, longest: 1 << 20) { $0.elementsEqual("mine".utf8) }
        }
        #expect(read < size + 4 << 20)
        #expect(found.count == 2)
        #expect(found.last?.offset == Int64(huge.count + 6) && found.last?.length == 5)
        let all = try file.lines(before: size, longest: 64 << 20) { $0.count == huge.count }
        #expect(all.count == 1 && all.last?.offset == 5 && all.last?.length == huge.count + 1)
        #expect(try file.lines(before: 4) { _ in true }.count == 0)
    }

    @Test(.enabled(if: geteuid() == 0, "needs root, to be two users"))
    func `a link of another user in a directory that everybody may write to is not followed`() throws {
        try scratch.makeDirectory("shared")
        let shared = scratch("shared")
        try scratch.write("", to: "target")
        try shared.appending("markers.jsonl").link(to: "../target")
        func append() throws {
            _ = try DirectoryLock(shared).appendLine([0x61], to: "markers.jsonl") { _ in true }
        }
        try #require(chmod(shared.string, 0o777) == 0)
        try append()
        try #require(lchown(shared.appending("markers.jsonl").string, 4242, 4242) == 0)
        #expect(code { try append() } == .leavesSession)
        #expect(try scratch.text(of: "target") == "a\n")
        // The owner of the directory may link from it wherever they want.
        try #require(chown(shared.string, 4242, 4242) == 0)
        try append()
        #expect(try scratch.text(of: "target") == "a\na\n")
    }

    @Test func `a line that another program appends in between stays, and ours goes behind it`() throws {
        try scratch.write("one\n", to: "markers.jsonl")
        let appended = try append("mine") { [scratch] step, _ throws(Errno) in
            if step == .write { try? scratch.append("theirs\n", to: "markers.jsonl") }
        }
        #expect(try scratch.text(of: "markers.jsonl") == "one\ntheirs\nmine\n")
        #expect(appended.offset == 11 && appended.length == 5)
    }

    @Test func `a line begun by another program in between is not glued to ours`() throws {
        try scratch.write("one\n", to: "markers.jsonl")
        let steps = Steps()
        let appended = try append("mine", isWhole: false) { [scratch] step, _ throws(Errno) in
            if steps.add(step) == 1 { try? scratch.append("{\"torn", to: "markers.jsonl") }
        }
        #expect(try scratch.text(of: "markers.jsonl") == "one\n{\"torn\nmine\n")
        #expect(appended.tornTail == TornTail(offset: 4, length: 6))
    }

    @Test(arguments: ["", "one\n", "one\n{\"torn"])
    func `a failed fsync leaves the file as it was`(before: String) throws {
        if !before.isEmpty { try scratch.write(before, to: "markers.jsonl") }
        let code = code {
            try append("mine") { step, _ throws(Errno) in
                if step == .sync { throw Errno(rawValue: EIO) }
            }
        }
        #expect(code == .io)
        #expect(try scratch.names() == (before.isEmpty ? [] : ["markers.jsonl"]))
        if !before.isEmpty { #expect(try scratch.text(of: "markers.jsonl") == before) }
    }

    @Test func `a failed fsync of the directory takes the new file back`() throws {
        let code = code {
            try append("mine") { step, _ throws(Errno) in
                if step == .syncDirectory { throw Errno(rawValue: EIO) }
            }
        }
        #expect(code == .io)
        #expect(try scratch.names().isEmpty)
    }

    @Test func `what another program appended behind a failed write is never cut off`() throws {
        try scratch.write("one\n", to: "markers.jsonl")
        do {
            _ = try append("mine") { [scratch] step, _ throws(Errno) in
                guard step == .sync else { return }
                try? scratch.append("theirs\n", to: "markers.jsonl")
                throw Errno(rawValue: EIO)
            }
            Issue.record("nothing was thrown")
        } catch let error as FileError {
            #expect(error.code == .io)
            #expect(error.place?.byteOffset == 4)
            #expect(error.message.contains("5 bytes of it stay"))
        }
        #expect(try scratch.text(of: "markers.jsonl") == "one\nmine\ntheirs\n")
    }

    @Test func `a short write at the process limit is taken back`() async throws {
        try scratch.write("one\n", to: "markers.jsonl")
        await #expect(processExitsWith: .success) { [path = scratch.path.string as String] in
            var limit = rlimit(rlim_cur: 1000, rlim_max: 1000)
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            let lock = try DirectoryLock(FilePath(path))
            let code = code {
                try lock.appendLine([UInt8](repeating: 0x78, count: 5000), to: "markers.jsonl") { _ in true }
            }
            // Reporting an issue needs no file, so the limit can stay.
            #expect(code == .fileTooLarge)
        }
        #expect(try scratch.text(of: "markers.jsonl") == "one\n")
    }

    @Test(.enabled(if: SmallFileSystem.isAvailable, "needs the right to mount"))
    func `a full disk leaves the file as it was`() throws {
        let disk = try SmallFileSystem(kilobytes: 64)
        let lock = try DirectoryLock(disk.directory.path)
        try disk.directory.write("one\n", to: "markers.jsonl")
        let long = [UInt8](repeating: 0x78, count: 100_000)
        #expect(code { try lock.appendLine(long, to: "markers.jsonl") { _ in true } } == .diskFull)
        #expect(code { try lock.appendLine(long, to: "new.jsonl") { _ in true } } == .diskFull)
        #expect(try disk.directory.text(of: "markers.jsonl") == "one\n")
        #expect(try disk.directory.names() == ["markers.jsonl"])

        try disk.fill()
        #expect(code { try lock.appendLine([0x78], to: "new.jsonl") { _ in true } } == .diskFull)
        #expect(try disk.directory.names() == ["filling", "markers.jsonl"])
        // A page of the file is there already, so a short line still fits.
        #expect(try lock.appendLine([0x78], to: "markers.jsonl") { _ in true }.offset == 4)
    }

    @Test(.enabled(if: SmallFileSystem.isAvailable, "needs the right to mount"))
    func `a read-only file system is told as such`() throws {
        let disk = try SmallFileSystem()
        try disk.directory.write("one\n", to: "markers.jsonl")
        try disk.makeReadOnly()
        let lock = try DirectoryLock(disk.directory.path)
        #expect(code { try lock.appendLine([0x78], to: "markers.jsonl") { _ in true } } == .readOnly)
        #expect(code { try lock.appendLine([0x78], to: "new.jsonl") { _ in true } } == .readOnly)
        #expect(code { try lock.directory.replaceFile("new", with: [], expecting: nil) } == .readOnly)
        #expect(
            code { try lock.directory.placeMedia(from: disk.directory("markers.jsonl"), to: "media/a") }
                == .readOnly)
    }

    @Test(.enabled(if: geteuid() == 0, "needs root, to become somebody else"))
    func `a user who may not write is told so, and nothing changes`() async throws {
        try scratch.write("one\n", to: "markers.jsonl")
        try #require(chmod(scratch.path.string, 0o755) == 0)
        await #expect(processExitsWith: .success) { [path = scratch.path.string as String] in
            try #require(seteuid(65534) == 0)
            let lock = try DirectoryLock(FilePath(path))
            #expect(
                code { try lock.appendLine([0x78], to: "markers.jsonl") { _ in true } }
                    == .permissionDenied)
            #expect(code { try lock.appendLine([0x78], to: "new") { _ in true } } == .permissionDenied)
            let old = try lock.directory.status(of: "markers.jsonl", followingLinks: true).identity
            #expect(
                code { try lock.directory.replaceFile("markers.jsonl", with: [], expecting: old) }
                    == .permissionDenied)
        }
        #expect(try scratch.text(of: "markers.jsonl") == "one\n")
        #expect(try scratch.names() == ["markers.jsonl"])
    }

    @Test func `a process killed before any step leaves the lines whole, and the next append works`()
        async throws
    {
        let steps = Steps()
        _ = try append("mine") { step, _ throws(Errno) in _ = steps.add(step) }
        #expect(steps.all == [.write, .sync, .syncDirectory, .verify])
        for fatal in Torture.steps(steps.all.count) {
            let scratch = try ScratchDirectory()
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = scratch.path.string as String, fatal = fatal as Int] in
                let steps = Steps()
                let lock = try DirectoryLock(FilePath(path)) { step, _ throws(Errno) in
                    if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
                }
                _ = try lock.appendLine(Array("mine".utf8), to: "markers.jsonl") { _ in true }
            }
            #expect(try scratch.text(of: "markers.jsonl") == (fatal == 1 ? "" : "mine\n"))
            let lock = try DirectoryLock(scratch.path, timeout: .zero)
            #expect(try lock.removeLeftovers().isEmpty)
            _ = try lock.appendLine(Array("next".utf8), to: "markers.jsonl") { _ in true }
            #expect(try scratch.text(of: "markers.jsonl") == (fatal == 1 ? "next\n" : "mine\nnext\n"))
        }
    }
}
