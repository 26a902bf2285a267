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
            var isIncomplete = false
            let drain = context.libraryWriter.drain()
            let outcomes = try drain.run(report: { error in
                isIncomplete = true
                CommandFailure(error).tell()
            })
            do {
                try drain.removeOutdated(retention: context.settings.queueRetention)
            } catch {
                context.notice("warning: expired queue entries could not be removed: \(error)")
            }
            Output.note(done: Self.summary(outcomes))
            if global.json {
                Output.json(.array(outcomes.map(\.json)))
            } else {
                for outcome in outcomes { Output.line(outcome.text) }
                Output.line(Self.summary(outcomes))
            }
            try Self.judge(outcomes, isIncomplete: isIncomplete)
        }
    }

    private static func summary(_ outcomes: [DrainOutcome]) -> String {
        guard !outcomes.isEmpty else { return "flushed: nothing waited" }
        return "flushed: " + tally(outcomes.map(\.result.name))
    }

    private static func judge(_ outcomes: [DrainOutcome], isIncomplete: Bool) throws {
        var refused = 0
        var isIncomplete = isIncomplete
        for outcome in outcomes {
            switch outcome.result {
            case .failed: isIncomplete = true
            case .conflict, .rejected: refused += 1
            default: continue
            }
        }
        if isIncomplete {
            throw CommandFailure(
                .tryAgain, "not everything could be written; the rest stays in the queue")
        }
        if refused > 0 {
            throw CommandFailure(
                .negative, "\(counted(refused, "entry", "entries")) refused",
                hint: "'trace queue show ID' shows why; then 'trace queue retry ID' or 'trace queue drop ID'")
        }
    }
}

extension DrainOutcome {
    /// A line for people.
    var text: String {
        let what = entry.map { $0.kind.recordKind.noun } ?? "entry"
        let place = session.map { " in \($0.lastComponent?.escaped ?? $0.escaped)" } ?? ""
        let reason = result.reason.map { ": \($0)" } ?? ""
        return "\(result.name)\t\(id)\t\(what)\(place)\(reason)"
    }

    /// The outcome with the keys of docs/cli-json.md.
    var json: JSONText {
        .object { object in
            object.member("id", JSONText(id))
            object.member("result", JSONText(result.name))
            object.member("reason", result.reason.map { JSONText($0) })
            object.member("kind", entry.map { JSONText($0.kind.rawValue) })
            object.session(at: session, entry?.sessionID)
            object.member("spool", JSONText(spool.escaped))
        }
    }
}
