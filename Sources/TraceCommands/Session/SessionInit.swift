internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace session init`
struct SessionInit: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Create a new, active session.",
        discussion: """
            Without a directory, the session is created in the first root, named after the date and the title, if there is one. \
            A missing root is created, too.

            For an earlier recording, --start says when it began, and --from adds it to the session. With --from \
            alone, the start is computed from the file: its last change minus its duration. The session stays open; --close \
            ends it with the recording, and 'trace session close --at' at any time.
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
    @Flag(help: "With --from, close the session at the recording's end.")
    var close = false
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard close, from == nil else { return }
        throw ValidationError("--close needs the recording that the session ends with: --from <file>")
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
            Output.note(done: made + added)
            session.duration = try recording?.end(path, startingAt: moment, isWanted: close, context)
            let closed =
                session.duration.map { "\nclosed: \(path.escaped) (duration \($0.milliseconds)ms)" } ?? ""
            Output.done(made + added + closed, global.json ? session.json(.commandLine) : nil)
            context.warnIfOutsideRoots(
                path, "'trace mark' finds it only if the session is given", "sessions")
            if session.duration == nil { noticeOthers(besides: path, context, now) }
        }
    }

    /// Names the other sessions that are open, and how to end them: a mark without a session would have to choose.
    private func noticeOthers(besides path: FilePath, _ context: CommandContext, _ now: Timestamp) {
        let open = OpenSessions(in: context, now: now)
        for session in open.choices.filter({ $0.path != path }).prefix(3) {
            let state = open.forgotten.first { $0.session == session }?.state
            let idle = state.map { ", though nothing has happened in it for \($0.ageText)" } ?? ", too"
            context.notice(
                "\(session.shownName) is still open\(idle); '\(session.closing(isForgotten: state != nil))' ends it"
            )
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

    /// The directory and the title. A bare word outside the roots may have been meant as the title, which a person at a terminal is asked.
    private func meant(_ context: CommandContext) -> (directory: String?, title: String) {
        guard let directory, title.isEmpty, !directory.utf8.contains(UInt8(ascii: "/")),
            Confirmation.hasTerminal
        else { return (directory, title) }
        let path = context.absolute(FilePath(argument: directory))
        guard !context.settings.roots.contains(where: { path.lies(in: $0) }), !PathCheck.isTaken(path) else {
            return (directory, title)
        }
        let root = context.settings.roots[0].escaped
        Output.error(
            "'\(directory)' would be the directory \(path.escaped), which is below none of the roots")
        guard Confirmation.isGiven(for: "is it the title of a session in \(root)?") else {
            return (directory, title)
        }
        return (nil, directory)
    }

    private func make(
        _ context: CommandContext, startingAt start: Timestamp, _ now: Timestamp
    ) throws -> CreatedSession {
        let onRoot = { (root: FilePath) in context.notice("created the root directory \(root.escaped)") }
        let (directory, title) = meant(context)
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
            return try MediaReport.adding(media, from: file, to: target, as: .addMedia, context).added
        } catch {
            let failure = CommandFailure(error)
            throw CommandFailure(
                failure.status,
                "\(session.escaped) was created, but without its recording: \(failure.report?.headline ?? "")",
                cure: failure.report?.cure)
        }
    }

    /// Closes the session at the recording's end, or says how.
    ///
    /// - Returns: How long it was, if it was closed.
    fileprivate func end(
        _ session: FilePath, startingAt start: Timestamp, isWanted: Bool, _ context: CommandContext
    ) throws -> SessionOffset? {
        guard let duration = media.duration else {
            context.notice("it is open: how long the recording is, is not known")
            return nil
        }
        let end = start.adding(duration)
        guard isWanted else {
            context.notice(
                "it is open; to end it with the recording: trace session close \(session.string.asShellWord) "
                    + "--at \(end) (next time, --close does)")
            return nil
        }
        let closed = try context.libraryWriter.close(SessionTarget(reading: session), at: .moment(end))
        context.warn(of: closed.setBack)
        return closed.duration
    }
}
