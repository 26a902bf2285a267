internal import ArgumentParser

/// `trace markers …`
struct MarkersCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "markers", abstract: "Find markers.", subcommands: [MarkersList.self])
    static let typed = "markers"
}
