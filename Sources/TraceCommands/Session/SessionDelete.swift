internal import ArgumentParser
internal import RecordFormat
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace session delete`
struct SessionDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Move a session with its recordings to the bin.",
        discussion: """
            The bin is the directory .trace-bin of its root. 'trace session restore', and 'trace undo', bring it back. 'traced' \
            erases what has been there for bin_days (30 days); without 'traced', nothing is ever erased.
            """)

    @Argument(help: "The session.", completion: .sessions)
    var session: String
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let target = try context.target(session)
            let name = context.name(of: target.path, typed: session)
            let deleted = try context.libraryWriter.delete(target)
            if deleted.session.status == .active { context.notice("the session was still active") }
            Output.done(
                "deleted: \(name) (in \(deleted.path.escaped))",
                global.json ? deleted.json(.commandLine) : nil)
        }
    }
}
