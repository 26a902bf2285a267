internal import ArgumentParser

/// `trace journal`
struct JournalCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journal", abstract: "Look at one journal of any kind, or create one.",
        subcommands: [
            JournalShow.self, JournalInit.self, JournalAdopt.self, JournalRetention.self,
        ])
}
