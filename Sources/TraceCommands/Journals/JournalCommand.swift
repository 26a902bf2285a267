internal import ArgumentParser

/// `trace journal`
struct JournalCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journal", abstract: "Look at one journal, of whatever kind.",
        subcommands: [JournalShow.self])
}
