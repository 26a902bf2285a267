internal import ArgumentParser
internal import RecordFormat
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// `trace session edit`
struct SessionEdit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Give a session another title.",
        discussion: "'trace undo' brings the old one back. The directory keeps its name.")

    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @Option(parsing: .unconditional, help: "What the session is called; '' for nothing.", transform: words)
    var title: String?
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if title == nil { throw ValidationError("say with --title what the session is called") }
    }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let target = try context.target(session)
            let title = title ?? ""
            let isChanged = try context.writer(target).retitle(title)
            if !isChanged { context.notice("nothing to change") }
            Output.done(
                "session: \(context.name(of: target.path, typed: session)) (title '\(title.oneLine)')",
                asJSON: global.json
            ) { object in
                object.session(target)
                object.member("changed", JSONText(isChanged))
                object.member("title", JSONText(title))
            }
        }
    }
}
