internal import ArgumentParser

/// `trace config …`
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Show the configuration, check it, or show where it is.",
        subcommands: [ConfigShow.self, ConfigCheck.self, ConfigPath.self])
}
