import RecordFormat
import Testing
import TraceText

@testable import TraceFormat

struct ManagedBlockTests {
    /// A sum that tells texts apart.
    private static func sum(_ bytes: [UInt8]) -> String {
        let hash = bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private func updated(
        _ old: String?, _ markdown: String, zone: String = "UTC", adopts: Bool = false, forces: Bool = false
    ) throws -> String {
        let bytes = try ManagedBlock.updated(
            old.map { Array($0.utf8) }, adopts: adopts, forces: forces, checksum: Self.sum
        ) { ManagedBlock.Rendering(markdown, zone: $0 ?? zone) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func code(_ body: () throws -> Void) -> BlockError.Code? {
        do {
            try body()
            return nil
        } catch { return (error as? BlockError)?.code }
    }

    private func block(_ text: String, zone: String? = "UTC") -> String {
        let zone = zone.map { " zone=\($0)" } ?? ""
        let sum = Self.sum(Array(text.utf8))
        return "<!-- trace:begin digest v1\(zone) -->\n\(text)<!-- trace:end digest sum=\(sum) -->"
    }

    @Test(arguments: [nil, ""]) func `where there is no text the digest is all`(old: String?) throws {
        #expect(try updated(old, "# One\n") == block("# One\n") + "\n")
    }

    @Test func `only what stands between the comments is replaced`() throws {
        let around = { (block: String) in "\u{FEFF}Mine\r\nabove \n\(block)  \n\nbelow, without an end" }
        #expect(try updated(around(block("# One\n")), "# Two\n\n- a\n") == around(block("# Two\n\n- a\n")))
        #expect(try updated(around(block("# One\n")), "# One\n") == around(block("# One\n")))
    }

    @Test func `the zone that was noted stays, and one that was not is`() throws {
        let noted = block("# One\n", zone: "Asia/Kathmandu")
        #expect(try ManagedBlock.find(in: Array(noted.utf8))?.zone == "Asia/Kathmandu")
        #expect(try updated(noted, "# Two\n", zone: "UTC") == block("# Two\n", zone: "Asia/Kathmandu"))
        let earlier = block("# One\n", zone: nil)
        #expect(try ManagedBlock.find(in: Array(earlier.utf8))?.zone == nil)
        #expect(try updated(earlier, "# One\n", zone: "UTC") == block("# One\n", zone: "UTC"))
        // Somebody moves to another zone: the comment is theirs to change, and that is no edit of the text.
        let moved = noted.replacing("Asia/Kathmandu", with: "Europe/Berlin")
        #expect(try updated(moved, "# Two\n") == block("# Two\n", zone: "Europe/Berlin"))
    }

    @Test func `a file whose line breaks were changed as a whole has not been edited, and keeps them`() throws
    {
        let file = "Mine\n\n\(block("# One\n\n- a\n"))\n".replacing("\n", with: "\r\n")
        #expect(
            try updated(file, "# Two\n")
                == "Mine\n\n\(block("# Two\n"))\n".replacing("\n", with: "\r\n"))
        #expect(try updated(file, "# One\n\n- a\n") == file)
    }

    @Test func `an edit between the comments stops it, unless it is forced`() throws {
        let edited = block("# One\n").replacing("One", with: "Mine")
        #expect(code { _ = try updated(edited, "# Two\n") } == .blockEdited)
        #expect(try updated(edited, "# Two\n", forces: true) == block("# Two\n"))
        let unsigned = "<!-- trace:begin digest v1 -->\n# One\n<!-- trace:end digest -->"
        #expect(code { _ = try updated(unsigned, "# Two\n") } == .blockEdited)
    }

    @Test(arguments: [
        ("Mine", "Mine\n\n", "\n"), ("Mine\n", "Mine\n\n", "\n"), ("Mine\r\n", "Mine\r\n\r\n", "\r\n"),
    ])
    func `a person's text is left alone, or gets the digest below it`(old: String, above: String, end: String)
        throws
    {
        #expect(code { _ = try updated(old, "# Two\n") } == .blockMissing)
        #expect(
            code { _ = try updated(old, "# Two\n", forces: true) } == .blockMissing)
        #expect(
            try updated(old, "# Two\n", adopts: true) == above
                + (block("# Two\n") + "\n").replacing("\n", with: end))
    }

    @Test(arguments: [
        "<!-- trace:begin digest v1 -->\n# One\n",
        "# One\n<!-- trace:end digest sum=0 -->\n",
        "<!-- trace:end digest sum=0 -->\n# One\n<!-- trace:begin digest v1 -->\n",
        "<!-- trace:begin digest v1 -->\n<!-- trace:begin digest v1 -->\n<!-- trace:end digest sum=0 -->\n",
        "<!-- trace:begin digest v1 -->\n<!-- trace:end digest sum=0 -->\n<!-- trace:end digest sum=0 -->\n",
        "<!-- trace:begin digest v2 -->\n<!-- trace:end digest sum=0 -->\n",
        "<!-- trace:begin digest v1 zone=UTC more -->\n<!-- trace:end digest sum=0 -->\n",
        "<!-- trace:begin digest v1 place=UTC -->\n<!-- trace:end digest sum=0 -->\n",
        "<!-- trace:begin digest zone=UTC -->\n<!-- trace:end digest sum=0 -->\n",
    ])
    func `comments that are not one pair stop it`(file: String) throws {
        for forces in [false, true] {
            #expect(
                code {
                    _ = try updated(file, "# Two\n", adopts: true, forces: forces)
                }
                    == .blockUnbalanced)
        }
    }

    @Test(arguments: ["<!-- trace:end digest sum=0 -->", "# A\n<!-- trace:begin digest v1 -->\n"])
    func `a text that holds one of the comments is not written`(text: String) {
        for old in [nil, "Mine\n", block("# One\n")] {
            #expect(
                code { _ = try updated(old, text, adopts: true, forces: true) }
                    == .blockUnbalanced)
        }
    }

    @Test func `whatever line breaks a text has, it does not look edited later`() throws {
        let written = try updated(nil, "# One\r\n\r\n- a")
        #expect(written == block("# One\n\n- a\n") + "\n")
        #expect(try updated(written, "# One\n\n- a\n") == written)
    }

    @Test(arguments: [
        ("B", true), ("\nB \r\n\n", true), ("Mine\nB", false), ("B\nmine", false), ("Mine\n", false),
        ("", false),
    ])
    func `a block and nothing else is nobody's words`(form: String, isUntouched: Bool) {
        let file = form.replacing("B", with: block("# One\n"))
        #expect(ManagedBlock.isUntouched(Array(file.utf8), checksum: Self.sum) == isUntouched)
        let edited = file.replacing("# One", with: "# Mine")
        #expect(!ManagedBlock.isUntouched(Array(edited.utf8), checksum: Self.sum))
    }

    @Test
    func `cut at any byte it is stopped or taken for a person's text, and never loses a byte of theirs`()
        throws
    {
        let file = Array("above\n\(block("# One\n"))\nbelow\n".utf8)
        for end in 0..<file.count {
            let cut = Array(file[..<end])
            let result = try? ManagedBlock.updated(
                cut, adopts: true, forces: false, checksum: Self.sum
            ) { _ in ManagedBlock.Rendering("# Two\n", zone: "UTC") }
            guard let result else { continue }
            #expect(
                end == 0 || result.starts(with: cut) || result.starts(with: Array("above\n".utf8)), "\(end)")
        }
    }
}
