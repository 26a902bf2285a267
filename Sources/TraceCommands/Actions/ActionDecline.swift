internal import ArgumentParser
internal import RecordFormat
internal import TraceFiles
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace action decline`
struct ActionDecline: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decline", abstract: "Decline a request to run an action.",
        discussion: """
            ID is that of a request that 'trace action list --requested' shows. It ends as failed, with the reason; 'trace \
            undo' opens it again. What is running on this machine, or has ended, can't be declined.
            """)

    @Argument(
        help: ArgumentHelp("The session (optional), and the request.", valueName: "session> <id"))
    var names: [String]
    @Option(parsing: .unconditional, help: ArgumentHelp("Why.", valueName: "text"), transform: words)
    var reason: String
    @Option(
        help: ArgumentHelp("Who declines it; by default, the user's login name.", valueName: "name"),
        transform: words)
    var by: String?
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if names.count > 2 { throw ValidationError("expected a session and an id, and nothing else") }
        if reason.allSatisfy(\.isWhitespace) { throw ValidationError("--reason is empty") }
        if by?.allSatisfy(\.isWhitespace) ?? false { throw ValidationError("--by is empty") }
    }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            ActionCommand.failInterrupted(context)
            let target = try context.target(names.count == 2 ? names[0] : nil)
            let text = names[names.count - 1]
            guard let id = ULID(text.uppercased()) else {
                throw CommandFailure(
                    .usage, "'\(text)' is not the id of a request",
                    cure: "list the ids with \(verb: "action list --requested")")
            }
            let declined = try context.libraryWriter.decline(
                id, in: target, by: by ?? UserAccount.name, because: reason)
            for notice in declined.notices { context.notice("warning: \(notice)") }
            let answer = DeclinedRequestAnswer(declined, in: target)
            Output.done("declined: \(id)", global.json ? answer.json(.commandLine) : nil)
        }
    }
}
