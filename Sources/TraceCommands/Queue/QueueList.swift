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
            let files = context.queue.spools.flatMap { spool -> [(Spool.File, Spool)] in
                do { return try spool.files().map { ($0, spool) } } catch {
                    unreadable = CommandFailure(error)
                    return []
                }
            }
            // Each is read when it is printed.
            let waiting = files.lazy.map(Waiting.init)
            if global.json {
                Output.json(waiting.map(\.json))
            } else if files.isEmpty, unreadable == nil {
                Output.line("nothing waits")
            } else if Output.isTerminal {
                let screen = WaitingScreen(
                    in: try context.zone, sessions: context.libraryWriter.sessionsByID())
                screen.show(files) { file in
                    let waiting = Waiting(file.0, file.1)
                    return (waiting.file.id, waiting.entry, waiting.problem)
                }
            } else {
                Output.lines(waiting.map { $0.columns.map(\.oneLine).joined(separator: "\t") })
            }
            if let unreadable { throw unreadable }
        }
    }

    private func listAll(_ context: CommandContext) throws {
        var unreadable: FileError?
        let inspection = QueueInspection(context.queue, locate: context.libraryWriter.sessionsByID())
        let items = try inspection.items { unreadable = $0 }
        if global.json {
            Output.json(items.lazy.map(\.json))
        } else if items.isEmpty, unreadable == nil {
            Output.line("the queue is empty")
        } else if Output.isTerminal {
            ListScreen.show(QueueItem.columns, items.map(\.cells))
        } else {
            Output.lines(items.lazy.map { $0.columns.map(\.oneLine).joined(separator: "\t") })
        }
        if let unreadable { throw unreadable }
    }

    /// An entry's file, and what can be read of it.
    private struct Waiting {
        let file: Spool.File
        let spool: Spool
        let entry: SpoolEntry?
        let problem: String?

        init(_ file: Spool.File, _ spool: Spool) {
            self.file = file
            self.spool = spool
            do {
                entry = try spool.read(file)
                problem = nil
            } catch {
                entry = nil
                problem = (error as? FormatError)?.message ?? "\(error)"
            }
        }

        var columns: [String] {
            guard let entry else { return [file.id.description, "unreadable", problem ?? ""] }
            let device = entry.device.map { [$0] } ?? []
            return [
                entry.id.description, entry.kind.rawValue, entry.sessionID.description,
                entry.createdAt.description,
            ] + device
        }

        var json: JSONText {
            .object { object in
                object.member("id", JSONText(file.id))
                object.member("spool", JSONText(spool.path.escaped))
                object.member("kind", entry.map { JSONText($0.kind.rawValue) })
                object.member("session_id", entry.map { JSONText($0.sessionID) })
                object.member("created_at", entry.map { JSONText($0.createdAt) })
                object.member("device", entry?.device.map { JSONText($0) })
                object.member("problem", problem.map { JSONText($0) })
            }
        }
    }
}

extension QueueItem {
    fileprivate var columns: [String] {
        let what = entry?.kind.rawValue ?? "unreadable"
        let session = session?.lastComponent?.escaped ?? entry?.sessionID.description ?? ""
        return [state.name, id.description, what, session] + (state.reason.map { [$0] } ?? [])
    }
}
