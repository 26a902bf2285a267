internal import ArgumentParser

/// `trace digest …`
struct DigestCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "digest", abstract: "Read what a session was.", subcommands: [DigestShow.self])
    static let typed = "digest"
}
