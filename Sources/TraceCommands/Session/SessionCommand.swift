internal import ArgumentParser

/// `trace session …`
struct SessionCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "session", abstract: "Make, close and show sessions.",
        subcommands: [SessionInit.self, SessionClose.self, SessionShow.self])
    static let typed = "session"
}
