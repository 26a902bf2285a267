internal import ArgumentParser

/// `trace tag …`
struct TagCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "tag", abstract: "Change tags in many markers at once.", subcommands: [TagRename.self])
    static let typed = "tag"
}
