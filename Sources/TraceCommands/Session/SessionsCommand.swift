internal import ArgumentParser
internal import RecordFormat
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
            'trace session close SESSION --at last' ends it at its last record. In a pipe, a line for each, its columns between tabs \
            (docs/command-line.md).
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
    @OptionGroup var list: ListOptions

    var global: GlobalOptions { list.global }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            var question = SessionsQuestion()
            question.moments = try context.moments(since: since, until: until)
            question.tags = tags
            question.status = status
            question.hasFindings = problems
            let library = context.library
            let fresh = FreshIndex(library, session: nil)
            let answer = try fresh.answer(comparing: { $0.rows.map(\.session.path) }) { index in
                try question.answer(
                    index, in: library, now: Clock.now(), staleAfter: context.settings.staleAfter)
            }
            try show(answer.rows, isWhole: fresh.isWhole, context)
            try fresh.end()
        }
    }

    private func show(_ rows: [SessionsAnswer.Row], isWhole: Bool, _ context: CommandContext) throws {
        if global.json { return Output.json(rows.lazy.map { $0.json(.commandLine) }) }
        let table = list.table
        guard !rows.isEmpty else {
            return isWhole ? table.printNothing("no sessions", SessionsAnswer.Row.columns, context) : ()
        }
        if table.isOnScreen {
            let zone = try context.zone
            return Output.paged(context.isPaged) {
                ListScreen.show(SessionsAnswer.Row.listColumns, rows.map { $0.cells(zone) })
            }
        }
        table.print(rows, SessionsAnswer.Row.columns, \.fields)
    }
}

extension SessionsAnswer.Row {
    fileprivate static let listColumns: [TerminalTable.Column] = [
        .whole("STARTED"), .number("LENGTH", rank: 7), .number("MARKERS", rank: 5), .number("NOTES", rank: 3),
        .whole("PROBLEMS", rank: 6), .text("TITLE", least: 12, rank: 8), .text("DIRECTORY", least: 20),
    ]

    /// Of a session that has no length yet, its state is there.
    fileprivate func cells(_ zone: ZoneRules) -> [TerminalCell] {
        let worst = Rule.Severity.allCases.first { session.findingCounts[$0] ?? 0 > 0 }
        return [
            session.startTime.map { .moment($0, in: zone) } ?? TerminalCell("?"),
            session.duration.map { TerminalCell($0.clock) } ?? state,
            TerminalCell("\(session.counts[.marker] ?? 0)"),
            TerminalCell("\(session.counts[.voiceNote] ?? 0)"),
            TerminalCell(
                worst.map { counted(session.findingCounts[$0] ?? 0, $0.rawValue) } ?? "",
                worst?.style ?? .plain),
            TerminalCell(session.displayTitle ?? ""), .directory(session),
        ]
    }

    private var state: TerminalCell {
        if forgotten != nil { return TerminalCell("not closed", .yellow) }
        if session.pausedAt != nil { return TerminalCell("paused", .yellow) }
        guard session.status == .active else { return TerminalCell("unknown") }
        return TerminalCell("active", .green)
    }
}

extension SessionsAnswer.Row {
    fileprivate static let columns = [
        "session_id", "session_path", "title", "status", "start_time", "end_time", "duration_ms",
        "marker_count",
        "voice_note_count", "errors", "warnings", "online",
    ]

    fileprivate var fields: [String] {
        [
            session.id?.description ?? "", session.path.escaped, session.title ?? "",
            session.status?.rawValue ?? "", session.startTime?.description ?? "",
            session.endTime?.description ?? "", session.duration.map { "\($0.milliseconds)" } ?? "",
            "\(session.counts[.marker] ?? 0)", "\(session.counts[.voiceNote] ?? 0)",
            "\(session.findingCounts[.error] ?? 0)", "\(session.findingCounts[.warning] ?? 0)",
            "\(session.isOnline)",
        ]
    }
}
