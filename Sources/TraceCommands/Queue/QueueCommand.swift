internal import ArgumentParser

/// `trace queue …`
struct QueueCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "queue", abstract: "See and flush what waits to be written into sessions.",
        subcommands: [QueueAdd.self, QueueList.self, QueueFlush.self])
    static let typed = "queue"
}
