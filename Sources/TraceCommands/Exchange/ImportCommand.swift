internal import ArgumentParser
internal import SystemPackage
internal import TraceExchange
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace import FILE`
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", _superCommandName: "trace",
        abstract: "Import markers that another program has written into a session.",
        discussion: """
            Reads the formats of 'trace export', detected by contents and extension, or given by --format. What it would add is \
            shown first, and on a terminal you are asked. What the file has that is not taken is counted, with the reason. A marker that already exists (the same id, or the same time and \
            label) is skipped, so importing twice adds nothing; 'trace undo' undoes an import as a whole.

            --replace corrects an import: with another --fps, --start, --unit, --media, or another version of the file. What was edited \
            since keeps its edits, and what was removed since stays away.
            """)

    @Argument(help: "The file; - is standard input.", completion: .file())
    var file: String
    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @Option(
        name: .shortAndLong, help: "The format of the file.", completion: .words(ExchangeFormat.self),
        transform: parseChoice)
    var format: ExchangeFormat?
    @Option(
        help:
            "Times count from the start of this recording: its id or the beginning of it, its file, or 'review'."
    )
    var media: String?
    @Option(
        name: .customLong("tag"), help: "A tag for all imported markers; may be repeated.", completion: .tags)
    var tags: [String] = []
    @Option(help: "Frames a second, for edl: 24, 25, 29.97, 30, …")
    var fps: String?
    @Option(help: "The time code at which the timeline begins, for edl and otio: 01:00:00:00, 0.")
    var start: String?
    @Option(
        help: "The unit of numbers without one, for csv and tsv: s or ms.", completion: .words(TimeUnit.self),
        transform: parseChoice)
    var unit: TimeUnit?
    @Flag(name: [.customShort("n"), .long], help: "Only show what would be added.")
    var dryRun = false
    @Flag(name: .shortAndLong, help: "Don't ask.")
    var yes = false
    @Flag(help: "Allow markers after the session's end.")
    var force = false
    @Flag(
        help: "Give again what an earlier import of the same file brought, instead of adding it beside that.")
    var replace = false
    @Option(
        help: ArgumentHelp(
            "As --replace, of the import that has this id or brought the file of this name.",
            valueName: "import"))
    var replaceImport: String?
    @Flag(help: "Refuse the file if anything in it can't be understood, instead of leaving that out.")
    var strict = false
    @OptionGroup var global: GlobalOptions

    /// The largest file that is read, in bytes.
    private static let limit: Int64 = 256 << 20

    func run() throws {
        try CommandFailure.explaining {
            try TagArgument.check(tags)
            let context = try CommandContext(global)
            let target = try context.target(session)
            let path = target.path
            let header = try SessionReader(target.directory).settledHeader().session
            let reading = try read(context, header)
            let markerImport = reading.markers
            let replaced = replaceImport.map { ReplacedImport.named($0) } ?? (replace ? .sameFile : nil)
            let writer = context.writer(target)
            let plan = try markerImport.plan(
                in: SessionReader(target.directory), replacing: earlier(replaced, markerImport, writer))
            let report = ImportReport(
                path: path, name: context.name(of: path, typed: session), sessionID: header.id,
                reading: reading,
                isJSON: global.json)
            if dryRun || plan.changesNothing {
                for notice in plan.notices { context.notice(notice.text) }
                // What an import left that was killed is finished by the same again.
                let done = dryRun ? plan : try run(markerImport, replaced, writer)
                return Output.paged(context.isPaged) { report.show(done, isDone: !dryRun, isWhole: dryRun) }
            }
            if !global.json { report.showTable(plan, isWhole: false) }
            if !yes, !Confirmation.isGiven(for: report.question(plan)) {
                throw CommandFailure(.negative, "nothing was imported")
            }
            let done = try run(markerImport, replaced, writer)
            if !done.changesNothing { context.notice(writtenInto: target) }
            for notice in done.notices { context.notice(notice.text) }
            if global.json {
                report.show(done, isDone: true, isWhole: true)
            } else {
                report.showSummary(done, isDone: true)
            }
        }
    }

    private func earlier(
        _ replaced: ReplacedImport?, _ markers: MarkerImport, _ writer: SessionWriter
    ) throws -> EarlierImport? {
        guard let replaced, let source = markers.source else { return nil }
        return try writer.earlierImport(replaced, of: source)
    }

    private func run(
        _ markers: MarkerImport, _ replaced: ReplacedImport?, _ writer: SessionWriter
    ) throws -> MarkerImport.Plan {
        if let replaced { return try markers.run(writer, replacing: replaced) }
        return try markers.run(writer)
    }

    private func read(_ context: CommandContext, _ header: Session) throws -> ImportRequest.Reading {
        let text = try context.contents(ofFile: file, limit: Self.limit)
        let name = file == "-" ? "standard input" : FilePath(argument: file).escaped
        let suffix = file == "-" ? nil : FilePath(argument: file).extension
        let request = ImportRequest(
            format: format, media: media, tags: tags, frameRate: fps, start: start, unit: unit,
            isForced: force, isStrict: strict)
        let reading = try request.read(
            ImportSource(text, file: name), extension: suffix,
            at: file == "-" ? nil : context.absolute(FilePath(argument: file)), for: header)
        for notice in reading.notices { context.notice(notice.text) }
        try refuse(reading.problems)
        return reading
    }

    /// How many problems of a file are shown.
    private static let shownProblems = 10

    /// Ends the command where something can't be read.
    private func refuse(_ problems: [ExchangeProblem]) throws {
        guard let first = problems.first else { return }
        guard problems.count > 1 else { throw CommandFailure(.badData, first.description) }
        for problem in problems.prefix(Self.shownProblems) { Output.error("error: \(problem)") }
        throw CommandFailure(
            .badData, "nothing was imported: \(problems.count) problems",
            cure: problems.count > Self.shownProblems ? "only the first \(Self.shownProblems) are shown" : nil
        )
    }
}
