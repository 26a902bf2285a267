internal import ArgumentParser

/// `trace token …`
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Give and revoke access over HTTP.",
        discussion: """
            A token lets a device, a guest or a program in. It is shown once; what is kept of it is a hash. Revoking one takes \
            effect at once.
            """,
        subcommands: [
            TokenAdd.self, TokenList.self, TokenRevoke.self, TokenRename.self, TokenLog.self,
        ])
}
