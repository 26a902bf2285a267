import FormatHarness
import RecordFormat
import TestSupport
import Testing
import TraceFormat

/// The order of lines.
struct OrderFixTests {
    static func line(_ id: Int, _ offset: Int?, _ more: String = "") -> String {
        let offset = offset.map { #","offset_ms":\#($0)"# } ?? ""
        return #"{"id":"\#(MergeLines.id(id))"\#(offset),"duration_ms":1,"text":"a"\#(more)}"#
    }

    static func fix(_ text: String, _ kind: RecordKind = .transcript) throws -> OrderFix {
        OrderFix(try RecordLines(Array(text.utf8), kind: kind), of: kind)
    }

    static func file(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

    @Test(arguments: [RecordKind.timeline, .transcript])
    func `lines go to their place in time`(kind: RecordKind) throws {
        let fix = try Self.fix(
            Self.file([Self.line(1, 0), Self.line(2, 9), Self.line(3, 5), Self.line(4, 9)]), kind)
        #expect(
            fix.bytes.text
                == Self.file([Self.line(1, 0), Self.line(3, 5), Self.line(2, 9), Self.line(4, 9)]))
        #expect(
            fix.fixes.map(\.description) == [
                "\(kind.fileName): lines sorted by offset_ms (1 line was out of order) [line-order]"
            ])
    }

    @Test(arguments: [RecordKind.marker, .voiceNote, .action])
    func `where no rule asks for an order, none is made`(kind: RecordKind) throws {
        let text = Self.file([Self.line(1, 9), Self.line(2, 5)])
        let fix = try Self.fix(text, kind)
        #expect(fix.bytes.text == text)
        #expect(fix.fixes.isEmpty)
    }

    @Test func `lines at one offset keep their order`() throws {
        let lines = [Self.line(9, 5), Self.line(1, 5), Self.line(5, 5)]
        let fix = try Self.fix(Self.file([Self.line(2, 7)] + lines + [Self.line(3, 7)]))
        #expect(fix.bytes.text == Self.file(lines + [Self.line(2, 7), Self.line(3, 7)]))
    }

    @Test func `damage, blank lines and records without an offset stay behind their line`() throws {
        let late = Self.line(1, 9) + "\r\n{\n\n" + Self.line(2, nil) + "\n"
        let fix = try Self.fix("\n{\"\n" + late + Self.line(3, 5) + "\n[1]\n")
        #expect(fix.bytes.text == "\n{\"\n" + Self.line(3, 5) + "\n[1]\n" + late)
    }

    @Test(arguments: [
        // The last line of an id counts, and stands earlier.
        [line(1, 9), line(2, 5), line(1, 4)],
        [line(2, 9), line(1, nil), line(1, 5)],
        // To others, lines that have the same broken id are one record.
        [line(1, 9, #","id":"x""#), line(2, 9), line(3, 5, #","id":"x""#)],
    ])
    func `where that would move a line of an id before an older one, nothing is moved`(lines: [String]) throws
    {
        let fix = try Self.fix(Self.file(lines))
        #expect(fix.bytes.text == Self.file(lines))
        #expect(fix.fixes.isEmpty)
    }

    @Test(arguments: ["12", "[", "  "])
    func `behind a line without its newline nothing is put`(end: String) throws {
        let text = Self.file([Self.line(1, 9), Self.line(2, 5)]) + end
        #expect(try Self.fix(text).bytes.text == text)
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `no line is lost, and what is in order needs no mend`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let lines = (0..<Int.random(in: 0..<12, using: &random)).map { _ -> String in
            switch Int.random(in: 0..<8, using: &random) {
            case 0: "{"
            case 1: ""
            case 2: Self.line(Int.random(in: 0..<9, using: &random), nil)
            default: Self.line(Int.random(in: 0..<9, using: &random), Int.random(in: 0..<5, using: &random))
            }
        }
        let fix = try Self.fix(Self.file(lines), .timeline)
        let after = fix.bytes.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(
            String.init)
        #expect(after.sorted() == lines.sorted(), "seed \(seed)")
        let again = try Self.fix(fix.bytes.text, .timeline)
        #expect(again.bytes == fix.bytes && again.fixes.isEmpty, "seed \(seed)")
        #expect(fix.fixes.isEmpty == (after == lines), "seed \(seed)")
        // Which line counts is the same.
        for id in 0..<9 {
            let name = MergeLines.id(id)
            #expect(after.last { $0.contains(name) } == lines.last { $0.contains(name) }, "seed \(seed)")
        }
    }
}
