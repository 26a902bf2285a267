internal import ArgumentParser
internal import RecordFormat
internal import TraceDigest
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

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
            var generation = DigestGeneration(try context.digest(of: target)) { noted in
                try context.zone(ofDigest: noted)
            } render: { digest in
                try template.render(.session(digest), context) ?? digest.markdown()
            }
            let isChanged: Bool
            do {
                isChanged = try generation.run(context.writer(target), adopts: adopt, forces: force)
            } catch let error as BlockError where error.code == .blockEdited {
                // What would be overwritten.
                for line in try generation.edits(in: target.directory)?.linesForPeople ?? [] {
                    context.notice(line)
                }
                throw error
            }
            Output.done(
                "digest: \(isChanged ? "updated" : "unchanged")",
                global.json ? WrittenDigest(target, isChanged: isChanged).json(.commandLine) : nil)
        }
    }
}
