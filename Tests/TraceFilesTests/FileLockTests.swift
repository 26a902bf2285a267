import FileHarness
import Glibc
import SystemPackage
import Testing
import TraceFiles

/// The lock of one file that several writers append to.
struct FileLockTests {
    let scratch: ScratchDirectory
    let directory: OpenDirectory

    init() throws {
        scratch = try ScratchDirectory()
        directory = try OpenDirectory(scratch.path)
    }

    private func append(_ text: String, to name: FilePath.Component = "ledger") throws {
        let lock = try FileLock(name, in: directory, timeout: .seconds(10))
        try lock.append(Array(text.utf8), count: 1, isWholeRecord: { _ in true }, isOurs: { _ in false })
    }

    @Test func `a file that is missing is made, and lines follow each other`() throws {
        try append("a\n")
        try append("b\n")
        #expect(try scratch.text(of: "ledger") == "a\nb\n")
        #expect(try scratch.names() == ["ledger"])
    }

    @Test func `a second caller waits, and gets it when the first is done`() throws {
        let other = try OpenDirectory(scratch.path)
        var first: FileLock? = try FileLock("ledger", in: directory, timeout: .zero)
        expectLocked(other)
        #expect(first != nil)
        first = nil
        _ = try FileLock("ledger", in: other, timeout: .zero)
    }

    private func expectLocked(_ other: OpenDirectory) {
        #expect(code { try FileLock("ledger", in: other, timeout: .milliseconds(1)) } == .sessionLocked)
    }

    @Test func `the lock of a file that was replaced is not that of the new one`() throws {
        let old = try FileLock("ledger", in: directory, timeout: .zero)
        try scratch.renameOver("ledger", "x\n")
        try append("a\n")
        #expect(try scratch.text(of: "ledger") == "x\na\n")
        withExtendedLifetime(old) {}
    }

    @Test func `a link is followed, a pipe and a directory are refused`() throws {
        try scratch.link("ledger", to: "elsewhere")
        try append("a\n")
        #expect(try scratch.text(of: "elsewhere") == "a\n")
        try #require(mkfifo(scratch("pipe").string, 0o644) == 0)
        try scratch.makeDirectory("directory")
        #expect(code { try FileLock("pipe", in: directory, timeout: .zero) } == .notRegularFile)
        #expect(code { try FileLock("directory", in: directory, timeout: .zero) } == .notRegularFile)
    }
    @Test func `what can't be opened is refused at once`() throws {
        try scratch.link("ledger", to: "ledger")
        #expect(code { try FileLock("ledger", in: directory, timeout: .seconds(10)) } == .leavesSession)
    }
}
