internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore

/// `trace queue add …`
struct QueueAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Put a marker, a voice note, a change or another write into the queue.",
        discussion: "The session or journal need not exist yet; the entry waits until it does.",
        subcommands: [
            QueueAddMarker.self, QueueAddMarkerEdit.self, QueueAddMarkerRemove.self, QueueAddVoiceNote.self,
            QueueAddVoiceNoteEdit.self, QueueAddVoiceNoteRemove.self, QueueAddSession.self,
        ] + AllKindCommands.queueGroups)
}

/// The options of every queue entry.
struct EntryOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: "Where: 120000, 2:00, 90s.")
    var offset: String
    @Option(help: "The name of this device.", transform: words)
    var device: String?
    @OptionGroup var global: GlobalOptions

    /// The offset, from the start of the session.
    func place() throws -> SessionOffset { try OffsetExpression.fromStart(offset) }

    /// Puts the entry into the local spool, and says so.
    func add(_ entry: SpoolEntry, attachment: FilePath? = nil, _ context: CommandContext) throws {
        try context.libraryWriter.enqueue(entry, attachment: attachment, as: .queueAdd)
        Output.done("queued: \(entry.id)", global.json ? entry.json : nil)
    }
}

/// `trace queue add marker`
struct QueueAddMarker: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "marker", abstract: "Queue a marker.")

    @Option(parsing: .unconditional, help: "What it is called.", transform: words)
    var label: String?
    @Option(parsing: .unconditional, help: "More words.", transform: words)
    var note: String?
    @Option(name: .customLong("tag"), help: "A tag; may be repeated.", completion: .tags)
    var tags: [String] = []
    @OptionGroup var options: EntryOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(options.global)
            let now = Clock.now()
            let marker = Marker(
                id: IDGenerator.next(), offset: try options.place(), createdAt: now, label: label, note: note,
                tags: tags.filter { !$0.isEmpty })
            let entry = SpoolEntry(
                marker, for: try context.sessionID(nil), at: now, device: options.device)
            try options.add(entry, context)
        }
    }
}

/// `trace queue add voice-note`
struct QueueAddVoiceNote: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "voice-note", abstract: "Queue a voice note with its audio.")

    @Option(help: "The audio file; it is copied.")
    var mediaFile: String
    @Option(help: "The duration: 4200, 4.2s; by default, read from the file.")
    var duration: String?
    @Option(parsing: .unconditional, help: "What is said.", transform: words)
    var text: String?
    @OptionGroup var options: EntryOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(options.global)
            let now = Clock.now()
            let id = IDGenerator.next()
            let file = context.absolute(FilePath(argument: mediaFile))
            let name = "\(id)\(file.extension.map { ".\($0)" } ?? "")"
            let note = VoiceNote(
                id: id, createdAt: now, mediaPath: "\(SessionLayout.media)/\(name)",
                offset: try options.place(),
                duration: try context.voiceNoteLength(typed: duration, of: file), transcript: text)
            let session = try context.sessionID(nil)
            let entry = SpoolEntry(
                note, try Spool.attachment(for: file, named: name), for: session, at: now,
                device: options.device)
            try options.add(entry, attachment: file, context)
        }
    }
}
