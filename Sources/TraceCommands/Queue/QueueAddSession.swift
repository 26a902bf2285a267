internal import ArgumentParser
internal import RecordFormat
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace queue add session`
struct QueueAddSession: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session", abstract: "Queue the deletion of a session, or its return.",
        subcommands: [QueueAddSessionRemove.self, QueueAddSessionRestore.self])
}

/// The options of an entry about a session as a whole.
struct WholeSessionOptions: ParsableArguments {
    @Option(help: "The name of this device.", transform: words)
    var device: String?
    @OptionGroup var global: GlobalOptions

    /// Puts the entry into the local spool, and says so.
    func add(_ kind: EntryOperation, for session: ULID, _ context: CommandContext) throws {
        let entry = SpoolEntry(
            id: IDGenerator.next(), kind: kind, journalID: session, createdAt: Clock.now(), device: device,
            payload: .object { $0.member("session_id", JSONText(session)) })
        try context.libraryWriter.enqueue(entry, as: .queueAdd)
        Output.done("queued: \(entry.id)", global.json ? entry.json : nil)
    }
}

/// `trace queue add session remove`
struct QueueAddSessionRemove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Queue the deletion of a session: it goes into the bin.",
        discussion:
            "What was queued for it before is written first; what comes after waits until it is restored.")

    @OptionGroup var options: WholeSessionOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(options.global)
            try options.add(.removeSession, for: context.sessionID(nil), context)
        }
    }
}

/// `trace queue add session restore`
struct QueueAddSessionRestore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Queue the return of a deleted session out of the bin.",
        discussion: "--session takes its whole id, or what 'trace session restore' takes.")

    @OptionGroup var options: WholeSessionOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(options.global)
            guard let typed = options.global.session else {
                throw CommandFailure(
                    .usage, "which session?",
                    cure: "give it with --session; 'trace session restore' lists those in the bin")
            }
            let id: ULID
            if let whole = ULID(typed.uppercased()) {
                id = whole
            } else {
                let deleted = try context.libraryWriter.deleted(typed, from: context.workingDirectory)
                guard let known = deleted.session.id else {
                    throw CommandFailure(
                        .badData, "the session has no valid id",
                        cure: "bring it back with 'trace session restore'")
                }
                id = known
            }
            try options.add(.restoreSession, for: id, context)
        }
    }
}
