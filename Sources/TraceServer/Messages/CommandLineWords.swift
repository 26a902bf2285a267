internal import TraceText

/// Turns what an error says to somebody at a command line into what a client can use: it has no options, and no commands.
enum CommandLineWords {
    /// The message; one that begins with an option names the parameter instead. Further on, it may be what was sent.
    static func message(_ report: ErrorReport) -> String {
        guard report.message.hasPrefix("--") else { return report.message }
        return report.message.replacing(option, maxReplacements: 1) { "\($0.1)'\($0.2)'" }
    }

    /// What to do about an error: its own hint, without what is about options and commands.
    ///
    /// - Parameter parameters: Options that are parameters of the request, under the same names.
    /// - Returns: Nil if there is nothing to say.
    static func hint(_ report: ErrorReport, parameters: Set<String> = []) -> String? {
        guard let hint = report.hint else { return nil }
        let clauses = hint.split(separator: "; ").map(String.init)
        let usable = clauses.filter { clause in
            !clause.contains("'trace ") && !clause.contains(": trace ")
                && clause.matches(of: option).allSatisfy { parameters.contains(String($0.2)) }
        }
        let text = usable.joined(separator: "; ").replacing(option) { "\($0.1)'\($0.2)'" }
        guard usable.count < clauses.count else { return text }
        guard let other = report.code.flatMap({ hints[$0] }) else { return text.isEmpty ? nil : text }
        // What is suggested for what was sent is good for anybody.
        return hint.hasPrefix("did you mean") ? hint.prefix { $0 != "?" } + "? \(other)" : other
    }

    /// An option, behind the beginning of the text, white space or a quote. Not `-->`, as a WebVTT file has it.
    private static var option: Regex<(Substring, Substring, Substring)> { /(^|[\s'(])--([a-z][a-z-]*)/ }

    /// The options of exports and imports that are parameters of their requests.
    static let exchangeParameters: Set<String> = ["format", "tag", "media", "lead", "fps"]

    /// By the code of an error that an endpoint can raise, and whose hint names commands or options.
    private static let hints = [
        "already-exists": "GET /api/v1/queue/{id} shows the entry that is there",
        "already-paused": "POST /api/v1/sessions/{s}/resume ends the pause",
        "already-running": "wait until it ends",
        "block-edited":
            #"move your text above or below the block, or send {"force":true} with scope 'admin'"#,
        "block-missing": #"send {"adopt":true} with scope 'admin' to add the digest below the text"#,
        "entry-name-malformed": "send the 26 characters of its id; GET /api/v1/queue lists the entries",
        "has-ended": "only a request that nobody has run can be declined",
        "index-corrupt": "run 'trace index rebuild' on the server",
        "index-other-schema": "run 'trace index rebuild' on the server",
        "is-referenced": "add ?force=true; the voice notes then refer to no marker",
        "no-session-id": "GET /api/v1/sessions/{s}/findings shows what is wrong with session.json",
        "no-such-entry": "GET /api/v1/queue?all=true lists all entries",
        "no-such-record": "list the records of the session to see their ids",
        "no-such-rule": "GET /api/v1/rules lists all rules",
        "no-such-token": "GET /api/v1/tokens lists the tokens",
        "not-paused": "POST /api/v1/sessions/{s}/pause begins a pause",
        "other-session": "another program replaced the directory; GET /api/v1/sessions lists the sessions",
    ]
}
