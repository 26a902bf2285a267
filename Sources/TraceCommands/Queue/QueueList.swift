internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace queue list`
struct QueueList: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the entries waiting in the spools.",
        discussion: """
            With --all, also refused, dropped and applied entries, each with its state; this reads the sessions, \
            and finds records that have vanished since they were applied.
            """)

    @Flag(help: "All entries with their states.")
    var all = false
    @OptionGroup var list: ListOptions

    var global: GlobalOptions { list.global }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            if all { return try listAll(context) }
            var unreadable: CommandFailure?
            // Each is read when it is printed.
            let waiting = QueueQuestion(context.libraryWriter).waiting { unreadable = CommandFailure($0) }
            if global.json {
                Output.json(waiting.map { $0.json(.commandLine) })
            } else if waiting.isEmpty, unreadable == nil {
                list.table.printNothing("nothing waits", WaitingEntry.names, context)
            } else if list.table.isOnScreen {
                let screen = WaitingScreen(
                    in: try context.zone, sessions: context.libraryWriter.journalsByID())
                screen.show(waiting)
            } else {
                list.table.print(waiting, WaitingEntry.names, \.fields)
            }
            if let unreadable { throw unreadable }
        }
    }

    private func listAll(_ context: CommandContext) throws {
        var unreadable: (any StructuredError)?
        let items = try QueueQuestion(context.libraryWriter).all { unreadable = $0 }
        if global.json {
            Output.json(items.lazy.map { $0.json(.commandLine) })
        } else if items.isEmpty, unreadable == nil {
            list.table.printNothing("the queue is empty", QueueItem.names, context)
        } else if list.table.isOnScreen {
            ListScreen.show(QueueItem.columns, items.map(\.cells))
        } else {
            list.table.print(items, QueueItem.names, \.fields)
        }
        if let unreadable { throw unreadable }
    }
}

extension WaitingEntry {
    fileprivate static let names = ["id", "kind", "journal_id", "created_at", "device", "reason"]

    fileprivate var fields: [String] {
        guard let entry else { return [id.description, "unreadable", "", "", "", problem ?? ""] }
        return [
            entry.id.description, entry.kind.rawValue, entry.journalID.description,
            entry.createdAt.description, entry.device ?? "", reason ?? "",
        ]
    }
}

extension QueueItem {
    fileprivate static let names = ["state", "id", "kind", "journal_id", "journal_path", "reason"]

    fileprivate var fields: [String] {
        [
            state.name, id.description, entry?.kind.rawValue ?? "unreadable",
            entry?.journalID.description ?? "", session?.escaped ?? "", state.reason ?? "",
        ]
    }
}
