import FormatHarness
import RecordFormat
import Testing
import TraceFormat

/// What is mended at the two ends of a file of lines.
struct FileEndFixTests {
    struct Case: CustomTestStringConvertible {
        let name: String
        let old: String
        let new: String
        var fixes: [Fix.Kind] = []
        var isSettled = true
        var isInTransit = false

        var testDescription: String { name }
    }

    static let line = #"{"id":"01KGN6Z5BM0000000000000005","offset_ms":1}"#
    static let mark = "\u{FEFF}"

    static let cases = [
        Case(name: "an empty file", old: "", new: ""),
        Case(name: "whole lines", old: "\(line)\n\(line)\n", new: "\(line)\n\(line)\n"),
        Case(
            name: "a newline missing", old: "\(line)\n\(line)", new: "\(line)\n\(line)\n",
            fixes: [.missingNewline]),
        Case(
            name: "a newline missing in a young file", old: line, new: "\(line)\n", fixes: [.missingNewline],
            isSettled: false),
        Case(name: "a torn line", old: "\(line)\n{\"id\":\"01", new: "\(line)\n", fixes: [.tornLine]),
        Case(name: "nothing but a torn line", old: "{", new: "", fixes: [.tornLine]),
        Case(name: "NUL bytes at the end", old: "\(line)\n\0\0\0", new: "\(line)\n", fixes: [.tornLine]),
        Case(
            name: "a torn character", old: "\(line)\n{\"label\":\"Gr\u{FFFD}", new: "\(line)\n",
            fixes: [.tornLine]),
        Case(
            name: "a torn line in a young file", old: "\(line)\n{\"id\":\"01", new: "\(line)\n{\"id\":\"01",
            isSettled: false, isInTransit: true),
        Case(name: "a torn line with its newline", old: "{\"id\n\(line)\n", new: "{\"id\n\(line)\n"),
        Case(name: "blanks at the end", old: "\(line)\n  ", new: "\(line)\n  "),
        Case(name: "JSON that is no object", old: "\(line)\n12", new: "\(line)\n12"),
        Case(name: "a mark in front", old: mark + "\(line)\n", new: "\(line)\n", fixes: [.byteOrderMark]),
        Case(
            name: "two marks in front", old: mark + mark + "\(line)\n", new: "\(line)\n",
            fixes: [.byteOrderMark]),
        Case(name: "nothing but a mark", old: mark, new: "", fixes: [.byteOrderMark]),
        Case(
            name: "a mark and no newline", old: mark + line, new: "\(line)\n",
            fixes: [.byteOrderMark, .missingNewline]),
        Case(
            name: "a mark and a torn line", old: mark + "{\"i", new: "", fixes: [.byteOrderMark, .tornLine]),
        Case(
            name: "a mark and a line on its way", old: mark + "{\"i", new: mark + "{\"i", isSettled: false,
            isInTransit: true),
        Case(name: "lines with CRLF", old: "\(line)\r\n\(line)\r\n", new: "\(line)\r\n\(line)\r\n"),
    ]

    @Test(arguments: cases)
    func `what is wrong at an end is mended, and nothing else`(example: Case) throws {
        let fix = try FileEndFix(Array(example.old.utf8), of: .marker, isSettled: example.isSettled)
        #expect(fix.bytes.text == example.new)
        #expect(fix.fixes.map(\.kind) == example.fixes)
        #expect(fix.isInTransit == example.isInTransit)
    }

    @Test(arguments: cases.filter { $0.isSettled })
    func `what is mended needs no mend`(example: Case) throws {
        let fix = try FileEndFix(Array(example.new.utf8), of: .marker, isSettled: true)
        #expect(fix.fixes.isEmpty)
    }

    @Test func `the reason tells how much is set aside`() throws {
        let fix = try FileEndFix(Array("{\"id".utf8), of: .marker, isSettled: true)
        #expect(
            fix.fixes.map(\.description) == [
                "markers.jsonl: torn last line (4 bytes without a newline) set aside: "
                    + "the text ends in the middle of a string [torn-line]"
            ])
    }

    @Test func `a file cut at any byte keeps its whole lines`() throws {
        let text = Array("\(Self.line)\n\(Self.line)\n".utf8)
        for length in 0...text.count {
            let fix = try FileEndFix(Array(text[..<length]), of: .marker, isSettled: true)
            let whole = length >= text.count / 2 - 1 ? (length >= text.count - 1 ? 2 : 1) : 0
            #expect(fix.bytes.text == String(repeating: Self.line + "\n", count: whole), "cut at \(length)")
        }
    }
}
