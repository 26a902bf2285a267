internal import ArgumentParser

/// `trace journal`
struct JournalCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journal", abstract: "Look at one journal, of whatever kind, or make one.",
        subcommands: [
            JournalShow.self, JournalInit.self, JournalAdopt.self, JournalRetention.self,
        ])
}
