internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceExchange
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace markers list`
struct MarkersList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", _superCommandName: "trace markers",
        abstract: "List the markers of a session, or of all, in the order of their offsets.",
        discussion: """
            One per line, separated by tabs: id, offset in milliseconds, label, tags, voice note; missing fields are \
            omitted. On a terminal, a table with the note and the end of the id. With --json, an array of the records as \
            they are in the file; with --format or --header, a table with all columns.

            With --all, the markers of all sessions below the roots, in the order of their times; the \
            session comes first on each line.
            """)

    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @Flag(help: "List the markers of all sessions.")
    var all = false
    @Option(help: "Only markers with this tag.", completion: .tags)
    var tag: String?
    @Option(
        help: "Only markers of this category: highlight, structure, texture-sample or fix-review.",
        completion: .words(MarkerCategory.self), transform: parseChoice)
    var category: MarkerCategory?
    @Option(parsing: .unconditional, help: "Only markers from this offset on.", completion: .offsets)
    var offsetMin: String?
    @Option(parsing: .unconditional, help: "Only markers up to this offset.", completion: .offsets)
    var offsetMax: String?
    @Option(help: ArgumentHelp("Only markers from this moment on.", valueName: "time"), completion: .moments)
    var since: String?
    @Option(
        help: ArgumentHelp("Only markers up to this moment, or the end of this day.", valueName: "time"),
        completion: .moments)
    var until: String?
    @Option(
        help: "Output for other programs: csv or tsv (a table), or jsonl (the records as they are stored).",
        completion: .words(MarkerExport.self), transform: parseChoice)
    var format: MarkerExport?
    @Flag(help: "As --format tsv, where the list is not shown on a terminal.")
    var header = false
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if format != nil, global.json { throw ValidationError("use --format or --json, not both") }
    }

    /// The table that is wanted; nil for the lines without it.
    private var tableFormat: MarkerExport? {
        format ?? (header && !global.json && !Output.isTerminal ? .tsv : nil)
    }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let moments = try context.moments(since: since, until: until)
            if all { return try showAll(context, moments) }
            let path = try context.session(session)
            let question = try question(path, moments)
            let index = context.library.index(upToDateFor: path)
            if let index { try Self.tellProblems(question, index, context) }
            try show(question, index, context)
        }
    }

    /// Prints what is found; again where the file changes before anything of it has been printed.
    private func show(_ question: MarkersQuestion, _ index: JournalIndex?, _ context: CommandContext) throws {
        var hasBegun = false
        for attempt in 1... {
            do {
                let markers = try question.markers(by: attempt == 1 ? index : nil)
                if markers.count == 0, tableFormat == nil, !global.json {
                    if let tag, !Marker.isTag(tag.lowercased()) {
                        context.notice("warning: '\(tag)' is not a valid tag, so no marker has it")
                    }
                    return Output.line("no markers")
                }
                let (writer, escape) = try self.writer(of: markers)
                return try Output.paged(context.isPaged && tableFormat == nil) {
                    try Output.pieces(as: escape) { take in
                        try markers.write(writer) { piece in
                            hasBegun = true
                            try take(piece)
                        }
                    }
                }
            } catch let error as FileError
                where error.code == .changedMeanwhile && !hasBegun && attempt < Self.attemptLimit
            {}
        }
    }

    /// What writes the list, and how a terminal gets what it would obey.
    private func writer(
        of markers: OrderedMarkers
    ) throws -> (any MarkerWriter, VisibleText.Escape?) {
        if let format = tableFormat { return (try format.writer, format == .jsonl ? .json : .braces) }
        if global.json { return (MarkerArray(), .json) }
        guard Output.isTerminal else { return (MarkerColumns(), .braces) }
        return (try MarkerTable(markers), nil)
    }

    /// How often a file is read that changes meanwhile.
    private static let attemptLimit = 5

    private var tags: [String] { [tag, category?.rawValue].compactMap { $0?.lowercased() } }

    private func showAll(_ context: CommandContext, _ moments: ClosedRange<Timestamp>?) throws {
        let named = try (session ?? global.session).map { try context.session($0) }
        let fresh = FreshIndex(context.library, session: named, about: [.marker])
        var question = AllMarkersQuestion()
        question.tags = tags
        question.offsets = try OffsetRange.typed(from: offsetMin, upTo: offsetMax, Self.absolute)
        question.moments = moments
        let markers = MarkersEverywhere(
            context: context, fresh: fresh, question: question,
            form: tableFormat.map { .table($0) }
                ?? (global.json ? .array : Output.isTerminal ? .screen : .columns)
        )
        try Output.paged(context.isPaged && tableFormat == nil) { try markers.show() }
        try fresh.end()
    }

    /// An offset that means the same place in every session.
    private static func absolute(_ text: String) throws -> SessionOffset {
        do { return try OffsetRange.absolute(text) } catch let error as LibraryError
            where error.code == .offsetRelative
        {
            throw CommandFailure(
                .usage, error.message, cure: error.cure.map { $0 + ", or omit \(option: "all")" })
        }
    }

    private func question(_ path: FilePath, _ moments: ClosedRange<Timestamp>?) throws -> MarkersQuestion {
        let resolution = try OffsetResolution(in: path)
        let offsets = try OffsetRange.typed(from: offsetMin, upTo: offsetMax) {
            try resolution.offset($0, force: true)
        }
        var question = MarkersQuestion(of: path, offsets: offsets, tags: tags)
        if let moments { try question.restrict(to: moments, by: resolution.clock()) }
        return question
    }

    /// Says what keeps lines from being read.
    ///
    /// - Throws: ``UnreadableFile`` if the file can't be read: it may still hold markers.
    private static func tellProblems(
        _ question: MarkersQuestion, _ index: JournalIndex, _ context: CommandContext
    ) throws {
        let errors = try question.readingErrors(index)
        let file = RecordKind.marker.fileName
        if let whole = errors.file.first {
            context.notice("warning: \(file): \(whole.message)")
        } else if errors.lines > 0 {
            let what = errors.lines == 1 ? "a line" : "\(errors.lines) lines"
            context.notice("warning: \(what) of \(file) can't be read; 'trace validate' shows why")
        }
    }
}

extension MarkerExport {
    /// What writes the table of one session, which is the format of `trace export` of that name.
    fileprivate var writer: any MarkerWriter {
        get throws {
            let format: ExchangeFormat =
                switch self {
                case .csv: .csv
                case .tsv: .tsv
                case .jsonl: .jsonl
                }
            return try format.format(ExchangeContext())
        }
    }
}
