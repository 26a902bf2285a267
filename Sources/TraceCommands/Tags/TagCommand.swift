internal import ArgumentParser

/// `trace tag …`
struct TagCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "tag", abstract: "List tags, or change one in many markers at once.",
        subcommands: [TagList.self, TagRename.self])
    static let typed = "tag"
}
