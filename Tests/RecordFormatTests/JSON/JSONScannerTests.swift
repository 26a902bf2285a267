import FormatHarness
import Testing
import RecordFormat

struct JSONScannerTests {
    @Test(arguments: Array(UInt64(1)...8)) func `the scanner finds JSON texts fine`(seed: UInt64) throws {
        var source = RandomJSON(seed: seed)
        for _ in 0..<250 {
            let text = source.text()
            #expect(try parserFailure(text) == nil, "\(text.text.debugDescription)")
            try expectAgreement(on: text)
        }
    }

    @Test(arguments: Array(UInt64(1)...8)) func `the scanner agrees with libsimdjson on damaged texts`(
        seed: UInt64
    ) throws {
        var source = RandomJSON(seed: seed)
        for _ in 0..<1000 { try expectAgreement(on: source.damaged()) }
    }

    @Test(arguments: Array(UInt64(1)...8)) func `the scanner agrees with libsimdjson on random bytes`(
        seed: UInt64
    ) throws {
        var source = RandomJSON(seed: seed)
        for _ in 0..<1000 { try expectAgreement(on: source.soup()) }
    }

    @Test(arguments: [125, 126, 127, 128, 129, 1000, 10000]) func `the scanner agrees on depth`(depth: Int)
        throws
    {
        func repeated(_ text: String) -> String { String(repeating: text, count: depth) }
        try expectAgreement(on: Array((repeated("[") + repeated("]")).utf8))
        try expectAgreement(on: Array((repeated("[") + "1" + repeated("]")).utf8))
        try expectAgreement(on: Array((repeated("{\"a\":") + "1" + repeated("}")).utf8))
        try expectAgreement(on: Array((repeated("{\"a\":[") + repeated("]}")).utf8))
        try expectAgreement(on: Array((repeated("[") + "[],{}" + repeated("]")).utf8))
    }

    @Test(arguments: 0..<20) func `the scanner agrees on any byte at any place of a long string`(place: Int)
        throws
    {
        for byte in UInt8.min...UInt8.max {
            var text = Array(#"{"name":"abcdefghijklmnopqrst"}"#.utf8)
            text[9 + place] = byte
            try expectAgreement(on: text)
            // The next byte shows what a borrow from this one would.
            text[min(9 + place + 1, 28)] = 0x20
            try expectAgreement(on: text)
        }
    }

    /// The members of objects are found exactly where the text is one, too.
    private func expectAgreement(on text: [UInt8]) throws {
        let parsed = try parserFailure(text)
        let scanned = scannerFailure(text)
        let shown = text.text.debugDescription
        #expect(
            (parsed == nil) == (scanned == nil),
            "\(shown): \(String(describing: parsed)) \(String(describing: scanned))")
        if let scanned { #expect((0...text.count).contains(scanned.position), "\(shown): \(scanned)") }

        let isObject = try parsed == nil && JSONParser().withParsed(text) { $0.kind == .object }
        let members = try? text.withUnsafeBytes { try JSONScanner.members(of: $0) }
        #expect((members != nil) == isObject, "\(shown)")
        guard let members, isObject else { return }
        let names = try JSONParser().withParsed(text) {
            $0.members.map { String(decoding: $0.key, as: UTF8.self) }
        }
        #expect(members.map(\.name) == names, "\(shown)")
        try expectOutline(of: text, members)
    }

    /// Without a look at what is in the values, their ends are the same.
    private func expectOutline(of text: [UInt8], _ members: [JSONScanner.Member]) throws {
        let shown = text.text.debugDescription
        try text.withUnsafeBytes { bytes in
            let outline = try JSONScanner.outline(of: bytes)
            #expect(outline.map(\.member) == members, "\(shown)")
            #expect(try JSONScanner.members(of: bytes, isParsed: true) == members, "\(shown)")
            for (member, found) in outline {
                let start = member.valueRange.lowerBound
                guard bytes[start] == UInt8(ascii: "[") else {
                    #expect(found == nil, "\(shown)")
                    continue
                }
                let value = UnsafeRawBufferPointer(rebasing: bytes[member.valueRange])
                let elements = try JSONScanner.elements(of: value).map {
                    $0.lowerBound + start..<$0.upperBound + start
                }
                #expect(found == elements, "\(shown)")
            }
        }
    }

    @Test(arguments: [
        ("", 0, "expected a value, but the text ends"),
        ("  ", 2, "expected a value, but the text ends"),
        ("{", 1, "expected a member name in quotes"),
        ("{\"a\"", 4, "expected ':' after a member name"),
        ("{\"a\":", 5, "expected a value, but the text ends"), ("{\"a\":1", 6, "the text ends before '}'"),
        ("{\"a\":1,", 7, "expected a member name in quotes"),
        ("{\"a\":1,}", 7, "expected a member name in quotes"),
        ("{\"a\":1 \"b\":2}", 7, "expected ',' or '}'"),
        ("{a:1}", 1, "expected a member name in quotes"),
        ("[1", 2, "the text ends before ']'"), ("[1,]", 3, "expected a value"),
        ("[1}", 2, "expected ',' or ']'"),
        ("{} {}", 3, "unexpected text after the end of the value"),
        ("1]", 1, "unexpected text after the end of the value"),
        ("tru", 0, "expected a value"), ("True", 0, "expected a value"),
        ("truex", 4, "unexpected text after the end of the value"),
        ("'a'", 0, "expected a value"), ("[\0]", 1, "expected a value, found a NUL byte"),
        ("01", 1, "a number has a leading zero"), ("-", 1, "expected a digit"),
        ("-a", 1, "expected a digit"),
        ("+1", 0, "expected a value"), (".5", 0, "expected a value"),
        ("[1.]", 3, "expected a digit"),
        ("[1e]", 3, "expected a digit"), ("[1e+]", 4, "expected a digit"),
        ("[1x]", 2, "a number is incomplete"),
        ("[1e400]", 1, "a number is too large"), ("[-1e400]", 1, "a number is too large"),
        ("[18446744073709551616]", 1, "a number is too large"),
        ("[-9223372036854775809]", 1, "a number is too large"),
        ("\"abc", 4, "the text ends in the middle of a string"),
        ("\"a\nb\"", 2, "a control character in a string is not escaped"),
        ("\"a\\", 3, "the text ends in the middle of an escape"), (#"["a\x"]"#, 3, #"'\x' is not an escape"#),
        ("\"\\\n\"", 1, "a backslash does not begin an escape"),
        ("\"\\é\"", 1, "a backslash does not begin an escape"),
        (#""\u12""#, 1, #"'\u' needs four hexadecimal digits"#),
        (#""\u+123""#, 1, #"'\u' needs four hexadecimal digits"#),
        (#""\ud800""#, 1, "an escape is half of a surrogate pair"),
        (#""\udc00""#, 1, "an escape is half of a surrogate pair"),
        (#""\ud800\n""#, 1, "an escape is half of a surrogate pair"),
        (#""\ud800\u0041""#, 1, "an escape is half of a surrogate pair"),
    ])
    func `a failure tells the place and the reason`(text: String, position: Int, reason: String) throws {
        let failure = scannerFailure(Array(text.utf8))
        #expect(failure?.position == position)
        #expect(failure?.reason == reason)
        #expect(try parserFailure(Array(text.utf8)) != nil)
    }

    @Test(arguments: [
        ([0x22, 0x61, 0xFF, 0x22], 2), ([0x22, 0xC3], 1), ([0x22, 0xC3, 0xA9, 0xC3, 0x22], 3),
        ([0x22, 0xE0, 0x80, 0x80, 0x22], 1),
        ([0x22, 0xED, 0xA0, 0x80, 0x22], 1), ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1),
        ([0x22, 0xF0, 0x9F, 0x98, 0x22], 1),
    ])
    func `bytes that are not UTF-8 are found`(text: [UInt8], position: Int) {
        let failure = scannerFailure(text)
        #expect(failure?.position == position)
        #expect(failure?.reason == "the bytes of a string are not UTF-8")
    }

    @Test func `members are found with their bytes`() throws {
        let text = Array(#" { "a" : 1 , "b\u0063":[{"a":2}], "a":"x" } "#.utf8)
        let members = try text.withUnsafeBytes { try JSONScanner.members(of: $0) }
        #expect(members.map(\.name) == ["a", "bc", "a"])
        #expect(members.map { Array(text[$0.nameRange]).text } == [#""a""#, #""b\u0063""#, #""a""#])
        #expect(members.map { Array(text[$0.valueRange]).text } == ["1", #"[{"a":2}]"#, #""x""#])
    }

    @Test(arguments: [("[]", 0), (" 1", 1), ("", 0), ("{} x", 3), ("{\"a\":1 x", 7)])
    func `what is no object has no members`(text: String, position: Int) {
        let failure = #expect(throws: JSONScanner.Failure.self) {
            try Array(text.utf8).withUnsafeBytes { try JSONScanner.members(of: $0) }
        }
        #expect(failure?.position == position)
    }
}
