import HTTPTypes
import Testing
import TraceText

@testable import TraceServer

/// The parameters of an address.
struct TargetQueryTests {
    private func items(_ query: String) throws -> [[String]] {
        try RequestTarget("/?" + query, method: .get).query.items.map { [$0.name, $0.value] }
    }

    @Test(arguments: [
        ("", []), ("&&", []), ("a=1", [["a", "1"]]),
        ("a=1&b=2&a=3", [["a", "1"], ["b", "2"], ["a", "3"]]),
        ("a", [["a", ""]]), ("a=", [["a", ""]]), ("=a", [["", "a"]]), ("a=b=c", [["a", "b=c"]]),
        ("a+b=c+d", [["a b", "c d"]]), ("a%2Bb=%2B", [["a+b", "+"]]), ("%61=%2526", [["a", "%26"]]),
        ("a=%26b%3Dc", [["a", "&b=c"]]), ("q=%C3%A9", [["q", "é"]]), ("a=1;b=2", [["a", "1;b=2"]]),
        ("a?b=/c", [["a?b", "/c"]]),
    ])
    func `names and values are decoded once, in their order`(query: String, expected: [[String]]) throws {
        #expect(try items(query) == expected)
    }

    @Test(arguments: ["a=%FF", "%C0%AE=1", "a=%00", "%00", "a=%ED%A0%80"])
    func `a query that is not text is refused`(query: String) {
        #expect { try items(query) } throws: { ($0 as? ProtocolError)?.code == .queryMalformed }
    }

    @Test func `more parameters than anybody needs are refused`() throws {
        let one = "a=1&"
        #expect(try items(String(repeating: one, count: 64)).count == 64)
        #expect { try items(String(repeating: one, count: 65)) } throws: {
            ($0 as? ProtocolError)?.code == .queryMalformed
        }
    }

    @Test func `a parameter that is given twice is reported where one is expected`() throws {
        let query = try RequestTarget("/?tag=a&limit=1&tag=b&limit=1", method: .get).query
        #expect(query.values(of: "tag") == ["a", "b"])
        #expect { try query.value(of: "limit") } throws: { ($0 as? ProtocolError)?.code == .queryDuplicate }
        #expect(try query.value(of: "after") == nil)
        #expect(query.firstName(notIn: ["tag"]) == "limit")
        #expect(query.firstName(notIn: ["tag", "limit"]) == nil)
    }

    @Test func `there is a query or there is none`() throws {
        #expect(try RequestTarget("/a", method: .get).query.isEmpty)
        #expect(try RequestTarget("/a?", method: .get).query.isEmpty)
        #expect(try RequestTarget("*", method: .options).query.isEmpty)
        #expect(try !RequestTarget("/a?b", method: .get).query.isEmpty)
    }
}
