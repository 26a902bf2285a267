import Foundation
import Testing

/// What a page may show for what is printed.
struct ShownOutputTests {
    /// An id that is made now, ending as given.
    private static func id(_ end: String) -> String {
        let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        let milliseconds = UInt64(Date().timeIntervalSince1970 * 1000)
        let time = String((0..<10).map { digits[Int(milliseconds >> (45 - 5 * $0)) & 31] })
        return time + String(repeating: "0", count: 16 - end.count) + end
    }

    private static let today = String(Date().ISO8601Format().prefix(10))

    @Test(arguments: [
        ("a … z", "a b c z", true), ("a … z", "a b c", false), ("…", "", true),
        ("at 2026-11-21 20:45:47 CET", "at \(today) 01:02:03 CET", true),
        ("at 2026-11-21 20:45 CET", "at \(today) 01:02:03 CET", false),
        ("at 2026-11-21 20:45 CET", "at 2026-02-04 20:45 CET", false),
        ("at 1:00:01.003 (3601003 ms)", "at 59:58.1 (7 ms)", false),
        ("at 1:00:01.003 (3601003 ms)", "at 1:02:11.5 (3731500 ms)", true),
        ("/music/2026-11-21-monday", "/music/\(today)-monday", true),
        ("marker: 01M7ZT9DFVND1BJ7BDY976NDS9", "marker: \(id("A1"))", true),
        ("marker: 01M7ZT9DFVND1BJ7BDY976NDS9", "marker: 01KGN6HCMGFP2XYCHA2GHD03GQ", false),
        ("(a|b)*", "aa", false), ("(a|b)*", "(a|b)*", true),
    ])
    func `a line stands for what differs from it by nature alone`(
        shown: String, printed: String, isSame: Bool
    ) {
        var output = ShownOutput()
        output.vary("1:00:01.003 3601003")
        #expect((output.compare([shown], with: [printed]) == [.same(shown)]) == isSame)
    }

    @Test func `an id stands for one other wherever it is, and so do its ends`() {
        var output = ShownOutput()
        let first = "01M7ZT9DFVND1BJ7BDY976NDS9"
        let made = Self.id("A1B2")
        #expect(output.compare([first], with: [made]) == [.same(first)])
        #expect(output.compare(["to 76NDS9"], with: ["to 00A1B2"]) == [.same("to 76NDS9")])
        #expect(output.compare(["to \(first)"], with: ["to \(Self.id("C3"))"]).count == 2)
        #expect(
            output.compare(["a"], with: ["a", "now \(made)"]) == [
                .same("a"), .new("now \(first)"),
            ])
    }

    @Test func `what still matches stays as it is shown, and the rest is reported line by line`() {
        var output = ShownOutput()
        let compared = output.compare(
            ["head", "…", "12 of …", "gone", "tail"], with: ["head", "x", "y", "12 of 13", "new", "tail"])
        #expect(
            compared == [
                .same("head"), .same("…"), .same("12 of …"), .missing("gone"), .new("new"), .same("tail"),
            ])
    }

    @Test func `blocks are read with their remarks, commands with what they print`() throws {
        let page = CommandPage(
            name: "page.md",
            text: """
                <!-- prepare: sample -->
                <!-- terminal: 100x30 -->
                ```console
                $ trace a \\
                    b
                one

                $ trace c
                ```
                - in a list
                  <!-- not run: systemd -->
                  ```sh
                  sudo systemctl start traced
                  ```
                ````sh
                ```
                ````
                ```json
                {}
                ```
                """)
        #expect(page.blocks.map(\.language) == ["console", "sh", "sh", "json"])
        #expect(page.blocks.map { page.isOfCommands($0) } == [true, true, true, false])
        #expect(page.blocks[1].value("not run") == "systemd")
        #expect(page.steps.map(\.text) == ["sample", "trace a \\\n    b", "trace c", "```"])
        guard case .command(let example, .size("100x30")) = page.steps[1].kind else {
            Issue.record("not a command on a terminal")
            return
        }
        #expect(page.lines[example.output] == ["one", ""])
    }
}
