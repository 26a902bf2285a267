import Foundation
import ProgramHarness
import TestSupport
import Testing

/// A real browser that was made to believe that a foreign name is this machine (DNS rebinding). `make browser` installs one.
@Suite(.enabled(if: Browser.path != nil, "needs Chromium; 'make browser' installs one"))
struct RebindingBrowserTests {
    @Test func `by a foreign name that leads here a browser gets nothing`() throws {
        let sample = try ServedSample()
        let scratch = try Scratch()
        func page(_ host: String, _ path: String) throws -> String {
            let browser = try #require(Browser.path)
            return try scratch.run(
                browser,
                [
                    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync",
                    "--disable-background-networking", "--user-data-dir=\(scratch.path)/profile",
                    "--host-resolver-rules=MAP evil.example 127.0.0.1", "--dump-dom",
                    "http://\(host):\(sample.port)\(path)",
                ], in: "", ["XDG_RUNTIME_DIR": scratch.path]
            ).output
        }
        #expect(try page("localhost", "/healthz").contains("ok"), "the browser gets here")
        for path in ["/healthz", "/readyz", "/api/openapi.json", "/api/v1/sessions", "/"] {
            let text = try page("evil.example", path)
            #expect(text.contains("host-unknown"), "\(path): \(text)")
        }
    }
}

private enum Browser {
    static let path = ["chromium", "chromium-browser", "google-chrome"].map { "/usr/bin/\($0)" }.first {
        FileManager.default.isExecutableFile(atPath: $0)
    }
}
