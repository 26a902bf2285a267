internal import ArgumentParser
internal import RecordFormat
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace session restore`
struct SessionRestore: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Bring a deleted session back, or list those in the bin.",
        discussion: """
            It is named by the directory that it had or has now, its id or the beginning of that, its title, or 'last' for the one that was deleted last. \
            It comes back to where it was; if that is taken, a number is put behind its name. Without a session, those in the \
            bin are listed, the last one first.
            """)

    @Argument(help: "The session; without one, list the bin.")
    var session: String?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let writer = context.libraryWriter
            guard let session = session else { return try list(writer.bin.items(), context) }
            let item = try writer.deleted(session, from: context.workingDirectory)
            let restored = try writer.restore(item)
            if restored.path != item.origin {
                context.notice("\(item.origin.escaped) is taken by another file or directory")
            }
            Output.done("restored: \(restored.path.escaped)", global.json ? restored.json(.commandLine) : nil)
        }
    }

    private func list(_ items: [Bin.Item], _ context: CommandContext) throws {
        if global.json {
            return Output.json(.array(items.map { $0.json(.commandLine) }))
        }
        guard !items.isEmpty else { return Output.line("the bin is empty") }
        let zone = try context.zone
        guard Output.isTerminal else {
            return Output.lines(
                items.map {
                    [
                        $0.deletedAt.description, ($0.session.id?.description ?? ""), $0.origin.escaped,
                        ($0.session.displayTitle ?? "").oneLine,
                    ].joined(separator: "\t")
                })
        }
        Output.paged(context.isPaged) {
            Output.lines(
                items.map { item in
                    let title = item.session.displayTitle.map { "  \($0.oneLine)" } ?? ""
                    return "\(zone.minuteText(item.deletedAt))  \(item.origin.escaped)\(title)"
                })
        }
    }
}
