import FormatHarness
import Testing
import RecordFormat

struct JSONParserTests {
    @Test(arguments: [
        ("null", JSONValue.Kind.null), ("true", .boolean), ("false", .boolean), ("\"\"", .string),
        ("[]", .array),
        ("{}", .object), ("0", .integer), ("-0", .integer), ("1.0", .integer), ("1e3", .integer),
        ("-2.50e1", .integer),
        ("18446744073709551615", .integer), ("1e300", .integer), ("0.5", .number), ("1e-3", .number),
        (" 7\r\n\t", .integer),
    ])
    func `a value has the kind that JSON Schema gives it`(text: String, kind: JSONValue.Kind) throws {
        #expect(try JSONParser().withParsed(text.utf8) { $0.kind } == kind)
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("-0.0", 0), ("1.0", 1), ("1e3", 1000), ("9223372036854775807", .max),
            ("-9223372036854775808", .min), ("9223372036854775808", nil), ("18446744073709551615", nil),
            ("1e300", nil),
            ("9223372036854775808.0", nil), ("-9223372036854775808.0", .min), ("0.5", nil), ("true", nil),
            ("\"1\"", nil),
        ] as [(String, Int64?)])
    func `an integer is read where it fits in 64 bits`(text: String, value: Int64?) throws {
        #expect(try JSONParser().withParsed(text.utf8) { $0.integer } == value)
    }

    @Test(
        arguments: [
            ("0", 0), ("-1", -1), ("0.25", 0.25), ("1e3", 1000), ("18446744073709551615", 0x1p64),
            ("null", nil), ("[1]", nil),
        ] as [(String, Double?)])
    func `a number is read as a double`(text: String, value: Double?) throws {
        #expect(try JSONParser().withParsed(text.utf8) { $0.number } == value)
    }

    @Test(arguments: [
        ("-1", true), ("-0.5", true), ("-1e300", true), ("0", false), ("18446744073709551615", false),
    ])
    func `a negative number is told`(text: String, isNegative: Bool) throws {
        #expect(try JSONParser().withParsed(text.utf8) { $0.isNegative } == isNegative)
    }

    @Test(arguments: [
        (#""""#, ""), (#""aé€😀""#, "aé€😀"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#""\u00e9\uD83D\uDE00""#, "é😀"),
        (#""\u0000""#, "\0"), ("\"\u{7F}\u{FFFF}\u{10FFFF}\"", "\u{7F}\u{FFFF}\u{10FFFF}"),
    ])
    func `a string's escapes are resolved`(text: String, string: String) throws {
        #expect(try JSONParser().withParsed(text.utf8) { $0.string } == string)
    }

    @Test func `members keep their order and their duplicates, and the last of a name counts`() throws {
        let text = #"{"b":1,"a":[true,{"b":9}],"b":2,"c":{},"\u0062":3}"#
        try JSONParser().withParsed(text.utf8) { root in
            #expect(
                root.members.map { String(decoding: $0.key, as: UTF8.self) } == ["b", "a", "b", "c", "b"])
            #expect(root[name: "b"]?.integer == 3)
            #expect(root[name: "a"]?.elements.map(\.kind) == [.boolean, .object])
            #expect(root[name: "d"] == nil)
            #expect(root.elements.map(\.kind) == [])
            #expect(root[name: "a"]?.members.map(\.value.kind) == [])
            #expect(root[name: "a"]?[name: "b"] == nil)
        }
    }

    @Test func `a member after nested values and wide numbers is found`() throws {
        let text = #"{"a":[[1.5,[-2]],{"x":18446744073709551615}],"b":"end"}"#
        #expect(try JSONParser().withParsed(text.utf8) { $0[name: "b"]?.string } == "end")
    }

    @Test(arguments: [
        ("", JSONParser.Failure.empty), (" \n", .empty), ("{", .syntax), ("{}}", .syntax),
        ("{'a':1}", .syntax),
        ("[1,]", .syntax), ("{\"a\":1,}", .syntax), ("\"a", .string), ("\"\u{1}\"", .string),
        (#""\x""#, .string),
        (#""\ud800""#, .string), ("01", .number), ("1e400", .number), ("18446744073709551616", .number),
        ("-9223372036854775809", .number), ("NaN", .syntax), ("1 2", .syntax), ("// c\n1", .syntax),
    ])
    func `what is not JSON fails with its kind`(text: String, failure: JSONParser.Failure) throws {
        #expect(try parserFailure(Array(text.utf8)) == failure)
    }

    @Test(arguments: [
        [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xC0, 0x80, 0x22],
    ])
    func `bytes that are not UTF-8 fail`(text: [UInt8]) throws {
        #expect(try parserFailure(text) == .notUTF8)
    }

    @Test func `nesting is limited, and a parser goes on after a failure`() throws {
        let parser = try JSONParser()
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)).utf8)
        }
        #expect(try parserFailure(nested(JSONParser.maximumDepth - 1)) == nil)
        #expect(try parserFailure(nested(JSONParser.maximumDepth)) == .tooDeep)
        #expect(throws: JSONParser.Failure.tooDeep) { try parser.withParsed(nested(100_000)) { _ in } }
        #expect(throws: JSONParser.Failure.syntax) { try parser.withParsed("[1".utf8) { _ in } }
        #expect(try parser.withParsed("[1]".utf8) { $0.elements.count { _ in true } } == 1)
    }

    @Test func `texts of growing and shrinking sizes are read by one parser`() throws {
        let parser = try JSONParser()
        for size in [0, 1, 5000, 10, 100_000, 3, 1_000_000, 4096, 8192, 8193] {
            let text = "[\"" + String(repeating: "x", count: size) + "\"]"
            #expect(try parser.withParsed(text.utf8) { $0.elements.map { $0.utf8?.count } } == [size])
        }
    }

    @Test(arguments: [
        (#"{"a":1,"b":2}"#, #"{ "b" : 2.0, "a" : 1e0 }"#, true), (#"{"a":1,"a":2}"#, #"{"a":2}"#, true),
        ("[1,2]", "[2,1]", false), ("[1]", "[1,1]", false), (#"{"a":1}"#, #"{"a":1,"b":null}"#, false),
        ("null", "false", false),
        (#""\u00e9""#, "\"é\"", true), ("\"\u{E9}\"", "\"e\u{301}\"", false), ("0.1", "0.10", true),
        ("1", "1.5", false),
        ("18446744073709551615", "18446744073709551614", false), ("-0.0", "0", true), ("true", "true", true),
        (#"{"é":1}"#, "{\"e\u{301}\":1}", false), ("1e300", "1e300", true), ("[]", "{}", false),
        ("9223372036854775808", "9223372036854775808.0", true),
    ])
    func `two texts are equivalent exactly when they mean the same`(left: String, right: String, same: Bool) {
        #expect(JSONText.isEquivalent(Array(left.utf8), Array(right.utf8)) == same)
        #expect(JSONText.isEquivalent(Array(right.utf8), Array(left.utf8)) == same)
    }
}
