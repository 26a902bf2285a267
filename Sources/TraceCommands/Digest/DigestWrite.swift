internal import ArgumentParser
internal import TraceLibrary
internal import TraceStore

/// `trace digest write`
struct DigestWrite: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "write", abstract: "Overwrite the digest of a session with your own text.",
        discussion: "The previous text is kept, and 'trace undo' restores it.")

    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @Option(help: "The file with the text; - is standard input.")
    var file: String
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if file.isEmpty { throw ValidationError("missing --file path") }
    }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let target = try context.target(session)
            let text = try context.contents(ofFile: file, limit: SessionWriter.maximumDigestSize)
            let isChanged = try context.writer(target).writeDigest(text)
            Output.done(
                "digest: updated",
                global.json ? WrittenDigest(target, isChanged: isChanged).json(.commandLine) : nil)
        }
    }
}
