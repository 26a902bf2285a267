internal import ArgumentParser
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFormat
internal import TraceStore

/// `trace digest show`
struct DigestShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the digest of a session.",
        discussion: """
            The text that a person wrote in digest.md, or what the session is now where there is none. On a terminal it is \
            styled; piped it is Markdown.
            """)

    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @Flag(help: "Render what the session is now, even if a person has written a digest.")
    var rendered = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let workplace = try Workplace(global)
            let path = try workplace.session(session)
            if !rendered, !global.json, let written = try Self.written(in: path) {
                return Output.paged(workplace.isPaged) { Output.raw(written) }
            }
            let digest = try DigestReading(session: path, settleTime: workplace.settings.settleTime).digest()
            if global.json { return Output.json(digest.json()) }
            let text =
                Output.isTerminal || global.color == .always
                ? digest.terminal(columns: Output.columns, styled: Output.isStyled) : digest.markdown()
            Output.paged(workplace.isPaged) { Output.raw(Array(text.utf8)) }
        }
    }

    /// What a person wrote, or nil.
    private static func written(in session: FilePath) throws -> [UInt8]? {
        let text = try OpenDirectory(session).readFile(
            RecordKind.digestComponent, limit: SessionWriter.maximumDigestSize)?.contents
        return text.flatMap { $0.isEmpty ? nil : $0 }
    }
}
