internal import ArgumentParser

/// The parsing of a command line that begins with its verb, without the options of the commands above it.
///
/// What a process costs that only puts a marker somewhere is the parsing of its arguments; this halves it. If it fails, for
/// whatever reason, the whole way is gone, so that help and errors come from one place. Commands for which people wait name the
/// command above them (`_superCommandName`), which spares them the parser's look for a wish for completion scripts.
enum FastPathParser {
    /// - Returns: The command, or nil if the command line does not begin with the words of one, or can't be parsed as one.
    static func command(
        below root: any ParsableCommand.Type, _ arguments: [String]
    ) -> (any ParsableCommand)? {
        var type = root
        var rest = arguments[...]
        while !type.configuration.subcommands.isEmpty {
            guard let word = rest.popFirst(),
                let next = type.configuration.subcommands.first(where: {
                    $0.configuration.commandName == word
                })
            else { return nil }
            type = next
        }
        // A request for help parses as another command.
        guard let command = try? type.parseAsRoot(Array(rest)), Swift.type(of: command) == type else {
            return nil
        }
        return command
    }
}
