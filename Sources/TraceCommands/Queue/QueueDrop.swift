internal import ArgumentParser
internal import TraceFiles
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace queue drop ID`
struct QueueDrop: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop", abstract: "Drop an entry that is waiting or was refused.",
        discussion: """
            It is kept in the state directory under 'dropped' for queue_retention, and 'trace queue retry' \
            queues it again. If it is delivered again, it is not written. On a terminal you are asked, unless --yes is given.
            """)

    @Argument(help: "The entry's id or a part of it, or its file's name.")
    var id: String
    @Flag(help: "Don't ask.")
    var yes = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let name = try EntryName(typed: id, in: context.queue)
            if !yes, !Confirmation.isGiven(for: "drop entry \(name)?") {
                throw CommandFailure(.negative, "nothing was dropped")
            }
            let dropped = try context.libraryWriter.drop(name)
            Output.done(
                "dropped: \(dropped.id) (kept at \(dropped.file.escaped))",
                global.json ? dropped.json(.commandLine) : nil)
        }
    }
}
