internal import TraceMedia
internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace transcribe`
struct TranscribeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transcribe", abstract: "Add a transcript to a session.",
        discussion: """
            The transcript comes from --text, from --file (JSONL of transcript records, or whisper.cpp's JSON; - is standard \
            input), or from the program in speech_command of the configuration. It replaces an existing one, or is \
            added to it with --append; 'trace undo' restores the old one.

            With --voice-notes, the program transcribes each voice note that has no text yet, and the result becomes the \
            note's text. Exit status 1 if one of them failed.
            """)

    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @Option(help: "A file with the transcript.")
    var file: String?
    @Option(parsing: .unconditional, help: "The transcript, as one segment.", transform: words)
    var text: String?
    @Option(
        parsing: .unconditional,
        help: "The offset of the segment; with --file, that of the audio of whisper.cpp's JSON.",
        completion: .offsets)
    var offset: String?
    @Option(help: "How long the segment is.")
    var duration: String?
    @Flag(help: "Add to the existing transcript, each segment at its place.")
    var append = false
    @Flag(help: "Refuse whisper.cpp's JSON if a segment can't be understood, instead of leaving that out.")
    var strict = false
    @Flag(help: "Transcribe the voice notes one by one.")
    var voiceNotes = false
    @Flag(help: "With --voice-notes: also those that already have text.")
    var again = false
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if voiceNotes, file != nil || text != nil {
            throw ValidationError("use --voice-notes without --file and --text")
        }
        if strict, file == nil { throw ValidationError("--strict needs --file") }
        if voiceNotes, append { throw ValidationError("--append can't be combined with --voice-notes") }
        if offset != nil || duration != nil, voiceNotes || (file == nil && text == nil) {
            throw ValidationError("--offset and --duration need --text or --file")
        }
        if again, !voiceNotes { throw ValidationError("--again needs --voice-notes") }
    }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let session = try context.target(session)
            let path = session.path
            if voiceNotes {
                return try VoiceNoteTranscription(context, session: session, again: again).run(
                    asJSON: global.json)
            }
            let writer = context.writer(session)
            try writer.requireMediaToTranscribe()
            let (lines, source, notices) = try transcript(of: session, context)
            for notice in notices { context.notice(notice.text) }
            let before = try writer.writeTranscript(lines, isAdded: append, from: source)
            let target = path.appending(RecordKind.transcript.fileName)
            let count = lines.split(separator: UInt8(ascii: "\n")).count
            Output.done("transcribed: \(target.escaped)", asJSON: global.json) { object in
                object.member("path", JSONText(target.escaped))
                object.member("segments", JSONText(Int64(append ? before + count : count)))
                object.member(append ? "kept" : "replaced", before == 0 ? nil : JSONText(Int64(before)))
                object.member("notices", notices.isEmpty ? nil : .array(notices.map { $0.json() }))
                object.session(session)
            }
            if before > 0 { notice(of: before, replacedBy: count, context) }
        }
    }

    /// Says the state of the transcript that was there.
    private func notice(of before: Int, replacedBy count: Int, _ context: CommandContext) {
        let old = counted(before, "segment")
        context.notice(
            append
                ? "added \(counted(count, "segment")) to \(old)"
                : "replaced a transcript of \(old); 'trace undo' restores it, --append adds to one")
    }

    // MARK: - Where it comes from

    /// The lines of a new transcript, where they come from, and what was not taken.
    private typealias Transcript = (lines: [UInt8], source: FilePath, notices: [ImportNotice])

    private func transcript(of session: SessionTarget, _ context: CommandContext) throws -> Transcript {
        let start = try offset.flatMap { $0.isEmpty ? nil : $0 }.map { text in
            try OffsetResolution(in: session).offset(text, force: true)
        }
        if let file, !file.isEmpty { return try transcript(in: file, startingAt: start ?? .zero, context) }
        if let text {
            let length = try duration.flatMap { $0.isEmpty ? nil : $0 }.map {
                try OffsetExpression.duration($0)
            }
            let segment = TranscriptSegment(
                id: IDGenerator.next(), offset: start ?? .zero, duration: length ?? .zero, text: text)
            return (segment.json.bytes + [UInt8(ascii: "\n")], "--text", [])
        }
        guard !context.settings.speechCommand.isEmpty else {
            throw CommandFailure(
                .usage, "missing --file or --text for transcribe, and no speech_command is configured",
                cure:
                    "give the transcript with --file, or its text with --text, or set speech_command in the configuration to a "
                    + "speech-to-text program")
        }
        let (lines, notices) = try heard(in: session, context)
        return (lines, "speech_command", notices)
    }

    private func transcript(
        in file: String, startingAt start: SessionOffset, _ context: CommandContext
    ) throws -> Transcript {
        let source: FilePath = file == "-" ? "standard input" : context.absolute(FilePath(argument: file))
        var bytes = try context.contents(ofFile: file, limit: 1 << 30)
        if SpeechOutput.isWhisper(bytes) {
            let output = try SpeechOutput(bytes, isStrict: strict)
            return (output.lines(startingAt: start), source, output.notices)
        }
        while let last = bytes.last, [0x20, 0x09, 0x0A, 0x0D].contains(last) { bytes.removeLast() }
        return (bytes.isEmpty ? [] : bytes + [UInt8(ascii: "\n")], source, [])
    }

    private func heard(
        in session: SessionTarget, _ context: CommandContext
    ) throws -> (lines: [UInt8], notices: [ImportNotice]) {
        guard let item = session.session.reviewAudio else { return ([], []) }
        Interruption.installHandlers()
        let audio = session.path.pushing(FilePath(item.path))
        let progress = context.progress("listening to \(item.path)")
        defer { progress.finish() }
        let program = try context.speechProgram(progress)
        let output = try program.listen(to: audio)
        return (output.lines(startingAt: item.startOffset ?? .zero), output.notices)
    }
}

extension CommandContext {
    /// The program that turns speech into text.
    ///
    /// - Parameter progress: Called regularly while it runs.
    func speechProgram(_ progress: ProgressReport) throws -> SpeechProgram {
        try SpeechProgram(
            settings.speechCommand, language: settings.speechLanguage, timeout: settings.speechTimeout,
            temporary: temporaryDirectory
        ) {
            progress.update(nil)
            return Interruption.isAsked
        }
    }
}
