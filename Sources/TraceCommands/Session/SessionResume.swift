internal import ArgumentParser
internal import TraceFormat
internal import TraceStore

/// `trace session resume`
struct SessionResume: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Let the clock of a paused session go on.",
        discussion: "It goes on from the offset at which 'trace session pause' stopped it.")

    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let workplace = try Workplace(global)
            let path = try workplace.session(session)
            let (offset, length) = try workplace.writer(path).resume()
            let name = workplace.name(of: path, typed: session)
            Output.done(
                "resumed: \(name) (at \(offset.milliseconds)ms, paused for \(length)ms)", asJSON: global.json
            ) { object in
                object.member(
                    "id", (try? SessionCandidate(reading: path).session.id).map { JSONText($0) })
                object.member("path", JSONText(path.escaped))
                object.member("offset_ms", JSONText(offset))
                object.member("pause_ms", JSONText(length))
            }
        }
    }
}
