internal import TraceAccess
internal import ArgumentParser
internal import RecordFormat

/// `trace token revoke TOKEN`
struct TokenRevoke: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke a token, so that it no longer gives access.",
        discussion: "What is under way with it, such as a stream, ends within a second.")

    @Argument(
        help: "The token: its id, four or more characters of its beginning or end, or its name.",
        completion: .tokens, transform: words)
    var token: String
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let named = try context.tokens.find(token)
            try context.tokens.revoke(named.id)
            context.note(.tokenRevoked, named.id, named.name)
            let name = named.name.map { "\($0) (\(named.id))" } ?? named.id.description
            Output.done("revoked: \(name)", asJSON: global.json) { object in
                object.member("id", JSONText(named.id))
                object.member("name", named.name.map { JSONText($0) })
            }
        }
    }
}
