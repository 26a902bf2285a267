internal import ArgumentParser
internal import TraceFormat
internal import TraceLibrary
internal import TraceText

/// `trace voice-note set-transcript [SESSION] ID TEXT`
struct SetTranscript: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-transcript", abstract: "Set the text of a voice note.",
        usage: """
            trace voice-note set-transcript [<session>] <id> <text>
            trace voice-note set-transcript [<session>] <id> --text <text>
            trace voice-note set-transcript [<session>] <id> --file <file>
            """,
        discussion: "The text - is standard input, and so is the file -. Trailing line breaks are removed."
    )

    @Argument(help: "The session, if it is not the default one; the id; the text.", transform: words)
    var parts: [String]
    @Option(parsing: .unconditional, help: "The text.", transform: words)
    var text: String?
    @Option(help: "A file with the text.")
    var file: String?
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if text != nil, file != nil { throw ValidationError("use --text or --file, not both") }
        let count = text == nil && file == nil ? 2...3 : 1...2
        guard count.contains(parts.count) else {
            throw ValidationError(
                count.lowerBound == 2
                    ? "missing --text or --file for voice-note set-transcript"
                    : "expected a session and an id, and nothing else")
        }
    }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let isText = text == nil && file == nil
            let names = isText ? parts.dropLast() : parts[...]
            let target = try context.target(names.count == 2 ? names.first : nil)
            let id = try RecordName.id(of: names.last ?? "", .voiceNote, in: target)
            let transcript = try transcript(isText ? parts.last : nil, context)
            let edited = try context.libraryWriter.setTranscript(of: id, in: target, to: transcript)
            context.notice(of: edited.editing)
            Output.done("transcript: updated", global.json ? edited.voiceNoteJSON(.commandLine) : nil)
        }
    }

    private func transcript(_ word: String?, _ context: CommandContext) throws -> String {
        if let text { return text }
        if let word, word != "-" { return word }
        let bytes = try context.contents(ofFile: file ?? "-", limit: 8 << 20)
        guard var text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(.badData, "the transcript is not UTF-8", cure: "save the text as UTF-8")
        }
        while text.last?.isNewline == true { text.removeLast() }
        return text
    }
}
