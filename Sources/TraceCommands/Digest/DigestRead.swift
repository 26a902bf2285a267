internal import ArgumentParser
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore

/// `trace digest read`
struct DigestRead: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read", abstract: "Print digest.md of a session unchanged.")

    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let path = try context.session(session)
            let text = try OpenDirectory(path).readFile(
                RecordKind.digestComponent, limit: SessionWriter.maximumDigestSize)?
                .contents
            guard global.json else { return text.map { Output.raw($0) } ?? Output.line("no digest") }
            let id = (try? SessionCandidate(reading: path))?.session.id
            Output.json(DigestText(text, of: path, id).json(.commandLine))
        }
    }
}
