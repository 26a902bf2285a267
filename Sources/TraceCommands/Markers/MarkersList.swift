internal import ArgumentParser
internal import SystemPackage
internal import TraceFormat
internal import TraceIndex
internal import TraceStore

/// `trace markers list`
struct MarkersList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the markers of a session in the order of their offsets.",
        discussion: """
            One a line, separated by tabs: id, offset in milliseconds, label, tags, voice note; what a marker lacks is \
            left out. With --json an array of the records as they stand in the file.
            """)

    @Argument(help: "The session.")
    var session: String?
    @Option(help: "Only markers with this tag.")
    var tag: String?
    @Option(parsing: .unconditional, help: "Only markers from this offset on.")
    var offsetMin: String?
    @Option(parsing: .unconditional, help: "Only markers up to this offset.")
    var offsetMax: String?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let workplace = try Workplace(global)
            let path = try workplace.session(session)
            let filter = try filter(path)
            let reading = MarkerReading(session: path, filter: filter)
            let index = workplace.index(upToDateFor: path)
            let markers = try index.flatMap { try? reading.read(from: $0) } ?? reading.readFile()
            if let problem = try index.flatMap({ try Self.problem(of: path, in: $0) }) {
                workplace.notice(problem)
            }
            if global.json { return Output.json(.array(markers.map { JSONText(verbatim: $0.line) })) }
            if markers.isEmpty { return Output.line("no markers") }
            for marker in markers { Output.line(Self.columns(marker.value).joined(separator: "\t")) }
        }
    }

    private func filter(_ path: FilePath) throws -> MarkerReading.Filter {
        let resolution = OffsetResolution(
            session: try SessionCandidate(reading: path).session,
            lastMarker: { try MarkerReading.lastOffset(in: path) },
            now: Clock.now())
        let lower = try offsetMin.map { try resolution.offset($0, force: true) } ?? .zero
        let upper =
            try offsetMax.map { try resolution.offset($0, force: true) } ?? SessionOffset(milliseconds: .max)
        guard lower <= upper else {
            throw CommandFailure(.usage, "--offset-min \(lower) lies after --offset-max \(upper)")
        }
        return MarkerReading.Filter(offsets: lower...upper, tag: tag?.lowercased())
    }

    /// That lines of the file can't be read at all, or nil.
    private static func problem(of session: FilePath, in index: SessionIndex) throws -> String? {
        let file = RecordKind.marker.fileName
        let findings = try index.findings(of: session, severity: .error).map(\.finding)
        let lines = Set(
            findings.filter { $0.place.file == file && Rule.reading.contains($0.rule) }.map(\.place.line))
        guard !lines.isEmpty else { return nil }
        let what = lines.count == 1 ? "a line" : "\(lines.count) lines"
        return "warning: \(what) of \(file) can't be read; 'trace validate' tells why"
    }

    private static func columns(_ marker: Marker) -> [String] {
        var columns = [marker.id.description, String(marker.offset.milliseconds)]
        if let label = marker.label, !label.isEmpty { columns.append(label.oneLine) }
        if !marker.tags.isEmpty { columns.append(marker.tags.joined(separator: ",").oneLine) }
        if let id = marker.voiceNoteID { columns.append(id.description) }
        return columns
    }
}
