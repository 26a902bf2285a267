import FormatHarness
import TestSupport
import Testing
import RecordFormat

struct JSONTextTests {
    @Test(arguments: [
        ("", #""""#), ("aé€😀", #""aé€😀""#), ("\"\\/", #""\"\\/""#), ("\n\r\t", #""\n\r\t""#),
        ("\0\u{1}\u{8}\u{C}\u{F}\u{10}\u{1F}", #""\u0000\u0001\u0008\u000c\u000f\u0010\u001f""#),
        ("\u{7F}\u{2028}\u{10FFFF}", "\"\u{7F}\u{2028}\u{10FFFF}\""), ("e\u{301}", "\"e\u{301}\""),
    ])
    func `a string is spelled with only the escapes that JSON requires`(string: String, text: String) throws {
        #expect(JSONText(string).bytes == Array(text.utf8))
        #expect(
            try JSONParser().withParsed(text.utf8) { $0.string.map { Array($0.utf8) } } == Array(string.utf8))
    }

    @Test(arguments: [UInt64(1), 2, 3]) func `any string is read back`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<500 {
            let scalars = (0..<Int.random(in: 0...20, using: &random)).compactMap { _ in
                Unicode.Scalar(
                    UInt32.random(in: 0...random.element(of: [0x30, 0x7FF, 0x10FFFF]), using: &random))
            }
            let string = String(String.UnicodeScalarView(scalars))
            let spelled = JSONText(string).bytes
            #expect(scannerFailure(spelled) == nil)
            #expect(
                try JSONParser().withParsed(spelled) { Array($0.utf8 ?? .init(start: nil, count: 0)) }
                    == Array(string.utf8))
            #expect(Array(spelled.withUnsafeBytes { JSONText.unescaped($0) }.utf8) == Array(string.utf8))
        }
    }

    @Test func `scalars are spelled as the format wants them`() throws {
        #expect(JSONText(Int64.min).text == "-9223372036854775808")
        #expect(JSONText(0.25).text == "0.25")
        #expect(JSONText(1e300).text == "1e+300")
        #expect(JSONText(true).text == "true")
        #expect(JSONText.null.text == "null")
        #expect(JSONText(SessionOffset(milliseconds: 12)).text == "12")
        #expect(JSONText(Timestamp(milliseconds: 0)).text == #""1970-01-01T00:00:00.000Z""#)
        let id = try #require(ULID("ZZZZZZZZZZZZZZZZZZZZZZZZZZ"))
        #expect(JSONText(id).text == #""ZZZZZZZZZZZZZZZZZZZZZZZZZZ""#)
    }

    @Test func `objects and arrays keep the order in which they are built`() {
        let text = JSONText.object { object in
            object.member("b", JSONText("x"))
            object.member("a\"", .array([JSONText(Int64(1)), .object { _ in }, .array([])]))
            object.member("none", nil as JSONText?)
        }
        #expect(text.text == #"{"b":"x","a\"":[1,{},[]]}"#)
    }

    @Test(arguments: [
        (" { \"a b\" : [ 1 , 2 ] ,\r\n\t\"c\\\" d\" : \" x \" } \n", #"{"a b":[1,2],"c\" d":" x "}"#),
        (#"["\\", "\\\" "]"#, #"["\\","\\\" "]"#),
        ("1", "1"), ("", ""),
    ])
    func `compaction removes white space between tokens only`(text: String, compact: String) {
        #expect(JSONText.compacted(Array(text.utf8)).text == compact)
    }

    @Test(arguments: Array(UInt64(1)...4)) func `a compacted text means the same and has one line`(
        seed: UInt64
    ) {
        var source = RandomJSON(seed: seed)
        for _ in 0..<200 {
            let text = source.text()
            let compact = JSONText.compacted(text)
            #expect(JSONText.isEquivalent(text, compact), "\(text.text.debugDescription)")
            #expect(!compact.contains(0x0A))
            #expect(JSONText.compacted(compact) == compact)
        }
    }
}
