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
            A voice note is never lost: if the session can't be written, it waits in the queue with its audio, and if it is \
            not known which session it belongs to, 'trace unplaced' keeps it.
            """)

    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @Option(
        parsing: .unconditional,
        help:
            "The offset at which it was spoken: 120000, 2:00, 90s, now, end; by default now, less its length.",
        completion: .offsets)
    var offset: String?
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
            let now = Clock.now()
            let context = CommandContext(tolerating: global)
            let marked = MarkedMoment(
                session: session, offset: offset ?? "now", now: now, mayWait: !noQueue)
            switch try context.destination(of: marked) {
            case .session(let target, let isChosen):
                try write(marked, to: target, isChosen: isChosen, context)
            case .unplaced(let reason): try keep(marked, since: reason, context)
            }
        }
    }

    private func write(
        _ marked: MarkedMoment, to target: WriteTarget, isChosen: Bool, _ context: CommandContext
    ) throws {
        let resolution = OffsetResolution(for: target, now: marked.now)
        var offset = marked.offset
        var length: SessionOffset?
        if self.offset == nil {
            let spoken = try self.length(in: target, context)
            // It began when it was that much earlier, but not before the session.
            offset =
                try resolution.offset("now") > spoken && spoken > .zero
                ? "now-\(spoken.milliseconds)ms" : "now"
            if offset == "now", spoken > .zero { offset = "0" }
            length = spoken
        }
        let place = try resolution.place(offset, force: force)
        if !isChosen, let reason = try context.reasonToKeep(marked, at: place.offset, in: target) {
            return try keep(marked, since: { _ in reason }, context)
        }
        context.notice(place.notice)
        for warning in resolution.warnings(offset, place.offset) { context.notice("warning: \(warning)") }
        context.warn(of: target.setBack(now: marked.now, appendingTo: .voiceNote))
        let marker = try RecordName.reference(markerId, "marker_id", to: .marker, in: target.place)
        let note = note(
            at: place.offset, lasting: try length ?? self.length(in: target, context), for: marker,
            now: marked.now)
        let isQueued = context.notice(
            of: try context.libraryWriter.add(
                note, audio: given(context), to: target, mayQueue: !noQueue))
        let written = WrittenVoiceNote(note, in: target, isQueued: isQueued)
        Output.done("voice-note: \(note.id)", global.json ? written.json(.commandLine) : nil)
    }

    private func keep(
        _ marked: MarkedMoment, since reason: (ULID) -> UnplacedReason, _ context: CommandContext
    ) throws {
        guard let audio = given(context) else {
            throw LibraryError(
                .audioAbsent, "it is not known which session the audio is in",
                cure:
                    "name the session with \(option: "session"), or give the audio with \(option: "media-file")"
            )
        }
        let length = try length(of: audio, context)
        var moment = marked.moment ?? marked.now
        if offset == nil { moment = moment.subtracting(length) }
        let marker = try RecordName.reference(markerId, "marker_id", to: .marker, in: nil)
        let note = note(at: .zero, lasting: length, for: marker, now: marked.now)
        try context.libraryWriter.keep(
            note, audio: audio, at: moment, typedSession: context.typedSession(session),
            isUnconfigured: context.isUnconfigured)
        context.notice(kept: note.id, since: reason(note.id))
        Output.done(
            "voice-note: \(note.id)", global.json ? KeptRecord(id: note.id, moment: moment).json : nil)
    }

    private func note(
        at offset: SessionOffset, lasting length: SessionOffset, for marker: ULID?, now: Timestamp
    ) -> VoiceNote {
        let id = IDGenerator.next()
        return VoiceNote(
            id: id, createdAt: now, mediaPath: path(for: id), offset: offset, duration: length,
            transcript: text, markerID: marker)
    }

    /// Where the audio is, or is to be, in its session.
    ///
    /// - Parameter id: The id of the voice note, after which audio is named that is copied.
    private func path(for id: ULID) -> String {
        "\(SessionLayout.media)/\(media.flatMap { $0.isEmpty ? nil : $0 } ?? "\(id)\(Self.suffix(of: mediaFile))")"
    }

    private func length(in target: WriteTarget, _ context: CommandContext) throws -> SessionOffset {
        // What is in the session has been named by --media; an id says nothing of that.
        let path = FilePath(path(for: IDGenerator.next()))
        return try length(of: given(context) ?? target.place?.path.pushing(path), context)
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
