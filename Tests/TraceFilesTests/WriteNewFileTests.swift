import FileHarness
import Glibc
import SystemPackage
import Testing

@testable import TraceFiles

struct WriteNewFileTests {
    let scratch: ScratchDirectory
    let directory: OpenDirectory

    init() throws {
        scratch = try ScratchDirectory()
        directory = try OpenDirectory(scratch.path)
    }

    func write(_ text: String, replacing: Bool = false, _ meanwhile: () throws -> Void = {}) throws {
        try directory.writeFile("a", isReplacing: replacing) { write in
            try write(Array(text.utf8))
            try meanwhile()
        }
    }

    @Test func `a name that is taken stays as it was, unless it may be replaced`() throws {
        try write("one")
        #expect(code { try write("two") } == .alreadyExists)
        #expect(try scratch.text(of: "a") == "one")
        try #require(chmod(scratch("a").string, 0o640) == 0)
        try write("two", replacing: true)
        #expect(try scratch.text(of: "a") == "two")
        #expect(try scratch.permissions(of: "a") == 0o640)
        #expect(try scratch.names() == ["a"])
    }

    @Test func `a name that is taken while the file is written stays, too`() throws {
        #expect(code { try write("one") { try scratch.write("other", to: "a") } } == .alreadyExists)
        #expect(try scratch.text(of: "a") == "other")
        #expect(try scratch.names() == ["a"])
    }

    @Test func `a file that can't get its name is an error`() throws {
        try write("one")
        let failure = code {
            try write("two", replacing: true) {
                try directory.unlink("a")
                try scratch.makeDirectory("a")
            }
        }
        #expect(failure != nil)
        #expect(try scratch.names() == ["a"])
    }
}
