internal import ArgumentParser

/// `trace session …`
struct SessionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session", abstract: "Create, pause, close, show, rename and delete sessions.",
        subcommands: [
            SessionInit.self, SessionPause.self, SessionResume.self, SessionClose.self, SessionReopen.self,
            SessionShow.self, SessionEdit.self, SessionDelete.self, SessionRestore.self,
        ])
}
