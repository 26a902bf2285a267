import RecordFormat
import Testing

@testable import TraceStore

struct RecordEditTests {
    private func apply(to tags: String, _ change: (inout RecordEdit) -> Void) throws -> String {
        var edit = RecordEdit()
        change(&edit)
        return String(decoding: try edit.applied(to: Array(#"{"id":1,"tags":\#(tags)}"#.utf8)), as: UTF8.self)
    }

    @Test(arguments: [
        (#"["a","old","b"]"#, #"["a","new","b"]"#),
        (#"["old","new","b"]"#, #"["new","b"]"#),
        (#"["new","b","old"]"#, #"["new","b"]"#),
        (#"["b", "b"]"#, #"["b", "b"]"#),
    ])
    func `a renamed tag keeps its place, and stands once`(before: String, after: String) throws {
        #expect(try apply(to: before) { $0.renamedTag = ("old", "new") } == #"{"id":1,"tags":\#(after)}"#)
    }

    @Test func `tags come and go`() throws {
        #expect(try apply(to: #"["a"]"#) { $0.addedTags = ["b", "a"] } == #"{"id":1,"tags":["a","b"]}"#)
        #expect(try apply(to: #"["a","b"]"#) { $0.removedTags = ["a"] } == #"{"id":1,"tags":["b"]}"#)
    }

    @Test func `tags that are none are in nobody's way who does not change them`() throws {
        #expect(
            try apply(to: "[1]") { $0.values = [("note", JSONText("x"))] }
                == #"{"id":1,"tags":[1],"note":"x"}"#)
        #expect(throws: FormatError.self) { try apply(to: "[1]") { $0.addedTags = ["a"] } }
    }
}
