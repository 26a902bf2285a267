internal import TraceAccess
internal import ArgumentParser
internal import RecordFormat
internal import TraceConfiguration
internal import TraceFiles
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace token list`
struct TokenList: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the tokens, and when each was used last.")

    @OptionGroup var list: ListOptions

    var global: GlobalOptions { list.global }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let tokens = try context.tokens.list()
            let uses = TokenUses(state: context.settings.stateDirectory)
            let rows = tokens.tokens.map { Row(token: $0, use: uses.last(of: $0.id)) }
            if global.json {
                Output.json(rows.lazy.map(\.json))
            } else if rows.isEmpty, tokens.damaged.isEmpty {
                list.table.printNothing("no tokens", Row.names, context)
            } else if list.table.isOnScreen {
                let zone = try context.zone
                ListScreen.show(Row.columns, rows.map { $0.cells(zone) })
            } else {
                list.table.print(rows, Row.names, \.fields)
            }
            try tokens.damaged.map { CommandFailure($0.problem) }.end()
        }
    }

    private struct Row {
        let token: AccessToken
        let use: TokenUse?
        private let now = Clock.now()

        init(token: AccessToken, use: TokenUse?) {
            self.token = token
            self.use = use
        }

        static let columns: [TerminalTable.Column] = [
            .text("NAME", least: 10), .whole("SCOPE"), .text("PERSON", least: 6, rank: 3),
            .text("SEES", least: 10, rank: 6), .whole("CREATED", rank: 2), .whole("EXPIRES", rank: 5),
            .whole("LAST USE", rank: 7), .text("ADDRESS", least: 9, rank: 4), .whole("ID", rank: 8),
        ]

        func cells(_ zone: ZoneRules) -> [TerminalCell] {
            let isExpired = token.isExpired(at: now)
            return [
                TerminalCell(token.name), TerminalCell(token.scope.rawValue), TerminalCell(token.person),
                TerminalCell(token.filter.shortCell), .day(token.createdAt, in: zone),
                TerminalCell(
                    token.expiresAt.map { zone.minuteText($0) + (isExpired ? " (expired)" : "") } ?? "",
                    isExpired ? .yellow : .plain),
                .moment(use?.at, in: zone), TerminalCell(use?.address ?? ""), .id(token.id),
            ]
        }

        static let names = [
            "id", "name", "person", "scope", "sees", "created_at", "expires_at", "last_used_at",
            "last_address",
        ]

        var fields: [String] {
            [
                token.id.description, token.name, token.person, token.scope.rawValue, token.filter.cell,
                token.createdAt.description, token.expiresAt?.description ?? "", use?.at.description ?? "",
                use?.address ?? "",
            ]
        }

        var json: JSONText { token.json(use, now: now, .commandLine) }
    }
}
