internal import ArgumentParser

/// `trace markers …`
struct MarkersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "markers", abstract: "Find markers.", subcommands: [MarkersList.self])
}
