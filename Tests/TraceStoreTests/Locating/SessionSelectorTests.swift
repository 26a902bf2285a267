import FileHarness
import Glibc
import StoreHarness
import SystemPackage
import Testing

@testable import TraceStore

struct SessionSelectorTests {
    @Test(arguments: ["/a/b", "a/b", "./last", ".", "..", "/", "no/such/thing", "set/"])
    func `whatever holds a slash is a path`(argument: String) {
        #expect(SessionSelector(argument) == .directory(FilePath(argument)))
    }

    @Test func `last is a word of its own`() {
        #expect(SessionSelector("last") == .last)
    }

    @Test(arguments: ["01J", "Late set", "LAST", "", "no-such-directory-here"])
    func `everything else is words`(argument: String) {
        #expect(SessionSelector(argument) == .words(argument))
    }

    @Test func `a session in the working directory is a path, any other folder is not`() async throws {
        let scratch = try ScratchDirectory()
        _ = try SampleSession(at: scratch("set"))
        try scratch.makeDirectory("plain")
        try scratch.makeDirectory("odd")
        try #require(symlink("nowhere", scratch("odd").appending("session.json").string) == 0)
        try scratch.makeDirectory("last")
        try scratch.write("", to: "file")
        await #expect(processExitsWith: .success) { [path = scratch.path.string as String] in
            try #require(chdir(path) == 0)
            #expect(SessionSelector("set") == .directory("set"))
            #expect(SessionSelector("plain") == .words("plain"))
            #expect(SessionSelector("odd") == .words("odd"))
            #expect(SessionSelector("last") == .last)
            #expect(SessionSelector("file") == .words("file"))
        }
    }
}
