internal import ArgumentParser
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace queue retry ID`
struct QueueRetry: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Try one entry again.",
        discussion: """
            One that is waiting is written if that is possible now; one that was refused or dropped is queued again; and of one \
            that was applied, the record is restored if it is no longer in the session.

            Exit status 1 if it is refused again, 75 if it still waits.
            """)

    @Argument(help: "The entry's id or a part of it, or its file's name.")
    var id: String
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let outcome = try context.libraryWriter.drain().retry(try EntryName(typed: id, in: context.queue))
            Output.done(outcome.text, global.json ? outcome.json(.commandLine) : nil)
            switch outcome.result {
            case .waiting, .failed:
                throw CommandFailure(.tryAgain, "the entry stays in the queue")
            case .conflict, .changedMeanwhile, .rejected:
                throw CommandFailure(
                    .negative, "the entry was refused again",
                    cure: "\(verb: "queue drop \(outcome.id)") drops it")
            case .applied, .alreadyApplied, .recordVanished, .removed, .dropped: return
            }
        }
    }
}
