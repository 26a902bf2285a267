import Testing
import TraceText

@testable import RecordFormat

struct VisibleJSONTests {
    @Test func `JSON keeps its value`() throws {
        let text = "a\u{1B}\u{7F}\u{9B}\u{2028}\u{202E}\u{2066}\"\\é\n"
        let json = JSONText.object { $0.member("text", text) }.visible
        #expect(
            String(decoding: json.bytes, as: UTF8.self).allSatisfy {
                $0.unicodeScalars.allSatisfy { !$0.isTerminalControl }
            })
        #expect(try JSONParser().withParsed(json.bytes) { $0[name: "text"]?.string } == text)
    }
}
