internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceIndex
internal import TraceLibrary
internal import TraceText

/// `trace timeline`
struct TimelineCommand: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "timeline", abstract: "Show what happened, in all journals, in true order.",
        discussion: """
            Without --day, --since and --until, it is the present day. Days and times are in the configured zone.

            One per line, separated by tabs: the time, the kind of journal, its title, the kind of entry, and the text; with --since or \
            --until, the time has its day and its zone. On a terminal, a table. A session that began then and has no marker or voice note is \
            shown at its start. Exit status 1 if nothing happened.
            """)

    @Option(help: ArgumentHelp("Only this day.", valueName: "day"), completion: .moments)
    var day: String?
    @Option(help: ArgumentHelp("Only from this moment on.", valueName: "time"), completion: .moments)
    var since: String?
    @Option(help: ArgumentHelp("Only up to this moment.", valueName: "time"), completion: .moments)
    var until: String?
    @Option(
        name: .customLong("kind"), help: "Only journals of this kind; may be repeated.",
        completion: .journalKinds, transform: journalKind)
    var kinds: [JournalKind] = []
    @Option(
        name: .customLong("journal"),
        help: ArgumentHelp(
            "Only this journal: its directory, id or title; may be repeated.", valueName: "journal"))
    var journals: [String] = []
    @OptionGroup var list: ListOptions

    var global: GlobalOptions { list.global }

    func validate() throws {
        if day != nil, since != nil || until != nil {
            throw ValidationError("use --day, or --since and --until, not both")
        }
    }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let zone = try context.zone
            let day = day ?? (since == nil && until == nil ? "today" : nil)
            var question = TimelineQuestion(
                try day.map { try TimeArgument.range(from: $0, upTo: $0) { zone } }
                    ?? context.moments(since: since, until: until))
            question.hasSilentSessions = true
            question.kinds = kinds.isEmpty ? nil : Set(kinds)
            let fresh = FreshIndex(context.library, session: nil)
            let answer = try fresh.answer { index in
                try question.answer(index, in: try scope(of: fresh, index, context))
            }
            if global.json {
                Output.json(answer.json(.commandLine))
            } else {
                let isDated = day == nil
                Output.paged(context.isPaged) {
                    guard list.table.isOnScreen else {
                        return list.table.print(
                            answer.fields(in: zone, isDated: isDated),
                            ["time", "kind", "title", "entry", "text"]
                        ) { $0 }
                    }
                    Self.show(answer.items, in: zone, isDated: isDated)
                }
            }
            try fresh.end()
            guard answer.isEmpty else { return }
            context.notice("nothing happened then")
            throw CommandFailure(.negative, nil)
        }
    }

    /// A table of what happened; with days where there may be several.
    private static func show(_ items: [TimelineAnswer.Item], in zone: ZoneRules, isDated: Bool) {
        if items.isEmpty { return }
        let columns: [TerminalTable.Column] =
            (isDated ? [.whole("DATE")] : []) + [
                .whole("TIME"), .whole("KIND", rank: 5), .text("TITLE", least: 12, rank: 2),
                .whole("ENTRY", rank: 4), .text("TEXT", least: 24),
            ]
        ListScreen.show(
            columns,
            items.map { item in
                (isDated ? [.day(item.time, in: zone)] : []) + [
                    TerminalCell("\(zone.time(of: item.time)) \(zone.offset(at: item.time).label)"),
                    TerminalCell(item.kindName), TerminalCell(item.title), TerminalCell(item.entryName),
                    TerminalCell(item.text),
                ]
            })
    }

    private func scope(
        of fresh: FreshIndex, _ index: JournalIndex, _ context: CommandContext
    ) throws -> RecordFilter.Scope {
        guard !journals.isEmpty else { return fresh.scope }
        let known = try index.journals(fresh.scope)
        return .sessions(
            try journals.map { try JournalName($0).find(in: known, from: context.workingDirectory).path })
    }
}
