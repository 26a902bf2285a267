internal import ArgumentParser
internal import RecordFormat
internal import TraceLibrary
internal import TraceStore

/// `trace session resume`
struct SessionResume: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Resume the clock of a paused session.",
        discussion: "It continues from the offset at which 'trace session pause' stopped it.")

    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let target = try context.target(session, isPresent: true)
            let resumed = try context.libraryWriter.resume(target)
            for notice in resumed.notices { context.notice("warning: \(notice)") }
            context.warn(of: resumed.setBack)
            let name = context.name(of: target.path, typed: session)
            Output.done(
                "resumed: \(name) (at \(Output.length(resumed.offset)), paused for \(Output.length(SessionOffset(milliseconds: resumed.pause))))",
                global.json ? resumed.json(.commandLine) : nil)
        }
    }
}
