internal import ArgumentParser

/// `trace index …`
struct IndexCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index", abstract: "Rebuild the index, or compare it with the files.",
        subcommands: [IndexRebuild.self, IndexVerify.self])
}
