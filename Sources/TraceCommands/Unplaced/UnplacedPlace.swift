internal import ArgumentParser
internal import RecordFormat
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace unplaced place ID [SESSION]`
struct UnplacedPlace: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "place", abstract: "Put a moment that is kept into its session.",
        discussion: """
            It stands where the session's clock was at that moment. Without a session, it is put into the one whose clock covers the moment. \
            'trace undo' takes it out again.
            """)

    @Argument(help: "The moment's id or its beginning, or last.")
    var id: String
    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @Flag(help: "Allow a moment after the session's end.")
    var force = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let library = context.libraryWriter
            let kept = try library.keptMoment(named: id)
            let placed = try library.place(kept, in: try target(of: kept, context), isForced: force)
            let offset = placed.offset
            let outcome = placed.outcome
            switch outcome?.result {
            case .applied?, .alreadyApplied?:
                if let path = outcome?.session, let session = try? SessionCandidate(reading: path) {
                    context.notice("at \(offset) (\(offset.milliseconds) ms)\nin \(session.shownName)")
                }
            case nil: context.notice("queued: the session could not be written now")
            case let result?:
                context.notice("\(result.name)\(result.reason.map { ": \($0)" } ?? "")")
            }
            let result = outcome?.result.name ?? "waiting"
            Output.done(
                "placed: \(placed.entry.id)",
                global.json
                    ? .object { object in
                        object.member("id", JSONText(placed.entry.id))
                        object.member("session_id", JSONText(placed.entry.journalID))
                        object.member("offset_ms", JSONText(offset))
                        object.member("result", JSONText(result))
                    } : nil)
        }
    }

    private func target(of kept: KeptMoment, _ context: CommandContext) throws -> SessionTarget {
        if context.selector(session) != nil { return try context.target(session) }
        let covering = context.libraryWriter.covering()(kept.moment.wallTime)
        guard covering.count == 1, let only = covering.first else {
            let names = covering.map(\.path.escaped).joined(separator: ", ")
            throw CommandFailure(
                covering.isEmpty ? .noSession : .usage,
                covering.isEmpty
                    ? "no session's clock covers \(kept.moment.wallTime)"
                    : "the clocks of \(covering.count) sessions cover \(kept.moment.wallTime): \(names)",
                cure: "name the session: \(verb: "unplaced place \(kept.id) SESSION")")
        }
        return try SessionTarget(reading: only.path)
    }
}
