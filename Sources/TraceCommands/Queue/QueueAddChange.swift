internal import ArgumentParser
internal import RecordFormat
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// The options of every entry that changes a session.
struct ChangeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("When that was, if not now.", valueName: "time"))
    var at: String?
    @Option(help: "The name of this device.", transform: words)
    var device: String?
    @OptionGroup var global: GlobalOptions

    /// Puts the entry into the local spool, and says so.
    func add(_ kind: EntryOperation, _ fill: (inout QueuedChange) throws -> Void = { _ in }) throws {
        let context = try CommandContext(global)
        var change = QueuedChange()
        change.device = device
        change.moment = try at.map { try context.past($0, "--at") }
        try fill(&change)
        let entry = try context.libraryWriter.enqueue(
            change, kind, for: context.sessionID(nil), in: try? context.target(nil))
        Output.done("queued: \(entry.id)", global.json ? entry.json : nil)
    }
}

/// The record that an entry changes.
struct ChangedRecordArguments: ParsableArguments {
    @Argument(help: "The id of the record; a part of it, last or @1:30 where the session is here.")
    var id: String
    @Option(help: "What is there now, as a JSON object; by default, what the session has.")
    var was: String?

    func fill(_ change: inout QueuedChange) {
        change.record = id
        change.was = was
    }
}

/// `trace queue add marker-edit ID`
struct QueueAddMarkerEdit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "marker-edit", abstract: "Queue a change of a marker.",
        discussion: """
            What was changed otherwise in the meantime stays as it is: the entry is refused, with both values. The tags given \
            replace those that are there.
            """)

    @OptionGroup var record: ChangedRecordArguments
    @Option(parsing: .unconditional, help: "Where: 120000, 2:00, 90s.")
    var offset: String?
    @Option(parsing: .unconditional, help: "What it is called.", transform: words)
    var label: String?
    @Option(parsing: .unconditional, help: "More words.", transform: words)
    var note: String?
    @Option(name: .customLong("tag"), help: "A tag; may be repeated.", completion: .tags)
    var tags: [String] = []
    @Option(help: "The duration of what it marks.")
    var duration: String?
    @Option(help: "A field to clear: label, note, tags or duration; may be repeated.")
    var clear: [MarkerChange.Field] = []
    @OptionGroup var options: ChangeOptions

    func run() throws {
        try CommandFailure.explaining {
            try options.add(.editMarker) { change in
                record.fill(&change)
                if let offset {
                    change.set.append(("offset_ms", JSONText(try OffsetExpression.fromStart(offset))))
                }
                if let duration {
                    change.set.append(("duration_ms", JSONText(try OffsetExpression.duration(duration))))
                }
                if let label { change.set.append(("label", JSONText(label))) }
                if let note { change.set.append(("note", JSONText(note))) }
                if !tags.isEmpty { change.set.append(("tags", .array(tags.map { JSONText($0) }))) }
                for field in clear {
                    change.set.append((field == .duration ? "duration_ms" : field.rawValue, nil))
                }
            }
        }
    }
}

/// `trace queue add marker-remove ID`
struct QueueAddMarkerRemove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "marker-remove", abstract: "Queue the removal of a marker.",
        discussion: "Voice notes that refer to it then refer to no marker.")

    @OptionGroup var record: ChangedRecordArguments
    @OptionGroup var options: ChangeOptions

    func run() throws {
        try CommandFailure.explaining { try options.add(.removeMarker) { record.fill(&$0) } }
    }
}

/// `trace queue add voice-note-edit ID`
struct QueueAddVoiceNoteEdit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "voice-note-edit", abstract: "Queue a change of a voice note.")

    @OptionGroup var record: ChangedRecordArguments
    @Option(parsing: .unconditional, help: "Where: 120000, 2:00, 90s.")
    var offset: String?
    @Option(parsing: .unconditional, help: "What is said; '' for nothing.", transform: words)
    var text: String?
    @OptionGroup var options: ChangeOptions

    func run() throws {
        try CommandFailure.explaining {
            try options.add(.editVoiceNote) { change in
                record.fill(&change)
                if let offset {
                    change.set.append(("offset_ms", JSONText(try OffsetExpression.fromStart(offset))))
                }
                if let text { change.set.append(("transcript_text", text.isEmpty ? nil : JSONText(text))) }
            }
        }
    }
}

/// `trace queue add voice-note-remove ID`
struct QueueAddVoiceNoteRemove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "voice-note-remove", abstract: "Queue the removal of a voice note, with its audio.")

    @OptionGroup var record: ChangedRecordArguments
    @OptionGroup var options: ChangeOptions

    func run() throws {
        try CommandFailure.explaining { try options.add(.removeVoiceNote) { record.fill(&$0) } }
    }
}
