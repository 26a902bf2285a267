import Testing
import TraceText

@testable import RecordFormat

struct JSONArrayAppendTests {
    private static let members: [(name: String, value: JSONText)] = [
        ("id", JSONText("x")), ("n", JSONText(Int64(1))),
    ]

    @Test(arguments: [
        (#"{"media":[]}"#, #"{"media":[{"id":"x","n":1}]}"#),
        (#"{"media":[ ],"a":1e1}"#, #"{"media":[{"id":"x","n":1}],"a":1e1}"#),
        (#"{"media": [{"a": 1}, {"b":2} ]}"#, #"{"media": [{"a": 1}, {"b":2},{"id":"x","n":1} ]}"#),
        (
            "{\n  \"media\": [],\n  \"z\" : 0\n}\n",
            "{\n  \"media\": [\n    {\n      \"id\": \"x\",\n      \"n\": 1\n    }\n  ],\n  \"z\" : 0\n}\n"
        ),
        (
            "{\n\t\"media\": [\n\t\t{\n\t\t\t\"a\": 1\n\t\t}\n\t]\n}",
            "{\n\t\"media\": [\n\t\t{\n\t\t\t\"a\": 1\n\t\t},\n\t\t{\n\t\t\t\"id\": \"x\",\n\t\t\t\"n\": 1\n\t\t}\n\t]\n}"
        ),
        (#"{"x":"media","media":["]"]}"#, #"{"x":"media","media":["]",{"id":"x","n":1}]}"#),
    ])
    func `an element is added as its neighbours are laid out, every other byte as it was`(
        text: String, expected: String
    ) throws {
        var editor = try JSONObjectEditor(Array(text.utf8))
        try editor.append(Self.members, toArray: "media")
        #expect(String(decoding: editor.bytes, as: UTF8.self) == expected)
    }

    @Test(arguments: ["{}", #"{"media":null}"#, #"{"media":{}}"#])
    func `what is no array gets no element`(text: String) throws {
        var editor = try JSONObjectEditor(Array(text.utf8))
        let error = #expect(throws: FormatError.self) { try editor.append(Self.members, toArray: "media") }
        #expect(error?.code == .recordInvalid)
        #expect(String(decoding: editor.bytes, as: UTF8.self) == text)
    }
}
