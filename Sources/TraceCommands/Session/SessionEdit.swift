internal import ArgumentParser
internal import RecordFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace session edit`
struct SessionEdit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change the title of a session, or correct its start.",
        discussion: """
            'trace undo' restores the old one. The directory keeps its name.

            --start is for a session that was started with a wrong clock, or late: all offsets stay, and the end, the pauses and \
            the recordings move with the start.
            """)

    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @Option(parsing: .unconditional, help: "The title; '' for none.", transform: words)
    var title: String?
    @Option(
        help: ArgumentHelp(
            "When it began: 2026-02-04T20:15 in local time, or with Z in UTC.", valueName: "time"))
    var start: String?
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if title == nil, start == nil {
            throw ValidationError("give the title with --title, or the start with --start")
        }
    }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let target = try context.target(session)
            let moment = try start.map { try context.past($0, "--start") }
            let edited = try context.libraryWriter.edit(target, title: title, start: moment)
            if !edited.isChanged { context.notice("nothing to change") }
            let began = try moment.map { ", began at \(try context.zone.exactText($0))" } ?? ""
            Output.done(
                "session: \(context.name(of: target.path, typed: session)) (title '\(edited.title.oneLine)'\(began))",
                global.json ? edited.json(.commandLine) : nil)
        }
    }
}
