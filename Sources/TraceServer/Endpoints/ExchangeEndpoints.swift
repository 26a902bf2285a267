internal import HTTPTypes
internal import NIOCore
internal import RecordFormat
internal import SystemPackage
internal import TraceAccess
internal import TraceConfiguration
internal import TraceExchange
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// Markers as other programs read and write them.
enum ExchangeEndpoints {
    static let all = [export, importMarkers, importFromPhone]

    private static let formats = ExchangeFormat.allCases.map(\.rawValue)

    private static let export = Endpoint(
        method: .get, path: "/sessions/{s}/export", id: "exportMarkers", access: .scope(.read),
        summary: "The markers in the format of another program",
        query: [
            DeclaredParameter(
                name: "format", type: .choice(formats), summary: "The format", isRequired: true),
            DeclaredParameter(
                name: "tag", type: .text(maxBytes: 200), summary: "Only markers with this tag",
                isRepeated: true),
            DeclaredParameter(
                name: "media", type: .text(maxBytes: 300),
                summary: "The recording from whose start times are counted, by id, path or kind"),
            DeclaredParameter(name: "lead", type: .offset, summary: "How much earlier markers are placed"),
            DeclaredParameter(
                name: "fps", type: .text(maxBytes: 20),
                summary: "Frames per second, for formats that count frames"),
        ],
        answers: [Outcome(status: 200, summary: "The file", types: ["application/octet-stream"])],
        work: .searching
    ) { call in
        let session = try call.session()
        let reader = try SessionReader(session.path)
        let header = try reader.readableHeader().session
        guard let format = call["format"].flatMap(ExchangeFormat.init(rawValue:)) else {
            throw Problem.notFound
        }
        let file = try ExportRequest(
            format, tags: call.query["tag"] ?? [], lead: call["lead"], frameRate: call["fps"],
            media: try call["media"].map { try header.mediaItem($0) }
        ).markers(of: reader, header, named: session.path.lastComponent?.escaped ?? "")
        let name = session.path.lastComponent?.bytes ?? Array("markers".utf8)
        return try Response(
            [
                .contentType: "application/octet-stream",
                .contentDisposition:
                    ContentDisposition(.attachment, fileName: name + Array(".\(format.rawValue)".utf8)).value,
            ], madeIn: call.context.settings.stateDirectory
        ) { written in _ = try file.write { try written.append($0) } }
    }

    /// The largest file that is imported, in bytes.
    private static let limit = 16 << 20
    /// The most that the phone app sends at once, in bytes: some ten thousand markers, of which each becomes an entry of the queue.
    private static let pendingLimit = 2 << 20

    private static let importMarkers = Endpoint(
        method: .post, path: "/sessions/{s}/import", id: "importMarkers", access: .scope(.mark),
        summary: "Adds the markers of another program's file; those that are already there are skipped",
        query: [
            DeclaredParameter(
                name: "format", type: .choice(formats),
                summary: "The format; detected from the contents if omitted"),
            DeclaredParameter(name: "dry_run", type: .boolean, summary: "Only say what would be added"),
            DeclaredParameter(
                name: "media", type: .text(maxBytes: 300),
                summary: "The recording from whose start times are counted"),
            DeclaredParameter(
                name: "tag", type: .text(maxBytes: 200), summary: "A tag to add to every marker",
                isRepeated: true),
            DeclaredParameter(
                name: "fps", type: .text(maxBytes: 20),
                summary: "Frames per second, for formats that count frames"),
            DeclaredParameter(
                name: "start", type: .text(maxBytes: 20),
                summary: "The time code at which the timeline begins, for edl and otio"),
            DeclaredParameter(
                name: "unit", type: .choice(of: TimeUnit.self),
                summary: "The unit of numbers without one, for csv and tsv"),
            DeclaredParameter(
                name: "replace", type: .boolean,
                summary:
                    "Give again what an earlier import of the same contents brought, instead of adding it beside that"
            ),
            DeclaredParameter(
                name: "replace_import", type: .text(maxBytes: 300),
                summary: "As replace, of the import that has this id"),
            DeclaredParameter(
                name: "strict", type: .boolean,
                summary: "Refuse the file if anything in it can't be understood, instead of leaving that out"),
        ],
        body: RequestBodyRule(types: ["*/*"], limit: limit, schema: .inline("{}")),
        answers: [
            .json(.component("ImportReport"), "What was, or would be, added"),
            .problem("To replace what others may have imported needs scope 'admin'", status: 403),
        ], work: .importing
    ) { call in
        let session = try call.session()
        let replaced =
            call["replace_import"].map { ReplacedImport.named($0) }
            ?? (call.flag("replace") ? .sameFile : nil)
        guard replaced == nil || call.visitor.scope.allows(.admin) else {
            throw Problem(
                .forbidden, "not-yours", "an import may bring markers of other people",
                cure: "use a token of scope 'admin'")
        }
        let target = try session.target()
        let request = ImportRequest(
            format: call["format"].flatMap(ExchangeFormat.init(rawValue:)), media: call["media"],
            tags: call.query["tag"] ?? [], frameRate: call["fps"], start: call["start"],
            unit: call["unit"].flatMap(TimeUnit.init(rawValue:)), isStrict: call.flag("strict"))
        let reading = try request.read(
            ImportSource(call.body, file: "the body"), extension: nil, for: target.session)
        if let problem = reading.problems.first {
            let more = reading.problems.count > 1 ? " (and \(reading.problems.count - 1) more)" : ""
            var refusal = Problem(
                .unprocessableContent, "import-refused", "\(problem.place): \(problem.message)\(more)",
                cure: problem.cure)
            refusal.parameters = Problem.exchangeParameters
            throw refusal
        }
        let isDryRun = call.flag("dry_run")
        let plan = try plan(
            reading.markers, replaced, SessionReader(target.directory), call.context.writer().writer(target),
            isDryRun: isDryRun)
        let form = call.form(session.index)
        return .json(
            plan.json(
                reading, isDone: !isDryRun, hint: { $0.text(overHTTPWith: Problem.exchangeParameters) }
            ) { $0.session(target, form) })
    }

    private static func plan(
        _ markers: MarkerImport, _ replaced: ReplacedImport?, _ session: SessionReader,
        _ writer: SessionWriter,
        isDryRun: Bool
    ) throws -> MarkerImport.Plan {
        guard let replaced, let source = markers.source else {
            return isDryRun ? try markers.plan(in: session) : try markers.runBesideOthers(writer)
        }
        guard isDryRun else { return try markers.run(writer, replacing: replaced) }
        return try markers.plan(in: session, replacing: writer.earlierImport(replaced, of: source))
    }

    private static let importFromPhone = Endpoint(
        method: .post, path: "/sessions/{s}/phone-import", id: "importFromPhone", access: .scope(.mark),
        summary: "Takes the phone app's pending arrays as they are; repeats add nothing",
        body: RequestBodyRule(
            types: ["application/json"], limit: pendingLimit,
            schema: .inline(#"{"type":["array","object"]}"#)),
        answers: [.json(.array(of: "QueueImportOutcome"), "The outcome of each")], work: .importing
    ) { call in
        let session = try call.session()
        guard let id = session.known.id else {
            throw Problem.noSessionID
        }
        let export = try PhoneExport(parsing: call.body, file: "the body")
        // The audio of its voice notes comes by itself; nothing of this machine is taken for it.
        let nowhere = call.context.settings.stateDirectory.appending("no-audio")
        let writer = call.context.writer()
        let outcomes = try writer.importFromPhone(
            [QueueImport.Source(export, audioDirectory: nowhere)], for: id, device: call.visitor.token?.name,
            deliveredBy: call.deliverer, allowance: call.context.memory.spoolAllowance)
        _ = try? writer.flush(retention: call.context.settings.queueRetention) { _ in }
        let form = call.form(session.index)
        return .json(.array(outcomes.map { $0.json(form) }))
    }
}
