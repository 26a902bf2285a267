internal import SystemPackage
internal import TraceFormat
internal import TraceStore

/// Says what an import does, or would do.
struct ImportReport {
    let path: FilePath
    /// What a line for people calls the session.
    let name: String
    let sessionID: ULID?
    let format: ExchangeFormat
    let isJSON: Bool

    /// How many markers are shown before they are added.
    private static let shown = 40

    /// Prints all of it.
    func show(_ plan: MarkerImport.Plan, isDone: Bool, isWhole: Bool) {
        if isJSON { return Output.json(json(plan, isDone: isDone)) }
        showTable(plan, isWhole: isWhole)
        showSummary(plan, isDone: isDone)
    }

    /// Prints a line a marker.
    func showTable(_ plan: MarkerImport.Plan, isWhole: Bool) {
        let markers = isWhole ? plan.markers[...] : plan.markers.prefix(Self.shown)
        guard !markers.isEmpty else { return }
        let rows = markers.map { entry, result in
            [
                result.word, entry.offset.description, entry.duration?.description ?? "",
                Self.shortened(entry.label ?? ""), entry.tags.joined(separator: ","),
            ]
        }
        Output.line(Table(rows, header: ["", "TIME", "LENGTH", "LABEL", "TAGS"]).text)
        let more = plan.markers.count - markers.count
        if more > 0 { Output.line("… and \(more) more") }
    }

    func showSummary(_ plan: MarkerImport.Plan, isDone: Bool) {
        let parts = MarkerImport.Result.all.map { (plan.count($0), $0) }.filter { $0.0 > 0 }
        let words = parts.map { "\($0.0) \($0.1.phrase)" }.joined(separator: ", ")
        Output.line(
            "\(isDone ? "imported" : "would import"): \(words.isEmpty ? "nothing" : words)")
    }

    private static func shortened(_ label: String) -> String {
        let line = label.oneLine
        return line.count > 60 ? "\(line.prefix(59))…" : line
    }

    /// The import with the keys of docs/cli-json.md.
    private func json(_ plan: MarkerImport.Plan, isDone: Bool) -> JSONText {
        .object { object in
            object.member("path", JSONText(path.escaped))
            object.member("session_id", sessionID.map { JSONText($0) })
            object.member("format", JSONText(format.rawValue))
            object.member("done", JSONText(isDone))
            object.member("added", JSONText(Int64(plan.count(.added))))
            object.member("already_there", JSONText(Int64(plan.count(.alreadyThere))))
            object.member("differing", JSONText(Int64(plan.count(.differs))))
            object.member("markers", .array(plan.markers.map(Self.json)))
        }
    }

    private static func json(_ marker: (entry: ImportedMarker, result: MarkerImport.Result)) -> JSONText {
        let entry = marker.entry
        return .object { object in
            object.member("result", JSONText(marker.result.name))
            object.member("id", entry.id.map { JSONText($0) })
            object.member("offset_ms", JSONText(entry.offset))
            object.member("duration_ms", entry.duration.map { JSONText($0) })
            object.member("label", entry.label.map { JSONText($0) })
            object.member("tags", .array(entry.tags.map { JSONText($0) }))
            object.member("file", JSONText(entry.place.file))
            object.member("line", JSONText(Int64(entry.place.line)))
            object.member("byte_offset", JSONText(Int64(entry.place.byteOffset)))
        }
    }
}

extension MarkerImport.Result {
    static let all: [Self] = [.added, .alreadyThere, .differs]

    /// As `--json` names it.
    var name: String {
        switch self {
        case .added: "added"
        case .alreadyThere: "already-there"
        case .differs: "differs"
        }
    }

    /// In the table, where it has not been done yet.
    fileprivate var word: String {
        switch self {
        case .added: "add"
        case .alreadyThere: "there"
        case .differs: "differs"
        }
    }

    /// Behind a number.
    fileprivate var phrase: String {
        switch self {
        case .added: "added"
        case .alreadyThere: "already there"
        case .differs: "there with other contents"
        }
    }
}
