internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace session init`
struct SessionInit: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Create a new, active session.",
        discussion: """
            Without a directory, the session is created in the first root, named after the date and the title. A missing root \
            is created, too.

            For an earlier recording, --start says when it began, and --from adds it to the session. With --from \
            alone, the start is computed from the file: its last change minus its duration. 'trace session close --at' \
            says when it ended.
            """)

    @Argument(help: "The session's directory; it must not exist yet.")
    var directory: String?
    @Option(parsing: .unconditional, help: "The title.", transform: words)
    var title = ""
    @Option(
        help: ArgumentHelp(
            "When it began, if not now: 2026-02-04T20:15 in local time, or with Z in UTC.",
            valueName: "time"))
    var start: String?
    @Option(
        help: ArgumentHelp("A recording to add to the session, at its start.", valueName: "file"),
        completion: .file())
    var from: String?
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard directory == nil, title.isEmpty else { return }
        throw ValidationError(
            "missing <directory> for session init, or a --title to create one in the first root")
    }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let typed = try start.map { try context.past($0, "--start") }
            let recording = try from.map { try opened($0, context) }
            let now = Clock.now()
            let moment = try typed ?? recording.map { try began($0, context, now) } ?? now
            var session = try make(context, startingAt: moment, now)
            let path = session.path
            let made = "created: \(path.escaped) (id \(session.id))"
            Output.note(done: made)
            if typed == nil, recording != nil {
                context.notice(
                    "it began at \(try context.zone.exactText(moment)): the file's last change minus its duration"
                )
            }
            session.media = try recording?.add(to: path, startingAt: moment, context)
            let added = session.media.map { "\nmedia: \($0.id) (\($0.path))" } ?? ""
            Output.done(made + added, global.json ? session.json(.commandLine) : nil)
            if !context.roots.find(path) {
                let roots = context.settings.roots.map(\.escaped).joined(separator: ", ")
                context.warn(
                    "it is below none of the roots (\(roots)): 'trace mark' finds it only if the session is given",
                    cure:
                        "add the directory above it to 'roots' in the configuration, or create sessions below a root"
                )
            }
        }
    }

    /// When a recording began, by its file.
    private func began(
        _ recording: PastRecording, _ context: CommandContext, _ now: Timestamp
    ) throws -> Timestamp {
        try recording.start(in: context.zone, now: now) { context.notice("warning: \($0.text)") }
    }

    private func opened(_ typed: String, _ context: CommandContext) throws -> PastRecording {
        let progress = context.progress("reading the recording")
        defer { progress.finish() }
        let recording = try PastRecording(context.absolute(FilePath(argument: typed))) {
            Interruption.isAsked
        } onProgress: {
            progress.update($0)
        }
        progress.finish()
        for warning in recording.warnings { context.notice("warning: \(warning.text)") }
        return recording
    }

    private func make(
        _ context: CommandContext, startingAt start: Timestamp, _ now: Timestamp
    ) throws -> CreatedSession {
        let onRoot = { (root: FilePath) in context.notice("created the root directory \(root.escaped)") }
        if let directory {
            return try context.libraryWriter.createSession(
                at: context.absolute(FilePath(argument: directory)), title: title, start: start, now: now,
                onRoot: onRoot)
        }
        return try context.libraryWriter.createSession(
            inFirstOf: context.settings.roots.prefix(1), title: title, start: start, in: context.zone,
            now: now, onRoot: onRoot)
    }
}

extension PastRecording {
    /// Takes the recording into the session that was made for it, and says how to close that.
    fileprivate func add(to session: FilePath, startingAt start: Timestamp, _ context: CommandContext) throws
        -> AddedMedia
    {
        Interruption.installHandlers()
        do {
            let target = try SessionTarget(reading: session)
            let report = try MediaReport.adding(media, from: file, to: target, as: .addMedia, context)
            if let duration = media.duration {
                context.notice(
                    "to end it with the recording: trace session close \(session.string.asShellWord) "
                        + "--at \(start.adding(duration))")
            }
            return report.added
        } catch {
            let failure = CommandFailure(error)
            throw CommandFailure(
                failure.status,
                "\(session.escaped) was created, but without its recording: \(failure.report?.headline ?? "")",
                cure: failure.report?.cure)
        }
    }
}
