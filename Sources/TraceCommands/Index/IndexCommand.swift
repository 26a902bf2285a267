internal import ArgumentParser

/// `trace index …`
struct IndexCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index", abstract: "Show the index, rebuild it, or compare it with the files.",
        subcommands: [IndexStatus.self, IndexRebuild.self, IndexVerify.self])
}
