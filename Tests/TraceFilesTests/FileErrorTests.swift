import FileHarness
import Glibc
import SystemPackage
import Testing
import TraceText

@testable import TraceFiles

struct FileErrorTests {
    @Test func `reads where, what, code, then the cure`() {
        let error = FileError(
            .invalidData, "voice_note_id '01J9Z…' has no entry", path: "live/markers.jsonl", line: 3,
            byteOffset: 412, cure: "restore the voice note")
        #expect(
            error.description == """
                live/markers.jsonl:3 (byte 412): voice_note_id '01J9Z…' has no entry [invalid-data]
                  hint: restore the voice note
                """)
        #expect(FileError(.io, "lost").description == "lost [io]")
    }

    @Test(arguments: [
        (ENOSPC, FileError.Code.diskFull), (EDQUOT, .diskFull), (EROFS, .readOnly),
        (EACCES, .permissionDenied), (EPERM, .permissionDenied), (ENOENT, .notFound), (EIO, .io),
        (EEXIST, .alreadyExists), (EISDIR, .notRegularFile), (ELOOP, .leavesSession),
        (EFBIG, .fileTooLarge), (EMFILE, .tooManyOpenFiles),
    ])
    func `the kernel's answer gets a code and a cure`(answer: Int32, code: FileError.Code) {
        let error = FileError("write", "a", Errno(rawValue: answer))
        #expect(error.code == code)
        #expect(error.errno == Errno(rawValue: answer))
        #expect(error.cure?.text != nil)
        #expect(error.message.hasPrefix("cannot write: "))
    }

    @Test func `a path is shown so that no two look the same and none can act on a terminal`() {
        #expect(crookedName.escaped == #"a\xFF\xFE.j"#)
        #expect(FilePath(#"a\xFF"#).escaped == #"a\\xFF"#)
        #expect(FilePath("a\u{1B}[2J\n/ü").escaped == #"a\u{1B}[2J\u{A}/ü"#)
        #expect(FilePath("a\u{202E}b").escaped == #"a\u{202E}b"#)
        let truncated = FilePath.Component(bytes: [0x61, 0xE2, 0x82])
        #expect(truncated?.escaped == #"a\xE2\x82"#)
        #expect(
            FileError(.io, "lost", path: FilePath("x").appending(crookedName)).description
                == #"x/a\xFF\xFE.j: lost [io]"#)
    }

    @Test func `a name is bytes without slash and NUL`() {
        #expect(FilePath.Component(bytes: [0x61, 0x2F]) == nil)
        #expect(FilePath.Component(bytes: [0x61, 0]) == nil)
        #expect(FilePath.Component(bytes: [UInt8]()) == nil)
        #expect(crookedName.bytes == [0x61, 0xFF, 0xFE, 0x2E, 0x6A])
    }

    @Test func `a call that a signal interrupts is made again`() throws {
        var calls = 0
        let result = try retrying { () -> Int32 in
            calls += 1
            errno = EINTR
            return calls < 4 ? -1 : 7
        }
        #expect(result == 7)
        #expect(calls == 4)
        #expect(throws: Errno(rawValue: EIO)) {
            try retrying { () -> Int in
                errno = EIO
                return -1
            }
        }
    }

    @Test func `an identity survives a file time beyond every calendar`() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("x", to: "a")
        let ages = [timespec(tv_sec: 1 << 33, tv_nsec: 0), timespec(tv_sec: 1 << 33, tv_nsec: 0)]
        try #require(utimensat(AT_FDCWD, scratch("a").string, ages, 0) == 0)
        let directory = try OpenDirectory(scratch.path)
        let first = try directory.status(of: "a", followingLinks: false).identity
        try scratch.append("y", to: "a")
        #expect(try directory.status(of: "a", followingLinks: false).identity != first)
    }
}
