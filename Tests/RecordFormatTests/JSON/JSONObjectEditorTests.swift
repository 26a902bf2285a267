import FormatHarness
import Testing
import RecordFormat
import TraceText

struct JSONObjectEditorTests {
    @Test(arguments: [
        (#"{"a":1,"b":2}"#, "a", "7", #"{"a":7,"b":2}"#),
        (#"{"a":1,"b":2}"#, "c", "7", #"{"a":1,"b":2,"c":7}"#),
        (
            #"{ "b" : 1.50e+1 , "zz" : [ 1, 2 ] , "a" : {"a": 3} } "#, "a", "null",
            #"{ "b" : 1.50e+1 , "zz" : [ 1, 2 ] , "a" : null } "#
        ),
        ("{\n  \"a\": 1.0,\n  \"b\": 2\n}\n", "c", "3", "{\n  \"a\": 1.0,\n  \"b\": 2,\n  \"c\": 3\n}\n"),
        ("{\r\n\t\"a\": 1\r\n}\r\n", "c", "3", "{\r\n\t\"a\": 1,\r\n\t\"c\": 3\r\n}\r\n"),
        ("{\r\n\t\"a\": 1\r\n}\r\n", "a", "3", "{\r\n\t\"a\": 3\r\n}\r\n"),
        (#"{"a" :1 }"#, "c", "3", #"{"a" :1,"c" :3 }"#),
        ("{}", "a", "1", #"{"a":1}"#), ("{ \n}\n", "a", "1", "{\"a\":1 \n}\n"),
        (#"{"a":1,"b":2,"a":3}"#, "a", "7", #"{"a":1,"b":2,"a":7}"#),
        (#"{"\u0061":1}"#, "a", "7", #"{"\u0061":7}"#), (#"{"\u0061":1}"#, "b", "7", #"{"\u0061":1,"b":7}"#),
        (#"{"b":{"a":1},"s":"\"a\":1"}"#, "a", "7", #"{"b":{"a":1},"s":"\"a\":1","a":7}"#),
        (#"{"a":"}{\"\\"}"#, "a", "7", #"{"a":7}"#), (#"{"é":1}"#, "é", "7", #"{"é":7}"#),
        (#"{"a":1}"#, "q\"\n", "7", #"{"a":1,"q\"\n":7}"#),
    ])
    func `one member changes and every other byte stays`(
        text: String, name: String, value: String, result: String
    ) throws {
        var editor = try JSONObjectEditor(Array(text.utf8))
        try editor.set(name, to: JSONText(verbatim: value.utf8))
        #expect(editor.bytes.text == result)
        #expect(try editor.text(of: name).map { Array($0).text } == value)
    }

    @Test func `several members are set one after the other`() throws {
        var editor = try JSONObjectEditor(Array("{\n \"status\": \"active\"\n}".utf8))
        try editor.set("end_time", to: JSONText("2026"))
        try editor.set("status", to: JSONText("closed"))
        try editor.set("duration_ms", to: JSONText(Int64(12)))
        #expect(
            editor.bytes.text
                == "{\n \"status\": \"closed\",\n \"end_time\": \"2026\",\n \"duration_ms\": 12\n}")
    }

    @Test func `the last member of a name is told`() throws {
        let editor = try JSONObjectEditor(Array(#"{"a": [1, 2] ,"a": "x" }"#.utf8))
        #expect(try editor.text(of: "a").map { Array($0).text } == #""x""#)
        #expect(try editor.text(of: "b") == nil)
    }

    @Test(arguments: [
        ("", "byte 0: expected an object"), ("[]", "byte 0: expected an object"),
        ("{\"a\":1", "byte 6: the text ends before '}'"),
        ("{}{}", "byte 2: unexpected text after the end of the object"),
        ("\u{FEFF}{}", "byte 0: expected an object"),
    ])
    func `what is not one object can't be edited`(text: String, message: String) {
        let error = #expect(throws: FormatError.self) { try JSONObjectEditor(Array(text.utf8)) }
        #expect(error?.code == .jsonMalformed)
        #expect(error?.message == message)
    }

    @Test(arguments: Array(UInt64(1)...4)) func `setting a member of any object leaves the others`(
        seed: UInt64
    ) throws {
        var source = RandomJSON(seed: seed)
        for _ in 0..<200 {
            let text = source.text()
            guard var editor = try? JSONObjectEditor(text) else { continue }
            func others() throws -> [String] {
                let bytes = editor.bytes
                let members = try bytes.withUnsafeBytes { try JSONScanner.members(of: $0) }
                return members.filter { $0.name != "id" }.map {
                    Array(bytes[$0.nameRange] + bytes[$0.valueRange]).text
                }
            }
            let before = try others()
            try editor.set("id", to: JSONText("new"))
            #expect(try others() == before, "\(text.text.debugDescription)")
            #expect(try JSONParser().withParsed(editor.bytes) { $0[name: "id"]?.string } == "new")
        }
    }
}
