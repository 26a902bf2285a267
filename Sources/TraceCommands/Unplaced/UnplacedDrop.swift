internal import ArgumentParser
internal import TraceFiles
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace unplaced drop ID`
struct UnplacedDrop: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop", abstract: "Drop a moment that is kept.",
        discussion: """
            It is kept in the state directory under 'dropped' for queue_retention. On a terminal you are asked, unless --yes is given.
            """)

    @Argument(help: "The moment's id or its beginning, or last.")
    var id: String
    @Flag(help: "Don't ask.")
    var yes = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let kept = try context.libraryWriter.keptMoment(named: id)
            if !yes, !Confirmation.isGiven(for: "drop the moment \(kept.moment.wallTime)?") {
                throw CommandFailure(.negative, "nothing was dropped")
            }
            let dropped = try context.libraryWriter.drop(kept)
            Output.done(
                "dropped: \(dropped.id) (kept at \(dropped.file.escaped))",
                global.json ? dropped.json(.commandLine) : nil)
        }
    }
}
