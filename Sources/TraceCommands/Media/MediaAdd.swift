internal import TraceMedia
internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace media add`
struct MediaAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Copy a recording into a session.",
        discussion: """
            The file is copied to media/, its start and end are noted in the timeline, and session.json names it. In a closed \
            session it must be before the end. Kind and media type follow from the file's extension where they are not given.
            """)

    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @Option(help: "The recording.")
    var file: String
    @Option(help: "The kind: audio, video, screen or other.")
    var kind: String?
    @Option(help: "Its media type, such as audio/mp4.", transform: words)
    var mime: String?
    @Option(
        parsing: .unconditional, help: "The offset at which it begins: 0, 2:00, 90s, now, end.",
        completion: .offsets)
    var offset: String
    @Option(help: "How long it is: 4200, 3:20, 90s.")
    var duration: String?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let session = try context.target(session)
            // Whether it is within a closed session is for the store to say, together with its length.
            let place = try OffsetResolution(in: session).offset(offset, force: true)
            let length = try duration.flatMap { $0.isEmpty ? nil : $0 }.map {
                try OffsetExpression.duration($0)
            }
            guard !file.isEmpty else {
                throw CommandFailure(.usage, "missing --file for media add", cure: "give the recording")
            }
            let media = try media(at: place, length)
            context.notice("at \(place) (\(place.milliseconds) ms)")
            Interruption.installHandlers()
            let source = context.absolute(FilePath(argument: file))
            try warn(of: source, lasting: length, context)
            try MediaReport.adding(media, from: source, to: session, as: .addMedia, context)
                .show(asJSON: global.json)
        }
    }

    /// Says what in the file speaks against its length or its sound, if ffmpeg is there to look; it is copied all the same.
    private func warn(of source: FilePath, lasting typed: SessionOffset?, _ context: CommandContext) throws {
        let progress = context.progress("reading the recording")
        defer { progress.finish() }
        let look: RecordingLook?
        do {
            look = try FFmpeg(for: "media add", opening: .any) { Interruption.isAsked }.look(
                at: source, isMeasured: typed != nil
            ) { progress.update($0) }
        } catch let error as StoreError where error.code != .stopped {
            return
        }
        progress.finish()
        guard let look else { return }
        for warning in look.warnings { context.notice("warning: \(warning.text)") }
        if let typed, let known = look.length, context.contradicts(typed, known) {
            context.notice("warning: --duration \(typed) is written, but the file lasts \(known)")
        }
    }

    private func media(at place: SessionOffset, _ length: SessionOffset?) throws -> NewMedia {
        let suffix = FilePath(argument: file).extension
        let known = suffix.flatMap { MediaFileType.of(extension: $0) }
        let typed = try kind.flatMap { $0.isEmpty ? nil : $0 }.map { text in
            guard let kind = MediaItem.Kind(rawValue: text) else {
                throw CommandFailure(.usage, "invalid --kind '\(text)' (use audio, video, screen, other)")
            }
            return kind
        }
        guard let kind = typed ?? known?.kind,
            let mime = mime.flatMap({ $0.isEmpty ? nil : $0 }) ?? known?.mime
        else {
            throw CommandFailure(
                .usage, "missing --file, --kind, or --mime for media add",
                cure: "the kind and media type can't be derived from the file's extension; give them")
        }
        return NewMedia(
            kind: kind, mime: mime, startOffset: place, duration: length,
            suffix: suffix.map { ".\($0)" } ?? "")
    }
}
