internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace session close`
struct SessionClose: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "close", abstract: "End an active session.",
        discussion: """
            With --at last it ends at its last record, for a session that nobody closed. Markers after the end are reported.
            """)

    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @Option(
        help: ArgumentHelp(
            "When it ended, if not now: 21:40, 2026-02-04T21:40, or last for its last record.",
            valueName: "time"))
    var at: String?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let target = try context.target(session, isPresent: true)
            let path = target.path
            let closed = try context.libraryWriter.close(target, at: end(context))
            let (duration, behind) = (closed.duration, closed.markersBehindEnd)
            context.warn(of: closed.setBack)
            let length = Output.length(duration)
            let facts = Output.isTerminal ? length + Self.end(of: path, context) : "duration \(length)"
            Output.done(
                "closed: \(context.name(of: path, typed: session)) (\(facts))",
                global.json ? closed.json(.commandLine) : nil)
            guard behind > 0 else { return }
            let next = duration.next ?? duration
            let stand = behind == 1 ? "a marker is" : "\(behind) markers are"
            context.warn(
                "\(stand) after the end at \(duration.clock)",
                cure:
                    "'trace markers list \(path.escaped.asShellWord) --offset-min \(next.milliseconds)' shows "
                    + "them, and 'trace undo' undoes the closing")
        }
    }

    /// When a session ended that has just been closed, for a person.
    private static func end(of path: FilePath, _ context: CommandContext) -> String {
        // It is closed, whether this can be read or not.
        guard let end = (try? SessionReader(path).header().session)?.endTime, let zone = try? context.zone
        else { return "" }
        return ", ended \(zone.minuteText(end))"
    }

    private func end(_ context: CommandContext) throws -> SessionEnd {
        guard let at else { return .now }
        if at == "last" { return .lastRecord }
        let moment = try context.past(at, "--at")
        // As it was understood: errors have it in UTC.
        if Output.isTerminal { context.notice("at \(try context.zone.exactText(moment))") }
        return .moment(moment)
    }
}
