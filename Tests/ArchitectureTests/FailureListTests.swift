import Foundation
import ProgramHarness
import TestSupport
import Testing

/// What `make test` says once more when something has failed: `Tests/failures.awk`.
struct FailureListTests {
    /// A file has no colours, a pipe has.
    @Test(arguments: [
        (cross: "✘", arrow: "↳", tick: "✔"),
        (cross: "\u{1B}[91m✘\u{1B}[0m", arrow: "\u{1B}[90m↳\u{1B}[0m", tick: "\u{1B}[92m✔\u{1B}[0m"),
    ])
    func `what failed is found in what the runner prints, with colours and without`(
        _ symbols: (cross: String, arrow: String, tick: String)
    ) throws {
        let (cross, arrow, tick) = symbols
        let scratch = try Scratch()
        try scratch.write(
            """
            \(tick) Test "one" passed after 0.1 seconds.
            \(cross) Test "two" recorded an issue at TwoTests.swift:7:9: Expectation failed: 1 == 2
            \(arrow) one is not two
            and a second line
            \(tick) Test "three" passed after 0.1 seconds.
            \(cross) Test "two" failed after 0.2 seconds with 1 issue.
            \(tick) Suite OneTests passed after 0.3 seconds.

            """, to: "printed.txt")
        let list = SourceFile.root.appending(path: "Tests/failures.awk").path
        let outcome = try scratch.run("/usr/bin/awk", ["-f", list, "printed.txt"])
        #expect(
            outcome.output == """
                ✘ Test "two" recorded an issue at TwoTests.swift:7:9: Expectation failed: 1 == 2
                ↳ one is not two
                and a second line
                ✘ Test "two" failed after 0.2 seconds with 1 issue.

                """)
    }
}
