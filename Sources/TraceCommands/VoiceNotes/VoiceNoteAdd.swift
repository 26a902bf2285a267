internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace voice-note`, or in full `trace voice-note add`
struct VoiceNoteAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a voice note to a session.",
        discussion: """
            A voice note is never lost: if the session can't be written, it waits in the queue with its audio.
            """)

    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @Option(
        parsing: .unconditional, help: "The offset at which it was spoken: 120000, 2:00, 90s, now, end.",
        completion: .offsets)
    var offset: String
    @Option(help: "The duration: 4200, 4.2s; by default, read from the file.")
    var duration: String?
    @Option(help: "The name of an audio file in the session's media/.", transform: words)
    var media: String?
    @Option(help: "An audio file to copy into the session.")
    var mediaFile: String?
    @Option(parsing: .unconditional, help: "What is said.", transform: words)
    var text: String?
    @Option(
        help: "The marker that it belongs to: its id or a part of it, last, or @1:30.", completion: .markers)
    var markerId: String?
    @Flag(help: "Fail instead of queueing.")
    var noQueue = false
    @Flag(help: "Allow an offset after the session's end.")
    var force = false
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        switch (media?.isEmpty ?? true, mediaFile?.isEmpty ?? true) {
        case (true, true): throw ValidationError("missing --media <filename> or --media-file <path>")
        case (false, false): throw ValidationError("use either --media or --media-file, not both")
        default: return
        }
    }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let target = try context.writeTarget(session, mayBeAbsent: !noQueue, offset: offset)
            let note = try note(for: target, context)
            let isQueued = context.notice(
                of: try context.libraryWriter.add(
                    note, audio: given(context), to: target, mayQueue: !noQueue))
            let written = WrittenVoiceNote(note, in: target, isQueued: isQueued)
            Output.done("voice-note: \(note.id)", global.json ? written.json(.commandLine) : nil)
        }
    }

    private func note(for target: WriteTarget, _ context: CommandContext) throws -> VoiceNote {
        let now = Clock.now()
        let resolution = OffsetResolution(for: target, now: now)
        let place = try resolution.place(offset, force: force)
        context.notice(place.notice)
        for warning in resolution.warnings(offset, place.offset) { context.notice("warning: \(warning)") }
        context.warn(of: target.setBack(now: now, appendingTo: .voiceNote))
        try context.confirmIntended(offset, at: place.offset, in: target, now: now)
        let marker = try RecordName.reference(markerId, "marker_id", to: .marker, in: target.place)
        let id = IDGenerator.next()
        let name = media.flatMap { $0.isEmpty ? nil : $0 } ?? "\(id)\(Self.suffix(of: mediaFile))"
        let path = "\(SessionLayout.media)/\(name)"
        return VoiceNote(
            id: id, createdAt: now, mediaPath: path, offset: place.offset,
            duration: try length(
                of: given(context) ?? target.place?.path.pushing(FilePath(path)), context),
            transcript: text, markerID: marker)
    }

    /// The audio that is to be copied.
    private func given(_ context: CommandContext) -> FilePath? {
        mediaFile.flatMap { $0.isEmpty ? nil : context.absolute(FilePath(argument: $0)) }
    }

    /// - Parameter audio: Nil if it is in a session that is not available.
    private func length(of audio: FilePath?, _ context: CommandContext) throws -> SessionOffset {
        if let audio { return try context.voiceNoteLength(typed: duration, of: audio) }
        guard let duration else {
            throw CommandFailure(
                .usage, "missing --duration", cure: "the session was not found, so neither was the audio")
        }
        return try OffsetExpression.duration(duration)
    }

    /// The extension of a file's name with its dot, or nothing.
    private static func suffix(of file: String?) -> String {
        file.flatMap { FilePath($0).extension }.map { ".\($0)" } ?? ""
    }
}
