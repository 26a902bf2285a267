internal import ArgumentParser

/// `trace queue …`
struct QueueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue",
        abstract: "Inspect, flush and repair the queue of entries waiting to be written.",
        subcommands: [
            QueueList.self, QueueShow.self, QueueAdd.self, QueueCheck.self, QueueFlush.self, QueueRetry.self,
            QueueDrop.self, QueueImportCommand.self,
        ])
}
