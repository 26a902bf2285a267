import HTTPTypes
import Testing
import TraceText

@testable import TraceServer

/// A path is taken apart and decoded once, and nothing leads out of it.
struct RequestTargetTests {
    private func target(_ text: String, _ method: HTTPRequest.Method = .get) throws(ProtocolError)
        -> RequestTarget
    {
        try RequestTarget(text, method: method)
    }

    private func code(_ text: String, _ method: HTTPRequest.Method = .get) -> ProtocolError.Code? {
        do throws(ProtocolError) {
            _ = try target(text, method)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(arguments: [
        ("/", []), ("/api/v1/sessions", ["api", "v1", "sessions"]), ("/API/", ["API"]), ("/a%20b", ["a b"]),
        ("/%C3%A9", ["é"]), ("/%252e%252e", ["%2e%2e"]), ("/%252fx", ["%2fx"]), ("/a+b", ["a+b"]),
        ("/...", ["..."]), ("/.x", [".x"]), ("/x;jsessionid=1", ["x;jsessionid=1"]), ("/a%0Ab", ["a\nb"]),
        ("/%3F%23", ["?#"]), ("/|[]^`{}\"<>", ["|[]^`{}\"<>"]), ("/api?a=/../b", ["api"]),
        ("/%e2%82%ac", ["€"]),
    ])
    func `each part of a path is decoded once`(text: String, segments: [String]) throws {
        let target = try target(text)
        #expect(target.segments.map(\.text) == segments)
        #expect(target.path == text.prefix { $0 != "?" })
    }

    @Test(
        arguments: [
            ([0xFF], "/%FF"), ([0xC0, 0xAE], "/%C0%AE"), ([0xED, 0xA0, 0x80], "/%ed%a0%80"),
            ([0x61, 0xE9], "/a%E9"),
        ] as [([UInt8], String)])
    func `a name that is not UTF-8 is kept as bytes`(bytes: [UInt8], text: String) throws {
        let segment = try #require(try target(text).segments.first)
        #expect(segment.bytes == bytes && segment.text == nil)
    }

    @Test(arguments: [
        ("//", ProtocolError.Code.segmentEmpty), ("//api", .segmentEmpty),
        ("/api/v1//sessions", .segmentEmpty),
        ("/api//", .segmentEmpty), ("/.", .segmentDots), ("/..", .segmentDots), ("/a/../b", .segmentDots),
        ("/files/../session.json", .segmentDots), ("/%2e%2e/x", .segmentDots), ("/.%2E", .segmentDots),
        ("/%2e", .segmentDots), ("/healthz/../api/v1/sessions", .segmentDots), ("/a/..?x", .segmentDots),
        ("/..%2fx", .targetByteForbidden), ("/%2e%2e%2f", .targetByteForbidden),
        ("/a%2Fb", .targetByteForbidden),
        ("/..%5cx", .targetByteForbidden), ("/a\\b", .targetByteForbidden), ("/%00", .targetByteForbidden),
        ("/a%00.m4a", .targetByteForbidden), ("/a b", .targetByteForbidden), ("/a\tb", .targetByteForbidden),
        ("/a\u{0}", .targetByteForbidden), ("/a\r\nHost: x", .targetByteForbidden),
        ("/é", .targetByteForbidden),
        ("/a#b", .targetByteForbidden), ("/a?b#c", .targetByteForbidden), ("/\u{7F}", .targetByteForbidden),
        ("/%", .escapeMalformed), ("/%2", .escapeMalformed), ("/%zz", .escapeMalformed),
        ("/%+1", .escapeMalformed),
        ("/%%41", .escapeMalformed), ("/a?b=%2", .escapeMalformed), ("", .targetNotPath),
        ("*", .targetNotPath),
        ("api", .targetNotPath), ("?a", .targetNotPath), ("http://localhost/api", .targetNotPath),
        ("localhost:8722", .targetNotPath), (" /", .targetNotPath), ("\\api", .targetNotPath),
    ])
    func `a path with anything that could lead elsewhere is refused`(text: String, code: ProtocolError.Code) {
        #expect(self.code(text) == code)
        #expect(code.meaning.http == 400)
    }

    @Test func `the server as a whole is a target of OPTIONS alone`() throws {
        #expect(try target("*", .options).isServer)
        #expect(try !target("/", .options).isServer)
        for method in [HTTPRequest.Method.get, .connect, .put] {
            #expect(code("*", method) == .targetNotPath)
        }
        #expect(code("**", .options) == .targetNotPath)
        #expect(code("http://x/", .options) == .targetNotPath)
        #expect(code("localhost:1", .connect) == .targetNotPath)
    }

    @Test(arguments: [("/", false), ("/a", false), ("/a/", true), ("/a/?b", true), ("/?b/", false)])
    func `a slash at the end is another address`(text: String, ends: Bool) throws {
        #expect(try target(text).endsWithSlash == ends)
    }

    @Test func `a long name is for the file system to refuse, a long address is refused here`() throws {
        #expect(try target("/" + String(repeating: "a", count: 4096)).segments.first?.bytes.count == 4096)
        #expect(try target("/" + String(repeating: "a", count: 8191)).segments.count == 1)
        #expect(code("/" + String(repeating: "a", count: 8192)) == .targetTooLong)
        #expect(code("/" + String(repeating: "a", count: 1 << 20)) == .targetTooLong)
        #expect(code(String(repeating: "/", count: 8192)) == .segmentEmpty)
    }

    @Test func `an error has a hint, and nothing of the address, which may be a secret`() {
        for text in ["/feeds/secret/..", "/secret%", "/secret secret", "secret", "/x?secret=%"] {
            do throws(ProtocolError) {
                _ = try target(text)
                Issue.record("'\(text)' is taken")
            } catch {
                #expect(error.report.hint != nil && !error.report.text.contains("secret"))
            }
        }
    }
}
