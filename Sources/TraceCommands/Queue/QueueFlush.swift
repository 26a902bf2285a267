internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace queue flush`
struct QueueFlush: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "flush", abstract: "Write the waiting entries into their sessions.",
        discussion: """
            However often an entry is delivered, its record is written once. What can't be written now stays \
            in the queue. Exit status 1 if an entry was refused, 75 if one failed and stays.
            """)

    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let flush = try context.libraryWriter.flush(retention: context.settings.queueRetention) {
                CommandFailure($0).tell()
            }
            if let problem = flush.cleanupProblem {
                context.notice("warning: expired queue entries could not be removed: \(problem)")
            }
            let summary = Self.summary(flush.outcomes)
            Output.note(done: summary)
            if global.json {
                Output.json(.array(flush.outcomes.map { $0.json(.commandLine) }))
            } else {
                for outcome in flush.outcomes { Output.line(outcome.text) }
                Output.line(summary)
            }
            try Self.judge(flush)
        }
    }

    private static func summary(_ outcomes: [DrainOutcome]) -> String {
        guard !outcomes.isEmpty else { return "flushed: nothing waited" }
        return "flushed: " + tally(outcomes.map(\.result.name))
    }

    private static func judge(_ flush: FlushOutcome) throws {
        if flush.isIncomplete {
            throw CommandFailure(
                .tryAgain, "not everything could be written; the rest stays in the queue")
        }
        let refused = flush.refusedCount
        if refused > 0 {
            throw CommandFailure(
                .negative, "\(counted(refused, "entry", "entries")) refused",
                cure: [
                    "\(verb: "queue show ID") shows why",
                    "then \(verb: "queue retry ID") or \(verb: "queue drop ID")",
                ])
        }
    }
}

extension DrainOutcome {
    /// A line for people.
    var text: String {
        let what = entry?.kind.noun ?? "entry"
        let place = session.map { " in \($0.lastComponent?.escaped ?? $0.escaped)" } ?? ""
        let reason = result.reason.map { ": \($0)" } ?? ""
        return "\(result.name)\t\(id)\t\(what)\(place)\(reason)"
    }
}
