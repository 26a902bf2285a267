internal import ArgumentParser
internal import RecordFormat
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace queue show ID`
struct QueueShow: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show an entry: its contents, its place and its state.",
        discussion: """
            States: waiting (and for what), conflict, rejected (and why), applied, record-vanished, removed, dropped. \
            An id that is in several places is shown once for each.
            """)

    @Argument(help: "The entry's id or a part of it, or its file's name.")
    var id: String
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let items = try QueueQuestion(context.libraryWriter).entries(
                named: EntryName(typed: id, in: context.queue)
            ) {
                CommandFailure($0).tell()
            }
            if global.json { return Output.json(.array(items.map { $0.json(.commandLine) })) }
            // A script gets UTC.
            let zone = Output.isTerminal ? try context.zone : nil
            Output.line(items.map { $0.text(zone) }.joined(separator: "\n\n"))
        }
    }
}

extension QueueItem {
    /// What is known of it, one thing a line.
    ///
    /// - Parameter zone: The zone in which to show when it was made; nil for UTC as in the file.
    fileprivate func text(_ zone: ZoneRules?) -> String {
        var lines = [("id", "\(id)")]
        if let entry {
            lines.append(("kind", entry.kind.rawValue))
            lines.append((entry.kind.journalKey, "\(entry.journalID)"))
        }
        if let session { lines.append((entry?.kind.journalNoun ?? "session", session.escaped)) }
        if let entry {
            lines.append(("created_at", zone?.secondText(entry.createdAt) ?? entry.createdAt.description))
            if let device = entry.device { lines.append(("device", device)) }
        }
        lines.append(("state", state.name + (state.reason.map { ": \($0)" } ?? "")))
        lines += state.conflicts.map { ("conflict", String(decoding: $0.json.bytes, as: UTF8.self)) }
        lines.append(("file", file.escaped))
        if let attachment = entry?.attachment {
            lines.append(("audio", audio?.escaped ?? "\(attachment.name) (not found)"))
        }
        if let entry { lines.append(("payload", String(decoding: entry.payload, as: UTF8.self))) }
        return lines.map { "\($0.0): \($0.1.oneLine)" }.joined(separator: "\n")
    }
}
