internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
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
            shown first, and on a terminal you are asked. A marker that already exists (the same id, or the same time and \
            label) is skipped, so importing twice adds nothing; 'trace undo' undoes an import as a whole.
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
    @Flag(name: [.customShort("n"), .long], help: "Only show what would be added.")
    var dryRun = false
    @Flag(name: .shortAndLong, help: "Don't ask.")
    var yes = false
    @Flag(help: "Allow markers after the session's end.")
    var force = false
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
            let (markerImport, known) = try read(context, header)
            try refuse(markerImport.problems)
            let plan = try markerImport.plan(in: SessionReader(target.directory))
            let report = ImportReport(
                path: path, name: context.name(of: path, typed: session), sessionID: header.id,
                format: known,
                isJSON: global.json)
            if dryRun || plan.count(.added) == 0 {
                for notice in plan.notices { context.notice(notice) }
                // What an import left that was killed is finished by the same again.
                let done = dryRun ? plan : try markerImport.run(context.writer(target))
                return Output.paged(context.isPaged) { report.show(done, isDone: !dryRun, isWhole: dryRun) }
            }
            if !global.json { report.showTable(plan, isWhole: false) }
            if !yes,
                !Confirmation.isGiven(for: "add \(counted(plan.count(.added), "marker")) to \(report.name)?")
            {
                throw CommandFailure(.negative, "nothing was imported")
            }
            let done = try markerImport.run(context.writer(target))
            if done.count(.added) > 0 { context.notice(writtenInto: target) }
            for notice in done.notices { context.notice(notice) }
            if global.json {
                report.show(done, isDone: true, isWhole: true)
            } else {
                report.showSummary(done, isDone: true)
            }
        }
    }

    // MARK: - Reading

    private func read(
        _ context: CommandContext, _ header: Session
    ) throws -> (markers: MarkerImport, known: ExchangeFormat) {
        let text = try context.contents(ofFile: file, limit: Self.limit)
        let name = file == "-" ? "standard input" : FilePath(argument: file).escaped
        let suffix = file == "-" ? nil : FilePath(argument: file).extension
        guard let known = format ?? ExchangeFormat.guess(text, extension: suffix) else {
            let names = ExchangeFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandFailure(
                .usage, "\(name): the format can't be detected from the contents",
                hint: "give --format: one of \(names)")
        }
        try refuseFrameRate(fps, for: known, among: [.edl])
        var exchange = ExchangeContext()
        exchange.frameRate = try frameRate(fps)
        let format = try known.format(exchange)
        let origin = try media.map { try header.mediaItem($0) }?.startOffset ?? .zero
        var markers = try MarkerImport(format, size: text.count)
        var misplaced: [ExchangeProblem] = []
        var intake = MarkerSink { marker in
            var marker = marker
            if let problem = place(&marker, from: origin, header) {
                misplaced.append(problem)
            } else {
                markers.add(marker)
            }
        }
        format.read(ImportSource(text, file: name), into: &intake)
        for notice in intake.notices.prefix(Self.shownProblems) { context.notice(notice) }
        try refuse((intake.problems + misplaced).sorted { $0.place.byteOffset < $1.place.byteOffset })
        return (markers, known)
    }

    /// Counts from the session's start, and adds the tags.
    ///
    /// - Returns: Why it can't be there.
    private func place(
        _ marker: inout ImportedMarker, from origin: SessionOffset, _ header: Session
    ) -> ExchangeProblem? {
        let (offset, overflow) = marker.offset.milliseconds.addingReportingOverflow(origin.milliseconds)
        let new = tags.filter { !marker.tags.contains($0) }
        if origin != .zero || !new.isEmpty { marker.line = nil }
        marker.offset = SessionOffset(milliseconds: offset)
        marker.tags += new
        guard !overflow, offset >= 0 else {
            return ExchangeProblem(
                marker.place, "the marker is before the start of the session",
                hint: "give the recording from which the times count with --media, or correct them")
        }
        if !force, header.status == .closed, let end = header.duration, marker.offset > end {
            return ExchangeProblem(
                marker.place, "the marker is at \(marker.offset), after the session's end at \(end)",
                hint: "check that this is the right session; --force adds it anyway")
        }
        return nil
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
            hint: problems.count > Self.shownProblems ? "only the first \(Self.shownProblems) are shown" : nil
        )
    }
}
