internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// The waiting entries as a table on a terminal.
struct WaitingScreen {
    private static let columns: [TerminalTable.Column] = [
        .whole("QUEUED", rank: 5), .text("SESSION", least: 12), .text("WHAT", least: 12),
        .text("DEVICE", least: 8, rank: 4),
        .whole("ID", rank: 8),
    ]
    /// Of voice notes whose audio has not come; most lists have none.
    private static let reason = TerminalTable.Column.text("REASON", least: 12, rank: 3)

    private let zone: ZoneRules
    private let sessions: (ULID) -> [FilePath]

    /// - Parameters:
    ///   - zone: That of the times.
    ///   - sessions: The directories of the sessions with an id.
    init(in zone: ZoneRules, sessions: @escaping (ULID) -> [FilePath]) {
        self.zone = zone
        self.sessions = sessions
    }

    /// Prints the entries, each of which is read when it is its turn.
    func show(_ entries: some RandomAccessCollection<WaitingEntry>) {
        let sample = entries.prefix(ListScreen.sampleSize)
        let hasReasons = sample.contains { $0.reason != nil }
        func cells(_ entry: WaitingEntry) -> [TerminalCell] {
            self.cells(of: entry) + (hasReasons ? [TerminalCell(entry.reason ?? "")] : [])
        }
        let table = ListScreen.table(
            Self.columns + (hasReasons ? [Self.reason] : []), sample.map(cells),
            isWhole: sample.count == entries.count)
        Output.lines(CollectionOfOne(table.header))
        Output.lines(entries.lazy.map { table.line(cells($0)) })
    }

    private func cells(of waiting: WaitingEntry) -> [TerminalCell] {
        let id = TerminalCell(waiting.id.description, .faint)
        guard let entry = waiting.entry else {
            return [
                TerminalCell(), TerminalCell("unreadable", .red), TerminalCell(waiting.problem ?? ""),
                TerminalCell(), id,
            ]
        }
        return [
            .moment(entry.createdAt, in: zone), .session(of: entry, at: sessions(entry.journalID).first),
            .contents(of: entry), TerminalCell(entry.device ?? ""), id,
        ]
    }
}

extension QueueItem {
    static let columns: [TerminalTable.Column] = [
        .whole("STATE"), .text("SESSION", least: 12), .text("WHAT", least: 12),
        .text("REASON", least: 12, rank: 4),
        .whole("ID", rank: 8),
    ]

    var cells: [TerminalCell] {
        [
            TerminalCell(state.name, state.style),
            entry.map { .session(of: $0, at: session) } ?? TerminalCell(),
            entry.map { .contents(of: $0) } ?? TerminalCell("unreadable", .red),
            TerminalCell(state.reason ?? ""), TerminalCell(id.description, .faint),
        ]
    }
}

extension QueueItem.State {
    fileprivate var style: TerminalStyle {
        switch self {
        case .waiting, .unreadable: .yellow
        case .conflict, .changedMeanwhile, .rejected, .recordVanished: .red
        case .applied: .green
        case .removed, .dropped: .plain
        }
    }
}

extension TerminalCell {
    /// The directory of an entry's session, or the end of its id if it is not available.
    fileprivate static func session(of entry: SpoolEntry, at path: FilePath?) -> TerminalCell {
        if let path { return TerminalCell(path.lastComponent?.escaped ?? path.escaped) }
        return TerminalCell("…\(entry.journalID.description.suffix(6)) (not found)", .faint)
    }

    /// What an entry brings: `marker 2:00.0 Too fast`.
    fileprivate static func contents(of entry: SpoolEntry) -> TerminalCell {
        guard let kind = entry.kind.recordKind else { return TerminalCell(entry.kind.noun) }
        let record = WrittenSubject.Record(kind, entry.id, entry.payload)
        let what = entry.kind.rawValue.replacing("_", with: " ")
        return TerminalCell(
            [what, record.offset?.tenths, record.label].compactMap(\.self).joined(separator: " "))
    }
}
