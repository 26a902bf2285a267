internal import ArgumentParser
internal import RecordFormat
internal import TraceLibrary
internal import TraceStore

/// `trace session pause`
struct SessionPause: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Stop the clock of an active session while its recording is paused.",
        discussion: """
            Until 'trace session resume', 'now' means the offset at which the clock stopped. The pause is recorded in the \
            timeline as a media_end and a media_start at one offset.
            """)

    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let target = try context.target(session, isPresent: true)
            let paused = try context.libraryWriter.pause(target)
            for notice in paused.notices { context.notice("warning: \(notice)") }
            context.warn(of: paused.setBack)
            let name = context.name(of: target.path, typed: session)
            Output.done(
                "paused: \(name) (at \(Output.length(paused.offset)))",
                global.json ? paused.json(.commandLine) : nil)
        }
    }
}
