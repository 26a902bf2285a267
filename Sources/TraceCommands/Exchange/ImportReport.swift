internal import RecordFormat
internal import SystemPackage
internal import TraceExchange
internal import TraceFormat
internal import TraceLibrary
internal import TraceText

/// Reports what an import does, or would do.
struct ImportReport {
    let path: FilePath
    /// What a line for people calls the session.
    let name: String
    let sessionID: ULID?
    let reading: ImportRequest.Reading
    let isJSON: Bool

    /// How many markers are shown before they are added.
    private static let shown = 40

    /// Prints all of it.
    func show(_ plan: MarkerImport.Plan, isDone: Bool, isWhole: Bool) {
        if isDone { Output.note(done: summary(plan, isDone: isDone)) }
        if isJSON {
            return Output.json(
                plan.json(reading, isDone: isDone) { $0.session(at: path, sessionID, .commandLine) })
        }
        showTable(plan, isWhole: isWhole)
        showSummary(plan, isDone: isDone)
    }

    /// Prints a line a marker.
    func showTable(_ plan: MarkerImport.Plan, isWhole: Bool) {
        let rows = plan.items.prefix(isWhole ? .max : Self.shown).map { item in
            [
                item.result.word, item.marker.offset.description, item.marker.duration?.description ?? "",
                Self.shortened(item.marker.label ?? ""), item.marker.tags.joined(separator: ","),
            ]
        }
        let removed = plan.removed.prefix(isWhole ? .max : Self.shown).map { marker in
            [
                "remove", marker.offset.description, marker.duration?.description ?? "",
                Self.shortened(marker.label ?? ""), marker.tags.joined(separator: ","),
            ]
        }
        guard !rows.isEmpty || !removed.isEmpty else { return }
        let cells = (rows + removed).map { $0.map { TerminalCell($0) } }
        // A column in which nothing stands is there, too: it is a report, not a list.
        let table = ListScreen.table(
            [.whole(""), .whole("TIME"), .whole("LENGTH"), .whole("LABEL"), .whole("TAGS")], cells,
            isWhole: false)
        Output.lines([table.header] + cells.map(table.line))
        let more =
            MarkerImport.Result.all.reduce(plan.removed.count) { $0 + plan.count($1) } - rows.count
            - removed.count
        if more > 0 { Output.line("… and \(more) more") }
    }

    func showSummary(_ plan: MarkerImport.Plan, isDone: Bool) {
        if isDone { Output.note(done: summary(plan, isDone: isDone)) }
        Output.line(summary(plan, isDone: isDone))
    }

    /// What is asked before it is done.
    func question(_ plan: MarkerImport.Plan) -> String {
        let counts = [
            (plan.count(.added), "add"), (plan.count(.replaced), "change"), (plan.removed.count, "remove"),
        ].filter { $0.0 > 0 }
        let words = counts.enumerated().map { place, part in
            "\(part.1) \(place == 0 ? counted(part.0, "marker") : String(part.0))"
        }
        return
            "\(words.joined(separator: ", ")) \(counts.first?.1 == "add" && counts.count == 1 ? "to" : "in") \(name)?"
    }

    private func summary(_ plan: MarkerImport.Plan, isDone: Bool) -> String {
        let parts = MarkerImport.Result.all.map { (plan.count($0), $0) }.filter { $0.0 > 0 }
        let phrases =
            parts.map { "\($0.0) \($0.1.phrase)" }
            + (plan.removed.isEmpty ? [] : ["\(plan.removed.count) removed"])
        let words = phrases.joined(separator: ", ")
        return "\(isDone ? "imported" : "would import"): \(words.isEmpty ? "nothing" : words)"
    }

    private static func shortened(_ label: String) -> String {
        let line = label.oneLine
        return line.count > 60 ? "\(line.prefix(59))…" : line
    }
}

extension MarkerImport.Result {
    /// In the table, where it has not been done yet.
    fileprivate var word: String {
        switch self {
        case .added: "add"
        case .alreadyThere: "there"
        case .differs: "differs"
        case .replaced: "change"
        case .staysRemoved: "removed"
        }
    }

    /// Behind a number.
    fileprivate var phrase: String {
        switch self {
        case .added: "added"
        case .alreadyThere: "already there"
        case .differs: "there with different contents"
        case .replaced: "changed"
        case .staysRemoved: "removed since"
        }
    }
}
