import Testing
import TraceText

/// What is to be done about a problem, as people at a command line read it, and as clients get it.
struct CureTests {
    static let cures: [(cure: Cure, text: String?, overHTTP: String?)] = [
        ("write an offset", "write an offset", "write an offset"),
        (
            "write 00:00:12.500 --> 00:01:00.250; or 'trace x'",
            "write 00:00:12.500 --> 00:01:00.250; or 'trace x'",
            "write 00:00:12.500 --> 00:01:00.250; or 'trace x'"
        ),
        ("\(verb: "queue list --all") shows all entries", "'trace queue list --all' shows all entries", nil),
        ("\(option: "force") removes it", "--force removes it", nil),
        ("raise \(setting: "speech_timeout")", "raise speech_timeout", "raise speech_timeout"),
        ("\(route: "GET /api/v1/queue") lists them", nil, "GET /api/v1/queue lists them"),
        (
            ["write all 26 characters", "\(verb: "queue list") shows them"],
            "write all 26 characters; 'trace queue list' shows them", "write all 26 characters"
        ),
        (
            ["\(verb: "token list") lists them", "\(route: "GET /api/v1/tokens") lists them"],
            "'trace token list' lists them", "GET /api/v1/tokens lists them"
        ),
        (
            [.overHTTP("run \(verb: "index rebuild") on the server"), .atMachine("look")], "look",
            "run 'trace index rebuild' on the server"
        ),
        ([.atMachine("see \(route: "GET /x")")], "see GET /x", nil),
        (["look", "\(verb: "undo")"] + ", or leave it", "look; 'trace undo', or leave it", "look"),
        ("", "", ""),
        ([], nil, nil),
    ]

    @Test(arguments: cures.indices)
    func `each surface tells the ways that its users have`(index: Int) {
        let (cure, text, overHTTP) = Self.cures[index]
        #expect(cure.text == text)
        #expect(cure.text(overHTTPWith: []) == overHTTP)
    }

    @Test func `options that are parameters of the request are named as such`() {
        let cure: Cure = "choose some with \(option: "tag"), or use \(option: "format") otio"
        #expect(cure.text(overHTTPWith: ["tag", "format"]) == "choose some with 'tag', or use 'format' otio")
        #expect(cure.text(overHTTPWith: ["tag"]) == nil)
    }

    @Test func `cures are equal that tell the same, however they were written`() {
        let word = "look"
        #expect(Cure("look") == "look" && Cure("look") == "\(word)" && Cure("look") == ["look"])
        #expect(Cure("look") != [.overHTTP("look")] && Cure("--x") != "\(option: "x")")
    }

    @Test func `what was sent is text, whatever it looks like`() {
        let sent = "--force 'trace undo' GET /x"
        let cure: Cure = "write something else than \(sent)"
        #expect(cure.text == "write something else than \(sent)")
        #expect(cure.text(overHTTPWith: []) == cure.text)
    }

    @Test func `a message begins with its option or parameter`() {
        let report = ErrorReport(
            code: "x", place: "a:1", argument: "fps", message: "'--x' is not a frame rate")
        #expect(report.headline == "a:1: --fps '--x' is not a frame rate [x]")
        #expect(report.messageOverHTTP == "'fps' '--x' is not a frame rate")
    }
}
