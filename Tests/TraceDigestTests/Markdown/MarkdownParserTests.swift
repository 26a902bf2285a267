import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import TraceDigest

struct MarkdownParserTests {
    private func blocks(_ text: String) -> [MarkdownBlock] { MarkdownParser.parse(Array(text.utf8)).blocks }

    private func words(_ text: String) -> [MarkdownInline] {
        guard case .paragraph(let words)? = blocks(text).first else { return [] }
        return words
    }

    @Test func `blocks are read`() {
        #expect(
            blocks("# One\n\ntwo\nthree\n\n> four\n\n---\n\n    five\n\n<div>\nsix\n</div>\n") == [
                .heading(level: 1, [.text("One")]), .paragraph([.text("two"), .softBreak, .text("three")]),
                .quote([.paragraph([.text("four")])]), .rule, .code("five\n"), .html("<div>\nsix\n</div>\n"),
            ])
        #expect(blocks("") == [])
    }

    @Test func `what is struck through is, however many texts are read at once`() {
        let text = Array(String(repeating: "a ~~struck~~ word and another one\n\n", count: 40).utf8)
        let whole = MarkdownParser.parse(text)
        let others = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<200 where MarkdownParser.parse(text) != whole { others.withLock { $0 += 1 } }
        }
        #expect(others.withLock { $0 } == 0)
        #expect(words("~~struck~~") == [.strikethrough([.text("struck")])])
    }

    @Test func `lists and tasks are read`() {
        #expect(
            blocks("3. three\n4. four\n") == [
                .list(
                    MarkdownList(
                        start: 3, isTight: true,
                        items: [.init([.paragraph([.text("three")])]), .init([.paragraph([.text("four")])])]))
            ])
        guard
            case .list(let tasks)? = blocks(
                "- [ ] **12:30** Too fast [x]\n- [x] done\n- [X] too\n- [y] none\n- plain"
            ).first
        else {
            Issue.record("there is no list")
            return
        }
        #expect(tasks.start == nil)
        #expect(tasks.items.map(\.isDone) == [false, true, true, nil, nil])
        #expect(
            tasks.items[0].blocks == [
                .paragraph([.text(""), .strong([.text("12:30")]), .text(" Too fast [x]")])
            ])
        #expect(tasks.items[1].blocks == [.paragraph([.text("done")])])
        #expect(tasks.items[3].blocks == [.paragraph([.text("[y] none")])])
    }

    @Test func `what stands in a line is read`() {
        #expect(
            words("*a* **b** `c` [d](e \"f\") ![g](h) i<b>j</b>  \nk") == [
                .emphasis([.text("a")]), .text(" "), .strong([.text("b")]), .text(" "), .code("c"),
                .text(" "),
                .link(target: "e", [.text("d")]), .text(" "), .image(target: "h", [.text("g")]), .text(" i"),
                .html("<b>"), .text("j"), .html("</b>"), .lineBreak, .text("k"),
            ])
        #expect(words("[x](javascript:alert(1))") == [.link(target: "javascript:alert(1)", [.text("x")])])
    }

    @Test func `tables and what is struck out are read`() {
        #expect(
            blocks("| a | b | c | |\n|---|:-:|--:|:--|\n| *1* | 2 \\| 3 |\n\nd") == [
                .table(
                    MarkdownTable(
                        sides: [nil, .middle, .right, .left],
                        header: [[.text("a")], [.text("b")], [.text("c")], []],
                        rows: [[[.emphasis([.text("1")])], [.text("2 | 3")], [], []]])),
                .paragraph([.text("d")]),
            ])
        #expect(
            blocks("a | b\n-|-\n") == [
                .table(MarkdownTable(sides: [nil, nil], header: [[.text("a")], [.text("b")]], rows: []))
            ])
        #expect(
            words("a ~~b *c*~~") == [
                .text("a "), .strikethrough([.text("b "), .emphasis([.text("c")])]),
            ])
    }

    @Test func `bytes that are not UTF-8, and NUL, are replaced`() {
        #expect(
            MarkdownParser.parse([0x61, 0xFF, 0x00, 0x62]).blocks == [
                .paragraph([.text("a\u{FFFD}\u{FFFD}b")])
            ])
    }

    // MARK: - What somebody could make up

    private func depth(_ blocks: [MarkdownBlock]) -> Int {
        1
            + (blocks.map { block in
                switch block {
                case .quote(let inner): depth(inner)
                case .list(let list): 1 + (list.items.map { depth($0.blocks) }.max() ?? 0)
                case .paragraph(let words), .heading(_, let words): depth(words)
                case .table(let table):
                    2 + ((table.rows + [table.header]).joined().map { depth($0) }.max() ?? 0)
                default: 0
                }
            }.max() ?? 0)
    }

    private func depth(_ words: [MarkdownInline]) -> Int {
        1
            + (words.map { word in
                switch word {
                case .emphasis(let inner), .strong(let inner), .strikethrough(let inner), .link(_, let inner),
                    .image(_, let inner):
                    depth(inner)
                default: 0
                }
            }.max() ?? 0)
    }

    @Test(arguments: [
        (">", 20_000, "a"), ("- ", 5000, "a"), ("1. > ", 2000, "a"), ("*a **b ", 3000, "c"),
        ("[", 100_000, ""), ("[a](", 20_000, ""), ("<!--", 20_000, ""), ("`", 100_000, "a"),
        ("&#x41;", 50_000, ""),
        ("![", 20_000, "]"), ("\u{0}", 1000, ""), ("#", 100_000, " a"), ("<a", 20_000, ">"),
        ("~~a ", 3000, "b"), ("|", 3000, "\n|-|"), ("> a|\n> -|\n", 1000, ""), ("| a |\n", 3000, "|-|"),
    ])
    func `however deep and odd a text is, its tree is small and its words are there`(
        unit: String, count: Int, end: String
    ) {
        let tree = MarkdownParser.parse(Array((String(repeating: unit, count: count) + end).utf8))
        #expect(depth(tree.blocks) <= MarkdownTree.depthLimit + 3)
        #expect(!tree.blocks.isEmpty)
    }

    @Test(arguments: [">", "- ", "**a "]) func `what stands deeper than a tree goes is not lost`(unit: String)
    {
        let closing = unit == "**a " ? String(repeating: "**", count: 200) : ""
        let tree = MarkdownParser.parse(Array((String(repeating: unit, count: 200) + "found\(closing)").utf8))
        #expect("\(tree)".contains("found"))
    }

    @Test func `a text that would take minutes is given up, and the next one too while that one goes on`()
        throws
    {
        let runs = MarkdownParser.SideRun()
        let goOn = DispatchSemaphore(value: 0)
        let text = MarkdownParser.parse(Array("a".utf8))
        #expect(
            runs.tree(within: .milliseconds(1)) {
                goOn.wait()
                return text
            } == nil)
        let isRun = Mutex(false)
        let next = runs.tree(within: waitLimit) {
            isRun.withLock { $0 = true }
            return text
        }
        #expect(next == nil && !isRun.withLock(\.self))
        goOn.signal()
        // It is over for others a moment after it has ended.
        try soon("another may begin") { runs.tree(within: waitLimit) { text } == text }
    }
}
