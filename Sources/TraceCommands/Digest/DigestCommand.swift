internal import ArgumentParser

/// `trace digest …`
struct DigestCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "digest", abstract: "Read what a session was, or write it down.",
        subcommands: [
            DigestShow.self, DigestGenerate.self, DigestEdit.self, DigestRead.self, DigestWrite.self,
        ])
    static let typed = "digest"
}
