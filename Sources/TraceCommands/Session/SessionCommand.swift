internal import ArgumentParser

/// `trace session …`
struct SessionCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "session", abstract: "Create, pause, close, show and rename sessions.",
        subcommands: [
            SessionInit.self, SessionPause.self, SessionResume.self, SessionClose.self, SessionShow.self,
            SessionEdit.self,
        ])
    static let typed = "session"
}
