internal import ArgumentParser
internal import TraceText

/// A command that only groups subcommands.
protocol CommandGroup: ParsableCommand {
    /// The command as it is typed, `trace` left out.
    static var typed: String { get }
}

extension CommandGroup {
    func run() throws {
        let verbs = Self.configuration.subcommands.map { $0.configuration.commandName ?? "" }
        throw CommandFailure(
            .usage, "'trace \(Self.typed)' needs a command",
            cure: ["write \(verb: "\(Self.typed) \(verbs.joined(separator: "|"))")", "see \(option: "help")"])
    }
}
