internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceDigest
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace sessions`
struct SessionsCommand: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "List the sessions of the configured roots, the latest first.",
        discussion: """
            An active session in which nothing has happened for stale_after (12 hours) is shown as not closed on a terminal; \
            'trace session close SESSION --at last' ends it at its last record.
            """)

    @Option(
        help: ArgumentHelp("Only sessions that started at this moment or later.", valueName: "time"),
        completion: .moments)
    var since: String?
    @Option(
        help: ArgumentHelp(
            "Only sessions that started before this moment, or the end of this day.", valueName: "time"),
        completion: .moments)
    var until: String?
    @Option(
        name: .customLong("tag"), help: "Only sessions with a marker that has this tag; may be repeated.",
        completion: .tags)
    var tags: [String] = []
    @Option(
        help: "Only sessions with this status: active or closed.", completion: .words(Session.Status.self),
        transform: parseChoice)
    var status: Session.Status?
    @Flag(help: "Only sessions with findings.")
    var problems = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let moments = try context.moments(since: since, until: until)
            let library = context.library
            let fresh = FreshIndex(library, session: nil)
            let known = try fresh.answer { try library.list($0, tagged: tags) }
            let rows = known.filter { session in
                (moments == nil || session.startTime.map { moments?.contains($0) ?? true } ?? false)
                    && (status == nil || session.status == status)
                    && (!problems || session.findingCounts.values.contains { $0 > 0 })
            }
            try show(rows, isWhole: fresh.isWhole, context)
            try fresh.end()
        }
    }

    private func show(_ rows: [IndexedSession], isWhole: Bool, _ context: CommandContext) throws {
        let now = Clock.now()
        func forgotten(_ session: IndexedSession) -> ForgottenSession? {
            session.forgotten(now: now, after: context.settings.staleAfter)
        }
        if global.json { return Output.json(rows.lazy.map { $0.json(forgotten($0)) }) }
        guard !rows.isEmpty else { return isWhole ? Output.line("no sessions") : () }
        if Output.isTerminal {
            let zone = try context.zone
            return Output.paged(context.isPaged) {
                ListScreen.show(IndexedSession.listColumns, rows.map { $0.cells(zone, forgotten($0)) })
            }
        }
        let table = Table(
            rows.map(\.columns),
            header: ["STARTED", "STATUS", "LENGTH", "MARKERS", "NOTES", "PROBLEMS", "SESSION"])
        Output.paged(context.isPaged) { Output.line(table.text) }
    }
}

extension IndexedSession {
    fileprivate static let listColumns: [TerminalTable.Column] = [
        .whole("STARTED"), .number("LENGTH", rank: 7), .number("MARKERS", rank: 5), .number("NOTES", rank: 3),
        .whole("PROBLEMS", rank: 6), .text("TITLE", least: 12, rank: 8), .text("DIRECTORY", least: 20),
    ]

    /// Of a session that has no length yet, its state is there.
    fileprivate func cells(_ zone: ZoneRules, _ forgotten: ForgottenSession?) -> [TerminalCell] {
        let worst = Rule.Severity.allCases.first { findingCounts[$0] ?? 0 > 0 }
        return [
            startTime.map { .moment($0, in: zone) } ?? TerminalCell("?"),
            duration.map { TerminalCell($0.clock) }
                ?? state(forgotten),
            TerminalCell("\(counts[.marker] ?? 0)"), TerminalCell("\(counts[.voiceNote] ?? 0)"),
            TerminalCell(
                worst.map { counted(findingCounts[$0] ?? 0, $0.rawValue) } ?? "", worst?.style ?? .plain),
            TerminalCell(displayTitle ?? ""), .directory(self),
        ]
    }

    private func state(_ forgotten: ForgottenSession?) -> TerminalCell {
        if forgotten != nil { return TerminalCell("not closed", .yellow) }
        if pausedAt != nil { return TerminalCell("paused", .yellow) }
        guard status == .active else { return TerminalCell("unknown") }
        return TerminalCell("active", .green)
    }

    fileprivate var columns: [String] {
        [
            startTime.map(ZoneRules.utc.minute) ?? "?",
            (status?.rawValue ?? "?") + (isOnline ? "" : ", offline"),
            duration?.clock ?? "", "\(counts[.marker] ?? 0)",
            "\(counts[.voiceNote] ?? 0)", problems,
            listName,
        ]
    }

    private var problems: String {
        let counts = Rule.Severity.allCases.compactMap { severity in
            findingCounts[severity].map { counted($0, severity.rawValue) }
        }
        return counts.joined(separator: ", ")
    }

    fileprivate func json(_ forgotten: ForgottenSession?) -> JSONText {
        .object { object in
            object.member("session_path", JSONText(path.escaped))
            object.member("session_id", id.map { JSONText($0) } ?? .null)
            object.member("title", title.map { JSONText($0) })
            object.member("status", status.map { JSONText($0.rawValue) } ?? .null)
            object.member("start_time", startTime.map { JSONText($0) } ?? .null)
            object.member("online", JSONText(isOnline))
            object.member("end_time", endTime.map { JSONText($0) })
            object.member("duration_ms", duration.map { JSONText($0) })
            object.member("paused_at_ms", pausedAt.map { JSONText($0) })
            object.member("forgotten_since", (forgotten?.lastActivity).map { JSONText($0) })
            object.member("marker_count", JSONText(Int64(counts[.marker] ?? 0)))
            object.member("voice_note_count", JSONText(Int64(counts[.voiceNote] ?? 0)))
            object.member("errors", JSONText(Int64(findingCounts[.error] ?? 0)))
            object.member("warnings", JSONText(Int64(findingCounts[.warning] ?? 0)))
        }
    }
}
