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
            let target = try context.target(session)
            let path = target.path
            let duration = try context.writer(target).close(at: end(of: target, context))
            let behind = try Self.markers(in: path, behind: duration)
            Output.done(
                "closed: \(context.name(of: path, typed: session)) (duration \(duration.milliseconds)ms)",
                asJSON: global.json
            ) { object in
                object.session(target)
                object.member("duration_ms", JSONText(duration))
                object.member("markers_behind_end", behind > 0 ? JSONText(Int64(behind)) : nil)
            }
            guard behind > 0 else { return }
            let stand = behind == 1 ? "a marker is" : "\(behind) markers are"
            context.warn(
                "\(stand) after the end at \(duration.clock)",
                hint:
                    "'trace markers list \(path.escaped.asShellWord) --offset-min \(duration.milliseconds + 1)' shows "
                    + "them, and 'trace undo' undoes the closing")
        }
    }

    /// - Returns: Nil for now.
    private func end(of target: SessionTarget, _ context: CommandContext) throws -> Timestamp? {
        guard at == "last" else {
            return try at.map { try TimeArgument.past($0, "--at", in: context.zone) }
        }
        // A closed one is the store's to refuse.
        guard target.session.status != .closed else { return nil }
        let reader = SessionReader(target.directory)
        guard let last = try reader.lastMoment(of: target.session, until: Clock.now()) else {
            throw CommandFailure(
                .badData, "--at last needs a record in the past and the session's start_time",
                hint: "give the time when it ended: --at 2026-02-04T21:40")
        }
        return last
    }

    /// How many markers follow the end.
    private static func markers(in session: FilePath, behind end: SessionOffset) throws -> Int {
        let offsets =
            SessionOffset(milliseconds: end.milliseconds.addingClamped(1))...SessionOffset(milliseconds: .max)
        return try MarkersQuestion(of: session, offsets: offsets).markers(by: nil).count
    }
}
