internal import ArgumentParser
internal import TraceConfiguration

/// The command that was most likely meant by one that does not exist.
enum CommandSuggestion {
    /// What can be said of a command line whose command does not exist, or nil.
    static func hint(for arguments: [String], below root: any ParsableCommand.Type) -> String? {
        var type = root
        var words: [String] = []
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word.hasPrefix("-") {
                if takesValue(word) { rest = rest.dropFirst() }
                continue
            }
            let commands = type.configuration.subcommands
            if let next = commands.first(where: { $0.configuration.commandName == word }) {
                type = next
                words.append(word)
            } else if commands.isEmpty || type.configuration.defaultSubcommand != nil {
                return nil
            } else {
                return meant(by: word, among: commands, words)
            }
        }
        return nil
    }

    private static func meant(
        by word: String, among commands: [any ParsableCommand.Type], _ words: [String]
    ) -> String? {
        let names = commands.compactMap { $0.configuration.commandName }
        // A verb whose group was left out.
        let groups = commands.filter { command in
            command.configuration.subcommands.contains { $0.configuration.commandName == word }
        }.compactMap { $0.configuration.commandName }
        if !groups.isEmpty {
            let forms = groups.map { "'\((["trace"] + words + [$0, word]).joined(separator: " "))'" }
            return "did you mean \(forms.joined(separator: " or "))?"
        }
        guard let name = nearestName(to: word, among: names), isNear(word, name) else { return nil }
        return "did you mean '\((["trace"] + words + [name]).joined(separator: " "))'?"
    }

    /// Of short words nearly every other is near; they must share their first letter too.
    private static func isNear(_ word: String, _ name: String) -> Bool {
        word.lowercased().first == name.first && word.count > 1
    }

    private static func takesValue(_ option: String) -> Bool {
        ["-s", "--session", "--config", "--root", "--state-directory", "--color"].contains(option)
    }
}
