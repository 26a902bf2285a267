internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
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
            try refuseFrameRate(fps, for: format, among: [.edl, .otio])
            let markers = try OrderedMarkers(in: reader, choice(item))
            let export = MarkerFileExport(
                markers: markers, format: format, exchange: try exchange(header, path, item, markers),
                context: context)
            let report = ExportReport(
                format: format, count: markers.count, leftOut: markers.outside, sessionID: header.id,
                media: item?.id, isJSON: global.json)
            if let embed {
                let recording = path.pushing(FilePath(item?.path ?? ""))
                let target = context.absolute(FilePath(argument: embed))
                try export.embed(in: recording, to: target, isReplacing: force)
                report.show(target)
            } else if let file {
                let target = context.absolute(FilePath(argument: file))
                try export.write(to: target, isReplacing: force)
                report.show(target)
            } else {
                try export.print()
            }
        }
    }

    private func recording(of header: Session) throws -> MediaItem? {
        if let media { return try header.mediaItem(media) }
        guard let embed else { return nil }
        guard let item = header.reviewAudio else {
            throw CommandFailure(
                .noSession, "the session has no recording from which '\(embed)' could be made",
                hint: "add one with 'trace media add' or 'trace media add-review-audio'")
        }
        return item
    }

    private func chosenFormat() throws -> ExchangeFormat {
        if embed != nil { return .ffmetadata }
        if let format { return format }
        let suffix = output.flatMap { FilePath(argument: $0).extension }
        if let known = suffix.flatMap(ExchangeFormat.of(extension:)) { return known }
        let names = ExchangeFormat.allCases.map(\.rawValue).joined(separator: ", ")
        throw CommandFailure(.usage, "which format?", hint: "give --format: one of \(names)")
    }

    private func choice(_ item: MediaItem?) throws -> OrderedMarkers.Choice {
        var choice = OrderedMarkers.Choice()
        choice.tags = tags.map { $0.lowercased() }
        choice.origin = item?.startOffset ?? .zero
        choice.length = item?.duration
        choice.lead = try lead.map { try OffsetExpression.duration($0) } ?? .zero
        return choice
    }

    private func exchange(
        _ header: Session, _ path: FilePath, _ item: MediaItem?, _ markers: OrderedMarkers
    ) throws -> ExchangeContext {
        var exchange = ExchangeContext()
        exchange.title = header.displayTitle?.oneLine ?? path.lastComponent?.escaped ?? ""
        exchange.length = item.map(\.duration) ?? header.duration
        exchange.frameRate = try frameRate(fps)
        exchange.count = markers.count
        exchange.first = markers.offsets.first
        exchange.last = markers.offsets.last
        exchange.startsAtZero =
            embed.map { FFmpeg.movesFirstChapter(extension: FilePath(argument: $0).extension ?? "") } ?? false
        if embed != nil { exchange.longestTitle = FFmpeg.longestChapterTitle }
        return exchange
    }
}

/// Reports an export, unless it went to standard output.
private struct ExportReport {
    let format: ExchangeFormat
    let count: Int
    let leftOut: Int
    let sessionID: ULID?
    let media: ULID?
    let isJSON: Bool

    func show(_ target: FilePath) {
        Output.done("exported: \(counted(count, "marker")) to \(target.escaped)", asJSON: isJSON) { object in
            object.member("file", JSONText(target.escaped))
            object.member("format", JSONText(format.rawValue))
            object.member("marker_count", JSONText(Int64(count)))
            object.member("left_out", JSONText(Int64(leftOut)))
            object.member("session_id", sessionID.map { JSONText($0) })
            object.member("media_id", media.map { JSONText($0) })
        }
    }
}
