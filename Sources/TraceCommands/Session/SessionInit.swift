internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceLibrary
internal import TraceStore

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
            let typed = try start.map { try TimeArgument.past($0, "--start", in: context.zone) }
            let recording = try from.map { try PastRecording(context.absolute(FilePath(argument: $0))) }
            let now = Clock.now()
            let moment = try typed ?? recording?.start() ?? now
            let (path, id) = try make(context, startingAt: moment, now)
            let made = "created: \(path.escaped) (id \(id))"
            Output.note(done: made)
            if typed == nil, recording != nil {
                context.notice(
                    "it began at \(try context.zone.exactText(moment)): the file's last change minus its duration"
                )
            }
            let media = try recording?.add(to: path, startingAt: moment, context)
            let added = media.map { "\nmedia: \($0.id) (\($0.path))" } ?? ""
            Output.done(made + added, asJSON: global.json) { object in
                object.session(at: path, id)
                object.member("media_id", media.map { JSONText($0.id) })
                object.member("media_path", media.map { JSONText($0.path) })
            }
            if !context.roots.find(path) {
                let roots = context.settings.roots.map(\.escaped).joined(separator: ", ")
                context.warn(
                    "it is below none of the roots (\(roots)): 'trace mark' finds it only if the session is given",
                    hint:
                        "add the directory above it to 'roots' in the configuration, or create sessions below a root"
                )
            }
        }
    }

    private func make(
        _ context: CommandContext, startingAt start: Timestamp, _ now: Timestamp
    ) throws -> (path: FilePath, id: ULID) {
        if let directory {
            let path = context.absolute(FilePath(argument: directory))
            return (path, try make(at: path, start, now, context))
        }
        let names = NewSessionName(title: title, date: try context.zone.date(of: start))
        var number = 1
        while true {
            guard let root = context.settings.roots.first, let name = names[number] else {
                throw CommandFailure(.usage, "there is no root in which to create the session")
            }
            let path = root.appending(name)
            do { return (path, try make(at: path, start, now, context)) } catch let error as FileError
                where error.code == .alreadyExists && number < 100
            {
                number += 1
            }
        }
    }

    private func make(
        at path: FilePath, _ start: Timestamp, _ now: Timestamp, _ context: CommandContext
    ) throws -> ULID {
        try context.makeMissingRoot(for: path)
        return try SessionWriter.create(
            at: path, title: title, start: start, created: now,
            runtimeDirectory: context.settings.runtimeDirectory)
    }
}
