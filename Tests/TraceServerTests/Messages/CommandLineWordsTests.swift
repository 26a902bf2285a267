import Testing
import TraceText

@testable import TraceServer

/// What errors say to people at a command line, as clients get it.
struct CommandLineWordsTests {
    private func hint(_ hint: String, _ code: String = "none", _ parameters: Set<String> = []) -> String? {
        CommandLineWords.hint(ErrorReport(code: code, message: "x", hint: hint), parameters: parameters)
    }

    @Test func `a hint that names neither commands nor options stays as it is`() {
        for text in [
            "write an offset", "write 00:00:12.500 --> 00:01:00.250", "leave one '<!-- trace -->'; or two",
            "use a-b--c",
        ] {
            #expect(hint(text, "no-such-entry") == text)
        }
    }

    @Test func `of one that names them, what anybody can use is left`() {
        #expect(hint("write all 26 characters; 'trace queue list' shows them") == "write all 26 characters")
        #expect(
            hint("check that this is the right session; --force adds it anyway", "none", ["fps"])
                == "check that this is the right session")
        #expect(hint("'trace queue list --all' shows all entries") == nil)
        #expect(hint("make another one: trace pair") == nil)
        #expect(hint("--force removes it") == nil)
    }

    @Test func `what a client can do instead is told by the code`() {
        #expect(
            hint("'trace queue list --all' shows all entries", "no-such-entry")
                == "GET /api/v1/queue?all=true lists all entries")
        #expect(
            hint("did you mean 'a', 'b'? 'trace explain' lists all rules", "no-such-rule")
                == "did you mean 'a', 'b'? GET /api/v1/rules lists all rules")
    }

    @Test func `options that are parameters of the request are named as such`() {
        #expect(
            hint("choose some with --tag, or use --format otio", "none", ["tag", "format"])
                == "choose some with 'tag', or use 'format' otio")
        let report = ErrorReport(code: "x", message: "--fps '--x' is not a frame rate")
        #expect(CommandLineWords.message(report) == "'fps' '--x' is not a frame rate")
        let sent = ErrorReport(code: "x", message: "'--x' is not a time")
        #expect(CommandLineWords.message(sent) == "'--x' is not a time")
    }
}
