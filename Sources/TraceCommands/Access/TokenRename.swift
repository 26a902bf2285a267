internal import ArgumentParser
internal import RecordFormat
internal import TraceAccess
internal import TraceText

/// `trace token rename TOKEN NAME`
struct TokenRename: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Give a token another name.")

    @Argument(
        help: "The token: its id, four or more characters of its beginning or end, or its name.",
        completion: .tokens, transform: words)
    var token: String
    @Argument(help: "The new name.", transform: words)
    var name: String
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let named = try context.tokens.find(token)
            try context.tokens.requireUnused(
                name, except: named.id,
                cure: "give another name, or revoke that one with \(verb: "token revoke")")
            let renamed = try context.tokens.rename(named.id, to: name)
            context.note(.tokenRenamed, renamed.id, renamed.name)
            Output.done("renamed: \(renamed.name) (\(renamed.id))", asJSON: global.json) { object in
                object.member("id", JSONText(renamed.id))
                object.member("name", renamed.name)
            }
        }
    }
}
