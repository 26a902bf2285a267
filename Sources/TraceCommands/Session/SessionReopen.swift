internal import ArgumentParser
internal import RecordFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace session reopen`
struct SessionReopen: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reopen", abstract: "Make a closed session active again.",
        discussion: """
            Its end and its length are taken back. The time since then is a pause: the clock continues at the offset where the \
            session ended. With --running it was none: the clock has run all the time, as if the session had never been closed.

            'trace undo' closes it again.
            """)

    @Argument(help: "The session.", completion: .sessions)
    var session: String
    @Flag(help: "The recording has run since the end.")
    var running = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let target = try context.target(session)
            let reopened = try context.libraryWriter.reopen(target, hasRun: running)
            for notice in reopened.notices { context.notice("warning: \(notice)") }
            let name = context.name(of: target.path, typed: session)
            let pause = reopened.pause > 0 ? ", paused for \(reopened.pause)ms" : ""
            Output.done(
                "reopened: \(name) (ended at \(reopened.offset.milliseconds)ms\(pause))",
                global.json ? reopened.json(.commandLine) : nil)
        }
    }
}
