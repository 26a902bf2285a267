import ProgramHarness
import Testing

struct DigestGenerateTests {
    let scratch: Scratch
    private let session = "sessions/set"

    init() throws {
        scratch = try Scratch()
        try scratch.closedSession(
            "set", markers: marker(10, at: 61_000, "\"label\":\"Drop\",", tags: ["highlight"]))
    }

    private func digest() throws -> String { try scratch.text("\(session)/digest.md") }

    @Test func `what the session is stands between two comments, and stays the same while the session does`()
        throws
    {
        let rendered = try scratch.trace("digest", "show", "--rendered", session).output
        #expect(try scratch.trace("digest", "generate", session) == Outcome("digest: updated\n"))
        let first = try digest()
        #expect(
            first.hasPrefix("<!-- trace:begin digest v1 zone=UTC -->\n\(rendered)<!-- trace:end digest sum="))
        #expect(first.hasSuffix(" -->\n"))
        #expect(try scratch.trace("validate", session) == Outcome("ok: \(session)\n"))
        let before = try scratch.tree(session)
        #expect(
            try scratch.trace("digest", "generate", session, "--json")
                == Outcome(
                    #"{"session_path":"<scratch>/sessions/set","session_id":"\#(number(1))","changed":false}"#
                        + "\n"))
        #expect(
            try scratch.trace("digest", "generate", session)
                == Outcome("digest: unchanged\n"))
        #expect(try scratch.tree(session) == before)
        // One write stands in the journal, and no more.
        #expect(try scratch.trace("undo").status == 0)
        #expect(try scratch.trace("undo").status == 1)
    }

    @Test func `a person's words around it stay when the session changes`() throws {
        #expect(try scratch.trace("digest", "generate", session).status == 0)
        try scratch.write("Mine, above.\r\n\n\(try digest())\nBelow.", to: "\(session)/digest.md")
        #expect(
            try scratch.trace("mark", session, "--offset", "70s", "--label", "Solo", "--tag", "highlight")
                .status == 0)
        #expect(try scratch.trace("digest", "generate", session).status == 0)
        let text = try digest()
        #expect(text.hasPrefix("Mine, above.\r\n\n<!-- trace:begin"))
        #expect(text.hasSuffix(" -->\n\nBelow."))
        #expect(text.contains("Solo"))
    }

    @Test func `words between the comments stop it and are shown, and --force keeps them for undo`() throws {
        #expect(try scratch.trace("digest", "generate", session).status == 0)
        let edited = try digest().replacing("Drop", with: "The drop")
        try scratch.write(edited, to: "\(session)/digest.md")
        let stopped = try scratch.trace("digest", "generate", session)
        #expect(stopped.status == 65)
        #expect(
            stopped.errors.contains("\n-- **1:01** The drop (Highlight)\n+- **1:01** Drop (Highlight)\n"),
            "\(stopped)")
        #expect(
            stopped.errors.hasSuffix(
                """
                error: digest.md has been edited between the two comments of the digest
                  hint: move your text above or below the block; --force overwrites them and keeps a copy

                """))
        #expect(try digest() == edited)
        #expect(try scratch.trace("digest", "generate", session, "--force").status == 0)
        #expect(try !digest().contains("The drop"))
        #expect(try scratch.trace("undo").status == 0)
        #expect(try digest() == edited)
    }

    @Test func `a text without the comments is left alone until it is adopted`() throws {
        try scratch.write("# Mine\n", to: "\(session)/digest.md")
        #expect(
            try scratch.trace("digest", "generate", session)
                == .failure(
                    65,
                    """
                    digest.md was written by hand
                      hint: --adopt adds the digest below it; 'trace digest show --rendered' only shows it
                    """))
        #expect(try scratch.trace("digest", "generate", session, "--adopt").status == 0)
        #expect(try digest().hasPrefix("# Mine\n\n<!-- trace:begin digest v1 zone=UTC -->\n"))
    }
}
