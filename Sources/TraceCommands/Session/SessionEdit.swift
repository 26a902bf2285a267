internal import ArgumentParser
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace session edit`
struct SessionEdit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change the title of a session.",
        discussion: "'trace undo' restores the old one. The directory keeps its name.")

    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @Option(parsing: .unconditional, help: "The title; '' for none.", transform: words)
    var title: String?
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if title == nil { throw ValidationError("give the title with --title") }
    }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let target = try context.target(session)
            let title = title ?? ""
            let edited = try context.libraryWriter.retitle(target, title)
            if !edited.isChanged { context.notice("nothing to change") }
            Output.done(
                "session: \(context.name(of: target.path, typed: session)) (title '\(title.oneLine)')",
                global.json ? edited.json(.commandLine) : nil)
        }
    }
}
