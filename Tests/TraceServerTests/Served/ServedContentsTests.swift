import FileHarness
import Foundation
import SystemPackage
import Testing
import TraceFiles
import TraceText

@testable import TraceServer

/// Files that are read whole for an answer.
struct ServedContentsTests {
    private let scratch: ScratchDirectory
    private let directory: OpenDirectory

    init() throws {
        scratch = try ScratchDirectory()
        directory = try OpenDirectory(scratch.path)
    }

    @Test(arguments: [0, 3, 4, 5]) func `a file is read up to a limit, and beyond it refused`(limit: Int64)
        throws
    {
        try scratch("digest.md").write("four")
        let outcome = Result {
            try ServedFile.contents(of: "digest.md", in: directory, limit: limit)?.contents
        }
        if limit >= 4 {
            #expect(try outcome.get() == Array("four".utf8))
        } else {
            let error = #expect(throws: FileError.self) { try outcome.get() }
            #expect(error?.code == .invalidData && error?.path == scratch("digest.md"))
        }
    }

    @Test func `one that is not there is nothing, and a link is an error`() throws {
        #expect(try ServedFile.contents(of: "none", in: directory, limit: 9) == nil)
        try scratch("digest.md").write("four")
        try scratch.link("link", to: "digest.md")
        #expect(throws: FileError.self) { try ServedFile.contents(of: "link", in: directory, limit: 9) }
    }
}
