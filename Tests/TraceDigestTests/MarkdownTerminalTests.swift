import FormatHarness
import RecordFormat
import TestSupport
import Testing
import TraceFormat
import TraceStore
import TraceText

@testable import TraceDigest

@Suite struct `Words of a person's on a terminal` {
    private static let text = """
        # Friday

        Went **well**, but for `Bar 9` at 12:30: see [the chart](https://example.org/chart)
        and <https://example.org>. ~~Too slow~~ just *right*.

        > Keep eighty
        > for the record.

        1. First take
           - too fast, and so it goes on for much longer than a line of a terminal of sixty columns
           - again
        2. Second

        - [x] strings
        - [ ] pedal

        | take | tempo |
        |------|------:|
        | 1    | 82    |

        ```text
        ▁▂▃
        ```

        ---
        <!-- trace:begin digest v1 zone=UTC -->
        ## Late set
        - **0:15** Drone \\*
        <!-- trace:end digest sum=0123456789abcdef -->
        """

    @Test(arguments: [60, 100])
    func `are read without the signs of Markdown`(columns: Int) throws {
        let tree = MarkdownParser.parse(Array(Self.text.utf8))
        let shown = MarkdownTerminal.text(tree, columns: columns, styled: false).text
        try expectGolden(shown, "words-\(columns).txt")
        for sign in ["<!--", "```", "**", "# ", "~~", "[x]", "|--"] {
            #expect(!shown.contains(sign), "\(sign)")
        }
        for line in shown.split(separator: "\n") { #expect(line.count <= columns, "\(line)") }
        #expect(
            MarkdownTerminal.text(tree, columns: columns, styled: true).text.replacing(
                #/\u{1B}\[\d+m/#, with: "") == shown)
    }

    @Test func `can't control the terminal`() {
        let tree = MarkdownParser.parse(
            Array("a \u{1B}[31m`\u{1B}c`\n\n    \u{1B}]0;x\u{7}\n\n|\u{9B}|\n|-|\n".utf8))
        let shown = MarkdownTerminal.text(tree, columns: 60, styled: false).text
        #expect(!shown.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x9B })
    }

    private func written(_ text: String) throws -> HandwrittenDigest {
        try #require(HandwrittenDigest(Array(text.utf8)))
    }

    /// A session that was written so long after its digest.
    private static func digest(later milliseconds: Int64) throws -> Digest {
        var session = RecordSample.session(length: 60_000)
        let moment = try #require(Timestamp("2026-02-04T20:00:00.000Z"))
        session.digestUpdatedAt = moment
        session.updatedAt = Timestamp(milliseconds: moment.milliseconds + milliseconds)
        return Digest(session: session, markers: [RecordSample.marker(1, at: 15_000, "Drone in D")])
    }

    @Test func `are older than a session that has been written since`() throws {
        let generated = try SessionWriter.generated(
            ManagedBlock.Rendering(Self.digest(later: 0).markdown(), zone: ZoneRules.utc.name))
        let same = try written("Good.\n" + String(decoding: generated, as: UTF8.self))
        let other = try written("Good.\n")
        // Both moments are of one write.
        #expect(try !other.isOlder(than: Self.digest(later: 5)) { _ in .utc })
        #expect(try other.isOlder(than: Self.digest(later: 60_000)) { _ in .utc })
        // What it says is what would be said now.
        #expect(try !same.isOlder(than: Self.digest(later: 60_000)) { _ in .utc })
    }
}
