internal import ArgumentParser
internal import SystemPackage
internal import TraceFormat
internal import TraceIndex
internal import TraceStore

/// `trace markers list`
struct MarkersList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", _superCommandName: "trace markers",
        abstract: "List the markers of a session, or of all, in the order of their offsets.",
        discussion: """
            One a line, separated by tabs: id, offset in milliseconds, label, tags, voice note; what a marker lacks is \
            left out. With --json an array of the records as they stand in the file, with --format a table with all columns.

            With --all, the markers of all sessions below the roots, in the order of the moments at which they stand; the \
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
        transform: oneOfItsWords)
    var category: MarkerCategory?
    @Option(parsing: .unconditional, help: "Only markers from this offset on.")
    var offsetMin: String?
    @Option(parsing: .unconditional, help: "Only markers up to this offset.")
    var offsetMax: String?
    @Option(help: ArgumentHelp("Only markers from this moment on.", valueName: "time"))
    var since: String?
    @Option(help: ArgumentHelp("Only markers up to this moment, or the end of this day.", valueName: "time"))
    var until: String?
    @Option(
        help: "As a table for other programs: csv, tsv, or jsonl for the records themselves.",
        transform: oneOfItsWords)
    var format: MarkerExport?
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if format != nil, global.json { throw ValidationError("use --format or --json, not both") }
    }

    func run() throws {
        try CommandFailure.explaining {
            let moments = try TypedMoment.range(since: since, until: until)
            let workplace = try Workplace(global)
            if all { return try showAll(workplace, moments) }
            let path = try workplace.session(session)
            let filter = try filter(path, moments)
            let reading = MarkerReading(session: path, filter: filter)
            let index = workplace.index(upToDateFor: path)
            let markers = try index.flatMap { try? reading.read(from: $0) } ?? reading.readFile()
            let findings = try index.map { try Self.findings(of: path, in: $0) } ?? []
            // That there are no markers is not known.
            if let unreadable = findings.first(where: { $0.rule == .fileUnreadable }) {
                throw CommandFailure(unreadable: path.appending(RecordKind.marker.component), unreadable)
            }
            if let problem = Self.problem(findings) { workplace.notice(problem) }
            if let format { return MarkerTable(format: format).show(markers) }
            if global.json { return Output.json(.array(markers.map { JSONText(verbatim: $0.line) })) }
            if markers.isEmpty { return Output.line("no markers") }
            Output.paged(workplace.isPaged) {
                Output.lines(markers.lazy.map { Self.columns($0.value).joined(separator: "\t") })
            }
        }
    }

    private var tags: [String] { [tag, category?.rawValue].compactMap { $0?.lowercased() } }

    private func showAll(_ workplace: Workplace, _ moments: ClosedRange<Timestamp>?) throws {
        let named = try (session ?? global.session).map { try workplace.session($0) }
        let answering = Answering(workplace, session: named, about: [.marker])
        var filter = RecordFilter(answering.scope)
        filter.tags = tags
        filter.offsets = try range(Self.absolute)
        filter.moments = moments
        let found = try MarkersEverywhere(answering, filter)
        Output.paged(workplace.isPaged && format == nil) {
            found.show(asJSON: global.json, format: format, isWhole: answering.isWhole)
        }
        try answering.end()
    }

    /// An offset that means the same place in every session.
    private static func absolute(_ text: String) throws -> SessionOffset {
        guard case .absolute(let offset) = try OffsetExpression(text) else {
            throw CommandFailure(
                .usage, "'\(text)' is another place in each session",
                hint: "write an offset from the start, such as 2:00, or leave --all out")
        }
        return offset
    }

    private func filter(_ path: FilePath, _ moments: ClosedRange<Timestamp>?) throws -> MarkerReading.Filter {
        let resolution = try OffsetResolution(in: path)
        var offsets = try range { try resolution.offset($0, force: true) }
        if let moments {
            guard let start = resolution.session.startTime else {
                throw CommandFailure(
                    .badData, "--since and --until need the session's start_time, which can't be read")
            }
            offsets = offsets.clamped(to: moments, from: start)
        }
        return MarkerReading.Filter(offsets: offsets, tags: tags)
    }

    /// What lies between the two offsets that were typed.
    private func range(_ read: (String) throws -> SessionOffset) throws -> ClosedRange<SessionOffset> {
        let lower = try offsetMin.map(read) ?? .zero
        let upper = try offsetMax.map(read) ?? SessionOffset(milliseconds: .max)
        guard lower <= upper else {
            throw CommandFailure(.usage, "--offset-min \(lower) lies after --offset-max \(upper)")
        }
        return lower...upper
    }

    /// What keeps the file, or lines of it, from being read at all.
    private static func findings(of session: FilePath, in index: SessionIndex) throws -> [Finding] {
        try index.findings(of: session, severity: .error).map(\.finding).filter {
            $0.place.file == RecordKind.marker.fileName && Rule.reading.contains($0.rule)
        }
    }

    /// What is to be said of that, or nil.
    private static func problem(_ findings: [Finding]) -> String? {
        let file = RecordKind.marker.fileName
        if let whole = findings.first(where: { $0.place.line == 0 }) {
            return "warning: \(file): \(whole.message)"
        }
        let lines = Set(findings.map(\.place.line))
        guard !lines.isEmpty else { return nil }
        let what = lines.count == 1 ? "a line" : "\(lines.count) lines"
        return "warning: \(what) of \(file) can't be read; 'trace validate' tells why"
    }

    private static func columns(_ marker: Marker) -> [String] {
        columns(
            id: marker.id, offset: marker.offset, label: marker.label, tags: marker.tags,
            voiceNote: marker.voiceNoteID)
    }

    static func columns(
        id: ULID?, offset: SessionOffset, label: String?, tags: [String], voiceNote: ULID?
    ) -> [String] {
        var columns = [id?.description ?? "", String(offset.milliseconds)]
        if let label, !label.isEmpty { columns.append(label.oneLine) }
        if !tags.isEmpty { columns.append(tags.joined(separator: ",").oneLine) }
        if let voiceNote { columns.append(voiceNote.description) }
        return columns
    }
}

extension ClosedRange<SessionOffset> {
    /// Those of the offsets that lie between two moments; where there are none, a range in which no marker can stand.
    fileprivate func clamped(to moments: ClosedRange<Timestamp>, from start: Timestamp) -> Self {
        func offset(_ moment: Timestamp) -> SessionOffset {
            SessionOffset(milliseconds: moment - start)
        }
        let lower = Swift.max(lowerBound, offset(moments.lowerBound))
        let upper = Swift.min(upperBound, offset(moments.upperBound))
        return lower <= upper
            ? lower...upper : SessionOffset(milliseconds: -1)...SessionOffset(milliseconds: -1)
    }
}
