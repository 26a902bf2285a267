internal import ArgumentParser

/// `trace queue …`
struct QueueCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "queue", abstract: "See, flush and mend what waits to be written into sessions.",
        subcommands: [
            QueueList.self, QueueShow.self, QueueAdd.self, QueueCheck.self, QueueFlush.self, QueueRetry.self,
            QueueDrop.self, QueueImportCommand.self,
        ])
    static let typed = "queue"
}
