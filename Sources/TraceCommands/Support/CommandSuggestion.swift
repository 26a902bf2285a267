internal import ArgumentParser
internal import TraceText

/// The path of subcommands that a command line names.
struct CommandPath {
    /// The last command on it.
    private(set) var type: any ParsableCommand.Type
    private(set) var words: [String] = []
    /// The word that should be a command and is not one.
    private(set) var unknown: String?
    /// Whether it began with `help`.
    private(set) var asksForHelp = false

    init(along arguments: [String], below root: any ParsableCommand.Type) {
        type = root
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word.hasPrefix("-") {
                if Self.takesValue(word) { rest = rest.dropFirst() }
                continue
            }
            if words.isEmpty, word == "help", !asksForHelp {
                asksForHelp = true
                continue
            }
            let commands = type.configuration.subcommands
            guard let next = commands.first(where: { $0.configuration.commandName == word }) else {
                let isArgument = commands.isEmpty || type.configuration.defaultSubcommand != nil
                if !isArgument || asksForHelp { unknown = word }
                return
            }
            type = next
            words.append(word)
        }
    }

    /// The way as it was typed, as far as it goes.
    var typed: String { (["trace"] + words + [unknown].compactMap(\.self)).joined(separator: " ") }

    private static func takesValue(_ option: String) -> Bool {
        ["-s", "--session", "--config", "--root", "--state-directory", "--color"].contains(option)
    }
}

/// Suggestions for unknown commands and options.
enum CommandSuggestion {
    /// The error of a word that should be a command and is not one, with what was meant and which ones there are; else nil.
    static func unknownCommand(_ commandPath: CommandPath) -> CommandFailure? {
        guard let word = commandPath.unknown else { return nil }
        return CommandFailure(
            .usage, "there is no command '\(commandPath.typed)'", cure: Cure(hint(for: word, in: commandPath))
        )
    }

    private static func hint(for word: String, in commandPath: CommandPath) -> String {
        let commands = commandPath.type.configuration.subcommands
        let names = commands.compactMap { $0.configuration.commandName }
        let place = (["trace"] + commandPath.words).joined(separator: " ")
        let there =
            names.isEmpty
            ? "'\(place)' has no subcommands" : "commands of '\(place)': \(names.joined(separator: ", "))"
        return meant(by: word, among: commands, commandPath.words).map { "did you mean \($0)?" } ?? there
    }

    private static func meant(
        by word: String, among commands: [any ParsableCommand.Type], _ words: [String]
    ) -> String? {
        if let other = otherName(for: word, below: words) { return "'trace \(other)'" }
        let names = commands.compactMap { $0.configuration.commandName }
        // A verb whose group was left out.
        let groups = commands.filter { command in
            command.configuration.subcommands.contains { $0.configuration.commandName == word }
        }.compactMap { $0.configuration.commandName }
        if !groups.isEmpty {
            let forms = groups.map { "'\((["trace"] + words + [$0, word]).joined(separator: " "))'" }
            return forms.joined(separator: " or ")
        }
        guard let name = nearestName(to: word, among: names), isNear(word, name) else { return nil }
        return "'\((["trace"] + words + [name]).joined(separator: " "))'"
    }

    /// What a command is called here that other programs call otherwise.
    private static func otherName(for word: String, below words: [String]) -> String? {
        switch (words.first, word.lowercased()) {
        case ("session", "list"), ("session", "ls"), (nil, "ls"): "sessions"
        case ("session", "new"), ("session", "create"), ("session", "start"), ("session", "open"),
            (nil, "new"), (nil, "create"), (nil, "start"):
            "session init"
        case ("session", "stop"), ("session", "end"), ("session", "finish"), (nil, "stop"), (nil, "end"):
            "session close"
        case ("session", "rename"), ("session", "title"): "session edit"
        case ("session", "mark"), ("marker", "add"), ("markers", "add"), ("marker", "new"): "mark"
        case ("marker", "list"), ("marker", "ls"), ("markers", "ls"): "markers list"
        case ("markers", "edit"), ("markers", "change"): "marker edit"
        case ("markers", "remove"), ("markers", "delete"), ("marker", "delete"), ("marker", "rm"):
            "marker remove"
        case (nil, "note"), (nil, "memo"), ("voice-notes", "add"): "voice-note"
        case ("voice-notes", "ls"): "voice-notes list"
        case ("action", "reject"), ("action", "refuse"), ("action", "deny"): "action decline"
        case (nil, "find"), (nil, "grep"): "search"
        case (nil, "check"), (nil, "lint"): "validate"
        case (nil, "fix"), (nil, "mend"): "repair"
        default: nil
        }
    }

    /// Of short words nearly every other is near; they must share their first letter too.
    private static func isNear(_ word: String, _ name: String) -> Bool {
        word.lowercased().first == name.first && word.count > 1
    }

    /// The parser's message with a hint below its first line where an option was mistyped.
    ///
    /// The parser tells of a value that is missing before it tells of an option that it does not know. What it takes for the
    /// option that was meant may be no more than another short word, so ours stands in its place.
    static func withOptionHint(_ message: String, for commandPath: CommandPath, _ arguments: [String])
        -> String
    {
        guard let hint = optionHint(for: commandPath, arguments, saying: message) else { return message }
        var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        lines[0] = lines[0].replacing(#/\. Did you mean '[^']*'\?$/#, with: "")
        lines.insert("  hint: \(hint)", at: 1)
        return lines.joined(separator: "\n")
    }

    private static func optionHint(
        for commandPath: CommandPath, _ arguments: [String], saying message: String
    ) -> String? {
        let type = commandPath.type.configuration.defaultSubcommand ?? commandPath.type
        let help = TraceCommand.helpMessage(for: type, includeHidden: true, columns: 1000)
        let known = Set(help.matches(of: #/--[a-z][a-z-]*/#).map { String($0.output) })
        let typed = arguments.prefix { $0 != "--" }.lazy.filter { $0.hasPrefix("--") }
            .map { String($0.prefix { $0 != "=" }) }
        guard let unknown = typed.first(where: { !known.contains($0) && $0 != "--help" }) else { return nil }
        let isNamed = message.contains("'\(unknown)'")
        let problem = isNamed ? "" : "'\(unknown)' is not an option of '\(commandPath.typed)'; "
        let meant = nearestName(
            to: String(unknown.dropFirst(2)), among: known.map { String($0.dropFirst(2)) }.sorted())
        return problem
            + (meant.map { "did you mean '--\($0)'?" } ?? "'\(commandPath.typed) --help' lists the options")
    }
}
