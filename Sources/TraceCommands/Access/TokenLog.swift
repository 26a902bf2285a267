internal import TraceAccess
internal import ArgumentParser
internal import RecordFormat
internal import TraceFiles
internal import TraceText

/// `trace token log`
struct TokenLog: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Show what was done to the tokens and with them, the latest last.")

    @OptionGroup var list: ListOptions

    var global: GlobalOptions { list.global }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let (events, problems) = try context.accessLog.events()
            if global.json {
                Output.json(events.lazy.map(\.json))
            } else if events.isEmpty, problems.isEmpty {
                list.table.printNothing("nothing was done", Self.names, context)
            } else if list.table.isOnScreen {
                let zone = try context.zone
                Output.paged(context.isPaged) {
                    ListScreen.show(Self.columns, events.map { Self.cells($0, zone) })
                }
            } else {
                list.table.print(events, Self.names, Self.fields)
            }
            try problems.map { CommandFailure($0) }.end()
        }
    }

    private static let columns: [TerminalTable.Column] = [
        .whole("TIME"), .whole("WHAT"), .number("COUNT", rank: 6), .text("TOKEN", least: 10),
        .text("USER", least: 6, rank: 5), .text("ADDRESS", least: 9, rank: 7),
        .text("SUBJECT", least: 10, rank: 4),
        .whole("ID", rank: 3),
    ]

    private static func cells(_ event: AccessEvent, _ zone: ZoneRules) -> [TerminalCell] {
        [
            .moment(event.at, in: zone), TerminalCell(event.kind.rawValue),
            TerminalCell(event.count.map { "\($0)" } ?? ""), TerminalCell(event.tokenName ?? ""),
            TerminalCell(event.user ?? ""), TerminalCell(event.address ?? ""),
            TerminalCell(event.subject ?? ""),
            .id(event.token),
        ]
    }

    private static let names = [
        "at", "what", "token_id", "token_name", "user", "address", "count", "subject",
    ]

    private static func fields(_ event: AccessEvent) -> [String] {
        [
            event.at.description, event.kind.rawValue, event.token?.description ?? "", event.tokenName ?? "",
            event.user ?? "", event.address ?? "", event.count.map { "\($0)" } ?? "", event.subject ?? "",
        ]
    }
}
