internal import ArgumentParser

/// `trace tag …`
struct TagCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tag", abstract: "List tags, or change one in many markers at once.",
        subcommands: [TagList.self, TagRename.self])
}
