internal import ArgumentParser
internal import TraceFormat
internal import TraceStore

/// `trace session close`
struct SessionClose: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "close", abstract: "End an active session.")

    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @Option(
        help: ArgumentHelp(
            "When it ended, if not now: 2026-02-04T21:40, in local time or with Z behind it.",
            valueName: "time"))
    var at: String?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let workplace = try Workplace(global)
            let end = try at.map { try TypedMoment.past($0, "--at", in: workplace.zone) }
            let target = try workplace.target(session)
            let path = target.path
            let duration = try workplace.writer(target).close(at: end)
            Output.done(
                "closed: \(workplace.name(of: path, typed: session)) (duration \(duration.milliseconds)ms)",
                asJSON: global.json
            ) { object in
                object.member("id", target.session.id.map { JSONText($0) })
                object.member("path", JSONText(path.escaped))
                object.member("duration_ms", JSONText(duration))
            }
        }
    }
}
