import Foundation
import ProgramHarness
import Testing

/// What the programs weigh, as people install them.
///
/// A debug build is linked with the shared libraries of Swift and says nothing of that.
@Suite(.enabled(if: Binaries.url("trace").path.contains("/release/"), "a release build"))
struct ProgramSizeTests {
    /// Decision 33: without ICU's data and without exported names. Together they were 175 MB with both.
    @Test func `both programs together are below 105 MB`() throws {
        let sizes = try ["trace", "traced"].map {
            try #require(try Binaries.url($0).resourceValues(forKeys: [.fileSizeKey]).fileSize)
        }
        #expect(sizes.reduce(0, +) < 105_000_000, "\(sizes)")
    }

    @Test(arguments: ["trace", "traced"])
    func `a program asks for no library of Swift when it starts`(_ program: String) throws {
        let outcome = try Scratch().run("/usr/bin/readelf", ["-d", Binaries.url(program).path])
        let needed = outcome.output.split(separator: "\n").filter { $0.contains("(NEEDED)") }
        #expect(!needed.isEmpty)
        #expect(!needed.contains { $0.contains("libswift") || $0.contains("Foundation") }, "\(needed)")
    }
}
