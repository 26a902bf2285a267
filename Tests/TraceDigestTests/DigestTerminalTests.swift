import TestSupport
import Testing

@testable import TraceDigest
@testable import TraceText

@Suite struct `Digest on a terminal` {
    @Test(arguments: [40, 80])
    func `a full session`(_ columns: Int) throws {
        try expectGolden(
            DigestSample.full().terminal(columns: columns, styled: false).text, "terminal-\(columns).txt")
    }

    @Test func `a styled session`() throws {
        let text = try DigestSample.full().terminal(columns: 80, styled: true).text
        try expectGolden(text.replacing("\u{1B}", with: "␛"), "terminal-styled.txt")
        #expect(text.contains("\u{1B}[1mNotable moments\u{1B}[0m"))
    }

    @Test func `an impossible width counts as twenty columns`() throws {
        let digest = try DigestSample.full()
        let narrow = digest.terminal(columns: 20, styled: false).text
        for columns in [Int.min, -1, 0, 19] {
            #expect(digest.terminal(columns: columns, styled: false).text == narrow)
        }
        #expect(digest.terminal(columns: .max, styled: true).text.contains("Late set"))
    }

    @Test(arguments: [
        ("a", 1), ("é", 1), ("漢", 2), ("한", 2), ("👩‍👩‍👧‍👦", 2), ("🇩🇪", 2), ("❤️", 2), ("♪", 1), ("…", 1), ("▇", 1),
        ("e\u{301}", 1),
    ])
    func `characters are as wide as terminals show them`(_ character: Character, _ width: Int) {
        #expect(character.terminalWidth == width)
    }

    @Test func `wrapping breaks at spaces, and words only where they must`() {
        let lines = TerminalWrapping(width: 6).lines(of: [
            .init("ab cd ef", .plain), .init("ghijklmn", .bold),
        ])
        #expect(lines.map { $0.map(\.text).joined() } == ["ab cd", "efghij", "klmn"])
        #expect(lines[1].map(\.style) == [.plain, .bold])
    }
}
