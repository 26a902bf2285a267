internal import ArgumentParser

/// `trace session …`
struct SessionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session", abstract: "Create, pause, close, show and rename sessions.",
        subcommands: [
            SessionInit.self, SessionPause.self, SessionResume.self, SessionClose.self, SessionShow.self,
            SessionEdit.self,
        ])
}
