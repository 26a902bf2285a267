internal import TraceMedia
internal import ArgumentParser
internal import SystemPackage
internal import TraceExchange
internal import TraceFiles
internal import TraceFormat
internal import TraceStore
internal import TraceText

/// `trace export`
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", _superCommandName: "trace",
        abstract: "Write the markers of a session for another program.",
        discussion: """
            Formats: audacity (label track), reaper (regions and markers, CSV), csv, tsv, jsonl, youtube (chapters in a \
            description), podcast (Podcasting 2.0 chapters), ffmetadata, webvtt (chapters), edl (CMX 3600 for DaVinci Resolve), \
            otio (OpenTimelineIO). docs/exchange.md says what each preserves.

            Times count from the start of the session, or with --media from the start of that recording. With --embed, a copy of \
            the recording is written with the markers as chapters: .m4a, .mka, .mp3, .mp4 or .mkv. Nothing in the session \
            changes.
            """)

    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @Option(
        name: .shortAndLong, help: "The format. If it is not given, the extension of --output decides.",
        completion: .words(ExchangeFormat.self), transform: parseChoice)
    var format: ExchangeFormat?
    @Option(
        name: .shortAndLong, help: "The file to write; - is standard output, as without it.",
        completion: .file())
    var output: String?
    @Option(
        help: ArgumentHelp("Write a copy of the recording with chapters.", valueName: "file"),
        completion: .file())
    var embed: String?
    @Option(
        help: "Count from the start of this recording: its id or the beginning of it, its file, or 'review'.")
    var media: String?
    @Option(
        name: .customLong("tag"),
        help: "Only markers with this tag; may be repeated for those with all of them.",
        completion: .tags)
    var tags: [String] = []
    @Option(help: "Move markers earlier by this much, since a mark comes after its moment: 5s, 500ms.")
    var lead: String?
    @Option(help: "Frames a second, for edl and otio: 24, 25, 29.97, 30, …")
    var fps: String?
    @Flag(help: "Replace the file if it exists.")
    var force = false
    @OptionGroup var global: GlobalOptions

    /// The file that --output names, if any.
    private var file: String? { output == "-" ? nil : output }

    func validate() throws {
        if embed != nil, format != nil || output != nil {
            throw ValidationError("--embed can't be combined with --format and --output")
        }
        if force, file == nil, embed == nil {
            throw ValidationError("--force replaces a file; give it with --output or --embed")
        }
        if global.json, file == nil, embed == nil {
            throw ValidationError("with --json, give a file with --output or --embed")
        }
    }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let path = try context.session(session)
            let reader = try SessionReader(path)
            let header = try reader.readableHeader().session
            let item = try recording(of: header)
            let format = try chosenFormat()
            let markers = try ExportRequest(
                format, tags: tags, lead: lead, frameRate: fps, media: item, chapters: chapters
            ).markers(of: reader, header, named: path.lastComponent?.escaped ?? "")
            let export = MarkerFileExport(markers: markers, context: context)
            if let embed {
                let recording = path.pushing(FilePath(item?.path ?? ""))
                let target = context.absolute(FilePath(argument: embed))
                try export.embed(in: recording, to: target, isReplacing: force)
                report(markers, target)
            } else if let file {
                let target = context.absolute(FilePath(argument: file))
                try export.write(to: target, isReplacing: force)
                report(markers, target)
            } else {
                try export.print()
            }
        }
    }

    private func report(_ markers: MarkerFile, _ target: FilePath) {
        Output.done(
            "exported: \(counted(markers.count, "marker")) to \(target.escaped)",
            global.json ? markers.json(file: target.escaped) : nil)
    }

    private func recording(of header: Session) throws -> MediaItem? {
        if let media { return try header.mediaItem(media) }
        guard let embed else { return nil }
        guard let item = header.reviewAudio else {
            throw CommandFailure(
                .noSession, "the session has no recording from which '\(embed)' could be made",
                cure: "add one with \(verb: "media add") or \(verb: "media add-review-audio")")
        }
        return item
    }

    private func chosenFormat() throws -> ExchangeFormat {
        if embed != nil { return .ffmetadata }
        if let format { return format }
        let suffix = output.flatMap { FilePath(argument: $0).extension }
        if let known = suffix.flatMap(ExchangeFormat.of(extension:)) { return known }
        throw ExchangeError.formatUnknown("which format?")
    }

    /// What the recording demands that --embed writes.
    private var chapters: ExportRequest.Chapters? {
        embed.map { file in
            ExportRequest.Chapters(
                startsAtZero: FFmpeg.movesFirstChapter(extension: FilePath(argument: file).extension ?? ""),
                longestTitle: FFmpeg.longestChapterTitle)
        }
    }
}
