import Foundation
import ProgramHarness
import TestSupport
import Testing

/// A client that goes in the middle of a body.
struct CutOffBodiesTests {
    @Test(arguments: [
        "Transfer-Encoding: chunked\r\n\r\n8\r\n# A half\r\n", "Content-Length: 100\r\n\r\n# A half",
    ])
    func `what it has not finished is not written`(rest: String) throws {
        let sample = try ServedSample()
        let path = "/sessions/\(ServedSample.active)/digest"
        var client: WireClient? = try sample.connect()
        try client?.send(
            ("PUT /api/v1\(path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(sample.token)\r\n"
                + "If-None-Match: *\r\nContent-Type: text/markdown\r\n\(rest)").utf8)
        client = nil
        try soon("the connection has ended") {
            try sample.ask("GET", "//metrics").text.contains("\ntrace_http_connections 1\n")
        }
        let digest = sample.session(ServedSample.active).appending(path: "digest.md")
        #expect(!FileManager.default.fileExists(atPath: digest.path))
        let whole = try sample.ask(
            "PUT", path, [("If-None-Match", "*"), ("Content-Type", "text/markdown")], json: "# A whole")
        #expect(whole.status == 200, "\(whole)")
        #expect(try String(contentsOf: digest, encoding: .utf8) == "# A whole")
    }
}
