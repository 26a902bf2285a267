internal import ArgumentParser

/// `trace digest …`
struct DigestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "digest", abstract: "Read what a session was.", subcommands: [DigestShow.self])
}
