import Testing

struct ExplainTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test(arguments: ["number-negative", "[number-negative]"])
    func `a rule is explained, as it is typed or copied from a finding`(rule: String) throws {
        #expect(
            try scratch.trace("explain", rule)
                == Outcome(
                    """
                    number-negative (error)
                      Offsets and durations are not negative.
                      hint: write 0 or a larger number
                      example: markers.jsonl:2:48 (byte 156): offset_ms is -1, but must not be negative
                      before, in markers.jsonl:
                        {"id":"01KGNQZP00000000000000000D","offset_ms":-1500,"created_at":"2026-02-04T20:00:01.500Z","source":"user"}
                      after:
                        {"id":"01KGNQZP00000000000000000D","offset_ms":1500,"created_at":"2026-02-04T20:00:01.500Z","source":"user"}

                    """))
    }

    @Test func `a rule that no line breaks is explained without one`() throws {
        let outcome = try scratch.trace("explain", "file-missing")
        #expect(!outcome.output.contains("before"))
        #expect(try !scratch.trace("explain", "file-missing", "--json").output.contains("before"))
        #expect(
            try scratch.trace("explain", "path-null", "--json").output.hasSuffix(
                #""file":"session.json","before":["\"digest_path\":null"],"after":["\"digest_path\":\"digest.md\""]}"#
                    + "\n"))
    }

    @Test func `without a rule all are listed`() throws {
        let outcome = try scratch.trace("explain")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.contains("timestamp-impossible\twarning\tA time exists in the calendar."))
        #expect(lines.count > 40)
        #expect(outcome.status == 0)
    }

    @Test(arguments: [
        ("number-negativ", "did you mean 'number-negative'? 'trace explain' lists all rules"),
        ("Line Torn", "did you mean 'line-torn'? 'trace explain' lists all rules"),
        ("zzzzzzzzzzzzzz", "'trace explain' lists all rules"), ("", "'trace explain' lists all rules"),
    ])
    func `an unknown rule is an error that names the nearest`(rule: String, hint: String) throws {
        #expect(
            try scratch.trace("explain", rule) == .failure(64, "there is no rule '\(rule)'\n  hint: \(hint)"))
    }

    @Test func `a word finds the rules that have it`() throws {
        let outcome = try scratch.trace("explain", "duplicate")
        for rule in ["'id-duplicate'", "'key-duplicate'", "'session-start-duplicate'"] {
            #expect(outcome.errors.contains(rule), "\(outcome)")
        }
        #expect(outcome.status == 64)
    }
}
