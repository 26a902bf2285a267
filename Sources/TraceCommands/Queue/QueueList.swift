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
    @OptionGroup var global: GlobalOptions

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
                Output.line("nothing waits")
            } else if Output.isTerminal {
                let screen = WaitingScreen(
                    in: try context.zone, sessions: context.libraryWriter.journalsByID())
                screen.show(waiting)
            } else {
                Output.lines(waiting.map { $0.columns.map(\.oneLine).joined(separator: "\t") })
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
            Output.line("the queue is empty")
        } else if Output.isTerminal {
            ListScreen.show(QueueItem.columns, items.map(\.cells))
        } else {
            Output.lines(items.lazy.map { $0.columns.map(\.oneLine).joined(separator: "\t") })
        }
        if let unreadable { throw unreadable }
    }
}

extension WaitingEntry {
    fileprivate var columns: [String] {
        guard let entry else { return [id.description, "unreadable", problem ?? ""] }
        let columns = [
            entry.id.description, entry.kind.rawValue, entry.journalID.description,
            entry.createdAt.description,
        ]
        // Columns are recognised by their places: one that is followed by another is there, if only empty.
        if let reason { return columns + [entry.device ?? "", reason] }
        return columns + (entry.device.map { [$0] } ?? [])
    }
}

extension QueueItem {
    fileprivate var columns: [String] {
        let what = entry?.kind.rawValue ?? "unreadable"
        let session = session?.lastComponent?.escaped ?? entry?.journalID.description ?? ""
        return [state.name, id.description, what, session] + (state.reason.map { [$0] } ?? [])
    }
}
