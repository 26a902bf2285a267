internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceDigest
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore

/// `trace digest generate`
struct DigestGenerate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate", abstract: "Generate the digest of a session in its digest.md.",
        discussion: """
            It is between two comments, and only the text between them is ever rewritten: your own text above and \
            below stays. If somebody edited the text between the comments, nothing is written, and the difference is shown.
            """)

    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @Flag(help: "Add the digest to an existing text.")
    var adopt = false
    @Flag(help: "Overwrite edits between the comments; 'trace undo' restores them.")
    var force = false
    @OptionGroup var template: TemplateOption
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let target = try context.target(session)
            var digest = try context.digest(of: target)
            var markdown = ""
            let isChanged: Bool
            do {
                isChanged = try context.writer(target).generateDigest(adopts: adopt, forces: force) {
                    noted in
                    digest.zone = try context.zone(ofDigest: noted)
                    markdown = try template.render(.session(digest), context) ?? digest.markdown()
                    return ManagedBlock.Rendering(markdown, zone: digest.zone.name)
                }
            } catch let error as FormatError where error.code == .blockEdited {
                try showEdit(of: target.directory, markdown, context)
                throw error
            }
            Output.done(
                "digest: \(isChanged ? "updated" : "unchanged")",
                global.json ? WrittenDigest(target, isChanged: isChanged).json(.commandLine) : nil)
        }
    }

    /// Shows what would be overwritten.
    private func showEdit(of session: OpenDirectory, _ markdown: String, _ context: CommandContext) throws {
        let file = try session.readFile(
            RecordKind.digestComponent, limit: SessionWriter.maximumDigestSize)
        guard let block = try file.flatMap({ try ManagedBlock.find(in: $0.contents) }) else { return }
        let diff = LineDiff(from: block.text, to: Array(markdown.utf8))
        for line in diff.linesForPeople { context.notice(line) }
    }
}
