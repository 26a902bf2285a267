internal import ArgumentParser
internal import RecordFormat
internal import TraceConfiguration
internal import TraceDigest
internal import TraceFormat
internal import TraceLibrary
internal import TraceText

/// `trace action list`
struct ActionList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the runs of a session's actions.",
        discussion: """
            'requested' is what a phone has requested and has not been run yet: 'trace action run ID' runs it. With --json, an array.
            """)

    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @Flag(help: "Only requests that have not been run yet.")
    var requested = false
    @OptionGroup var list: ListOptions

    var global: GlobalOptions { list.global }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            ActionCommand.failInterrupted(context)
            let path = try context.session(session)
            let runs = try ActionsQuestion(
                session: path, stateDirectory: context.settings.stateDirectory,
                state: requested ? .requested : nil
            ).runs()
            if global.json { return Output.json(.array(runs.map(\.json))) }
            let table = list.table
            if runs.isEmpty {
                return table.printNothing(requested ? "no requests" : "no actions", RunAnswer.names, context)
            }
            if table.isOnScreen {
                let zone = try context.zone
                return ListScreen.show(RunAnswer.columns, runs.map { $0.row(zone) })
            }
            table.print(runs, RunAnswer.names, \.fields)
        }
    }
}

extension RunAnswer {
    fileprivate static let columns: [TerminalTable.Column] = [
        .whole("CREATED", rank: 5), .whole("STATE"), .text("ACTION", least: 10),
        .text("ERROR", least: 12, rank: 4),
        .whole("ID", rank: 8),
    ]

    fileprivate func row(_ zone: ZoneRules) -> [TerminalCell] {
        let style = isLiving ? .plain : run.status.style
        return [
            .moment(run.createdAt, in: zone), TerminalCell(state.rawValue, style), TerminalCell(run.action),
            TerminalCell(run.error ?? ""), TerminalCell(run.id.description, .faint),
        ]
    }

    fileprivate static let names = ["id", "state", "action", "created_at", "error"]

    fileprivate var fields: [String] {
        [
            run.id.description, state.rawValue, run.action, run.createdAt?.description ?? "",
            run.error ?? "",
        ]
    }
}
