import Foundation
import ProgramHarness
import TestSupport
import Testing

/// The web page in a real browser: one of the scenarios of `Tests/Browser`, all of which `make browser` runs.
@Suite
struct PageBrowserTests {
    @Test func `a mark without a network outlives its tab, and is sent once`() throws {
        let directory = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Browser")
        let outcome = try Scratch().run(
            "/usr/bin/python3",
            [
                "-B", directory.appending(path: "run.py").path,
                "--binaries", Binaries.url("traced").deletingLastPathComponent().path,
                "offline.MarkOffline.test_mark_offline_kill_the_tab_come_back",
            ])
        #expect(outcome.status == 0, "\(outcome)")
    }
}
