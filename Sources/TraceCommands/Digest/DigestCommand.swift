internal import ArgumentParser

/// `trace digest …`
struct DigestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "digest", abstract: "Read, generate or edit the digest of a session.",
        subcommands: [
            DigestShow.self, DigestGenerate.self, DigestEdit.self, DigestRead.self, DigestWrite.self,
        ])
}
