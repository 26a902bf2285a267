internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
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

    @Argument(help: "The entry's id, or its file's name.")
    var id: String
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let name = try EntryName(argument: id)
            let inspection = QueueInspection(context.queue, locate: context.libraryWriter.sessionsByID())
            let items = try inspection.items(of: name) { CommandFailure($0).tell() }
            guard !items.isEmpty else {
                throw FileError(
                    .noSuchEntry, "there is no entry \(name) in the queue",
                    hint: "'trace queue list --all' shows all entries")
            }
            if global.json { return Output.json(.array(items.map(\.json))) }
            // A script gets UTC.
            let zone = Output.isTerminal ? try context.zone : nil
            Output.line(items.map { $0.text(zone) }.joined(separator: "\n\n"))
        }
    }
}

extension EntryName {
    /// - Throws: ``CommandFailure`` with `.usage`.
    init(argument: String) throws {
        guard let name = EntryName(argument) else {
            throw CommandFailure(
                .usage, "'\(argument)' is not the id of a queue entry",
                hint: "write all 26 characters; 'trace queue list' shows them")
        }
        self = name
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
            lines.append(("session_id", "\(entry.sessionID)"))
        }
        if let session { lines.append(("session", session.escaped)) }
        if let entry {
            lines.append(("created_at", zone?.secondText(entry.createdAt) ?? entry.createdAt.description))
            if let device = entry.device { lines.append(("device", device)) }
        }
        lines.append(("state", state.name + (state.reason.map { ": \($0)" } ?? "")))
        lines.append(("file", file.escaped))
        if let attachment = entry?.attachment {
            lines.append(("audio", audio?.escaped ?? "\(attachment.name) (not found)"))
        }
        if let entry { lines.append(("payload", String(decoding: entry.payload, as: UTF8.self))) }
        return lines.map { "\($0.0): \($0.1.oneLine)" }.joined(separator: "\n")
    }

    /// The item with the keys of docs/cli-json.md.
    var json: JSONText {
        .object { object in
            object.member("id", JSONText(id))
            object.member("state", JSONText(state.name))
            object.member("reason", state.reason.map { JSONText($0) })
            object.member("place", JSONText(place.rawValue))
            object.member("file", JSONText(file.escaped))
            object.member("audio", audio.map { JSONText($0.escaped) })
            object.member("kind", entry.map { JSONText($0.kind.rawValue) })
            object.session(at: session, entry?.sessionID)
            object.member("created_at", entry.map { JSONText($0.createdAt) })
            object.member("device", entry?.device.map { JSONText($0) })
            object.member("payload", entry.map { JSONText(verbatim: $0.payload) })
        }
    }
}
