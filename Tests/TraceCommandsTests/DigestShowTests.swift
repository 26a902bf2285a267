import Testing

struct DigestShowTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.copySample()
    }

    @Test func `what a person wrote is shown as it is`() throws {
        let written = try scratch.text("sessions/2026-02-04-late-set/digest.md")
        #expect(try scratch.trace("digest", "show", "Late set, Café Übersee") == Outcome(written))
    }

    @Test func `what the session is by itself is Markdown when nobody watches`() throws {
        let rendered = try scratch.trace("digest", "show", "--rendered", "sessions/2026-02-04-late-set")
        #expect(rendered.output.hasPrefix("# Late set, Café Übersee\n"))
        #expect(!rendered.output.contains("\u{1B}"))
        #expect(rendered.errors == "")
        #expect(rendered.status == 0)
        #expect(try scratch.trace("digest", "show", "--rendered", "sessions/2026-02-04-late-set") == rendered)
    }

    @Test func `an empty digest is none`() throws {
        try scratch.write("", to: "sessions/2026-02-04-late-set/digest.md")
        let rendered = try scratch.trace("digest", "show", "--rendered", "sessions/2026-02-04-late-set")
        #expect(try scratch.trace("digest", "show", "sessions/2026-02-04-late-set") == rendered)
    }

    @Test func `as JSON it is what the session is, whatever a person wrote`() throws {
        let outcome = try scratch.trace("digest", "show", "--json", "sessions/2026-02-04-late-set")
        #expect(
            outcome.output.hasPrefix(
                "{\"session_id\":\"01KGN6HCMGFP2XYCHA2GHD03GQ\",\"title\":\"Late set, Café Übersee\","))
        #expect(outcome.output.hasSuffix("}\n"))
        #expect(outcome.errors == "")
    }

    @Test func `a broken session has a digest too`() throws {
        let outcome = try scratch.trace("digest", "show", "sessions/2026-01-28-rehearsal-broken")
        #expect(outcome.output.contains("15 errors"))
        #expect(outcome.status == 0)
    }
}
