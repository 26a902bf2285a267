import Testing
import TraceText

@testable import TraceServer

/// Where a body ends, and which requests leave that open.
struct RequestFramingTests {
    private typealias Fields = [(name: String, value: String)]

    private func body(_ fields: Fields, isVersion10: Bool = false) throws(ProtocolError)
        -> RequestFraming.Body
    {
        try RequestFraming.body(of: fields, isVersion10: isVersion10)
    }

    private func code(_ fields: Fields, isVersion10: Bool = false) -> ProtocolError.Code? {
        do throws(ProtocolError) {
            _ = try body(fields, isVersion10: isVersion10)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(arguments: [
        ("0", RequestFraming.Body.length(0)), ("12", .length(12)), ("0012", .length(12)),
        ("9223372036854775807", .length(.max)),
    ])
    func `a length is a number of bytes`(value: String, expected: RequestFraming.Body) throws {
        #expect(try body([("Content-Length", value)]) == expected)
        #expect(try body([("CONTENT-LENGTH", value)]) == expected)
    }

    @Test(arguments: [
        "", "-1", "+1", "1,1", "1, 1", "0x10", "1e3", "9223372036854775808", "1 ", " 1", "١", "1\t", "1.0",
    ])
    func `anything else is not`(value: String) {
        #expect(code([("Content-Length", value)]) == .framingMalformed)
    }

    @Test func `there is one length or none`() throws {
        #expect(code([("Content-Length", "5"), ("content-length", "5")]) == .framingMalformed)
        #expect(code([("Content-Length", "5"), ("content-length", "6")]) == .framingMalformed)
        #expect(try body([("Host", "localhost")]) == .none)
        #expect(try body([]) == .none)
    }

    @Test(arguments: ["chunked", "Chunked"])
    func `a body may come in chunks`(value: String) throws {
        #expect(try body([("Transfer-Encoding", value)]) == .chunked)
        #expect(code([("Transfer-Encoding", value)], isVersion10: true) == .framingMalformed)
        #expect(code([("Transfer-Encoding", value), ("Content-Length", "5")]) == .framingMalformed)
        #expect(code([("Content-Length", "5"), ("transfer-encoding", value)]) == .framingMalformed)
        #expect(code([("Transfer-Encoding", value), ("Transfer-Encoding", value)]) == .framingMalformed)
    }

    @Test(arguments: [
        "", "identity", "gzip", "gzip, chunked", "chunked, identity", "chunked, chunked", "chunked;x",
        " chunked",
        "chunked ", "xchunked", "\u{212A}chunked", "\u{B}chunked",
    ])
    func `any other coding is refused`(value: String) {
        #expect(code([("Transfer-Encoding", value)]) == .framingMalformed)
    }

    @Test(arguments: [
        ("", "a"), ("a b", "a"), ("Content-Length ", "5"), ("a:", "a"), ("é", "a"), ("a\u{0}", "a"),
        ("a", "b\u{0}"),
        ("a", "b\r\nc: d"), ("a", "b\n c"), ("a", "b\r"), ("a", "\u{7F}"), ("a", "\u{1B}[31m"), (" a", "b"),
    ])
    func `a field that breaks the grammar is refused`(name: String, value: String) {
        #expect(code([(name, value)]) == .framingMalformed)
    }

    @Test func `a value may have tabs and bytes above ASCII`() throws {
        #expect(try body([("a", "b\tc"), ("a", "é"), ("a", "")]) == .none)
    }

    @Test func `more fields than anybody needs are refused`() throws {
        let field = (name: "a", value: "b")
        #expect(try body(Array(repeating: field, count: 64)) == .none)
        #expect(code(Array(repeating: field, count: 65)) == .fieldsTooLarge)
        #expect(code(Array(repeating: field, count: 100_000)) == .fieldsTooLarge)
        #expect(try body([("a", String(repeating: "b", count: 16 * 1024 - 1))]) == .none)
        #expect(code([("a", String(repeating: "b", count: 16 * 1024))]) == .fieldsTooLarge)
        #expect(ProtocolError.Code.fieldsTooLarge.meaning.http == 431)
    }
}
