import Foundation
import ProgramHarness
import TestSupport
import Testing

/// Heads that are too large or that two programs could read in two ways. The connection ends with the answer: where the next
/// request would begin is unknown.
struct HostileHeadersTests {
    private let sample: ServedSample

    init() throws { sample = try ServedSample() }

    private static let get = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
    private static let post =
        "POST /api/v1/pair HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    private static let chunked = post + "Transfer-Encoding: chunked\r\n\r\n"

    private static let heads: [(what: String, text: String)] = [
        ("100,000 fields", get + (0..<100_000).map { "X-\($0): y\r\n" }.joined() + "\r\n"),
        ("65 fields", get + (0..<64).map { "X-\($0): y\r\n" }.joined() + "\r\n"),
        ("a field of 1 MiB", get + "X: \(String(repeating: "a", count: 1 << 20))\r\n\r\n"),
        ("a name of 1 MiB", get + "\(String(repeating: "a", count: 1 << 20)): x\r\n\r\n"),
        ("a field of 16 KiB", get + "X: \(String(repeating: "a", count: 16 << 10))\r\n\r\n"),
        ("a folded field", get + "X: a\r\n b\r\n\r\n"), ("NUL in a field", get + "X: a\0b\r\n\r\n"),
        ("CR in a field", get + "X: a\rb\r\n\r\n"), ("a space before the colon", get + "X : a\r\n\r\n"),
        ("a field without a name", get + ": a\r\n\r\n"), ("a field without a colon", get + "X\r\n\r\n"),
        ("bare LF", "GET /healthz HTTP/1.1\nHost: localhost\n\n"),
        ("bare LF after a field", "GET /healthz HTTP/1.1\r\nHost: localhost\nX: y\r\n\r\n"),
        ("Content-Length twice", post + "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}"),
        ("two lengths in one field", post + "Content-Length: 2, 2\r\n\r\n{}"),
        ("two lengths that differ", post + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}"),
        ("a length and chunks", post + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        ("chunks and a length", post + "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n"),
        ("a negative length", post + "Content-Length: -1\r\n\r\n"),
        ("a length with a sign", post + "Content-Length: +2\r\n\r\n{}"),
        ("a hexadecimal length", post + "Content-Length: 0x2\r\n\r\n{}"),
        ("an empty length", post + "Content-Length: \r\n\r\n"),
        ("a length of 2^64", post + "Content-Length: 18446744073709551616\r\n\r\n"),
        ("another coding", post + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n"),
        ("an unknown coding", post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
        ("chunked twice", post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        (
            "chunks in HTTP/1.0",
            post.replacing("/1.1", with: "/1.0") + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
        ("a chunk of 2^64", chunked + "10000000000000000\r\n"), ("a chunk of -1", chunked + "-1\r\n"),
        ("a chunk that ends elsewhere", chunked + "2\r\n{}x\r\n0\r\n\r\n"),
        ("a chunk with bare LF", chunked + "2\n{}\r\n0\r\n\r\n"),
        ("no HTTP at all", "\u{16}\u{3}\u{1}\r\n\r\n"),
        ("another protocol", "SSH-2.0-OpenSSH_9.2\r\n\r\n"), ("HTTP/0.9", "GET /healthz\r\n\r\n"),
    ]

    /// One after the other, with one daemon.
    @Test func `heads are read as strictly as they are written`() throws {
        try `a head that breaks the rules is refused, and its connection ends`()
        try `a refusal comes behind the answers to the requests before it`()
        try `a target of 1 MiB is refused`()
        try `a chunk of 2^63 bytes is refused as soon as more has come than is taken`()
        try `memory does not grow with what is refused`()
        try `as many and as large fields as are allowed are taken`()
    }

    private func `a head that breaks the rules is refused, and its connection ends`() throws {
        for head in Self.heads {
            let answer = try self.answer(to: Array(head.text.utf8))
            #expect(answer.status == (Self.large.contains(head.what) ? 431 : 400), "\(head.what): \(answer)")
            expectProblem(answer, head.what)
        }
    }

    private static let large = [
        "100,000 fields", "65 fields", "a field of 1 MiB", "a name of 1 MiB", "a field of 16 KiB",
    ]

    /// Whoever wrote the client is told what is wrong with it, in the form of all problems.
    private func expectProblem(_ answer: WireAnswer, _ what: String) {
        #expect(answer["content-type"] == "application/problem+json", "\(what): \(answer)")
        #expect(answer["connection"] == "close", "\(what): \(answer)")
        #expect(answer.object["status"] as? Int == answer.status, "\(what)")
        #expect(
            ["fields-too-large", "framing-malformed", "host-malformed", "body-malformed"].contains(
                answer.code),
            "\(what): \(answer)")
        #expect((answer.object["hint"] as? String)?.isEmpty == false, "\(what): \(answer)")
    }

    private func `a refusal comes behind the answers to the requests before it`() throws {
        let first = "GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
        for head in [
            Self.get + "X : a\r\n\r\n", Self.post + "Content-Length: 2, 2\r\n\r\n{}",
            "GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
        ] {
            let client = try sample.connect()
            try client.send((first + first + head + Self.get + "\r\n").utf8)
            for _ in 0..<2 {
                let answer = try client.answer()
                #expect(answer.status == 200, "\(answer)")
                #expect(answer.object["openapi"] != nil, "it is whole")
            }
            #expect(try client.answer().status == 400, "\(head)")
            #expect(try client.rest().isEmpty, "\(head)")
        }
    }

    /// The answer, behind which the connection ends. What the server does not read may cut the sending short.
    private func answer(to bytes: [UInt8]) throws -> WireAnswer {
        let client = try sample.connect()
        do {
            try client.send(bytes + Array("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        } catch is POSIXError {}
        let answer = try client.answer()
        #expect(try client.rest().isEmpty, "what followed is not answered")
        return answer
    }

    private func `a target of 1 MiB is refused`() throws {
        func head(_ count: Int) -> [UInt8] {
            Array("GET /\(String(repeating: "a", count: count)) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
        }
        #expect([400, 414, 431].contains(try answer(to: head(1 << 20)).status))
        // One that the parser takes is well-formed, so that its connection stays.
        let client = try sample.connect()
        try client.send(head(9000))
        #expect(try client.answer().status == 414)
        #expect(try client.request("GET", "/healthz").status == 200)
    }

    private func `a chunk of 2^63 bytes is refused as soon as more has come than is taken`() throws {
        for size in ["8000000000000000", "7fffffffffffffff", "ffffffffffffffff"] {
            let answer = try answer(
                to: Array((Self.chunked + "\(size)\r\n").utf8) + [UInt8](repeating: 0x20, count: 2 << 20))
            #expect([400, 413].contains(answer.status), "\(size): \(answer)")
        }
    }

    private func `memory does not grow with what is refused`() throws {
        func refuseAll() throws {
            for head in Self.heads { _ = try answer(to: Array(head.text.utf8)) }
        }
        for _ in 0..<3 { try refuseAll() }
        let before = try #require(sample.daemon.residentBytes)
        for _ in 0..<20 { try refuseAll() }
        // Far less than the 40 MB that were sent meanwhile.
        #expect(try #require(sample.daemon.residentBytes) - before < 8 << 20)
        #expect(try sample.ask("GET", "//healthz").status == 200)
    }

    private func `as many and as large fields as are allowed are taken`() throws {
        let client = try sample.connect()
        let fields = (0..<62).map { ("X-\($0)", String(repeating: "y", count: 200)) }
        #expect(try client.request("GET", "/healthz", fields).status == 200)
        // Requests that follow one another on a connection, sent at once, are answered in their order.
        let both = Self.get + "\r\nGET /none HTTP/1.1\r\nHost: localhost\r\n\r\n"
        try client.send(both.utf8)
        #expect(try client.answer().status == 200)
        #expect(try client.answer().status == 404)
    }
}
