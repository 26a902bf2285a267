internal import ArgumentParser
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFormat
internal import TraceStore

/// `trace queue flush`
struct QueueFlush: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flush", abstract: "Write what waits into its sessions.",
        discussion: """
            However often an entry is delivered, its record stands in the session once. What can't be written now stays \
            in the queue. Exit status 1 where an entry was refused, 75 where one failed and stays.
            """)

    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let workplace = try Workplace(global)
            var isIncomplete = false
            let outcomes = try drain(workplace) { error in
                isIncomplete = true
                CommandFailure(error).report()
            }
            if global.json {
                Output.json(.array(outcomes.map(\.json)))
            } else {
                for outcome in outcomes { Output.line(outcome.text) }
                Output.line(Self.summary(outcomes))
            }
            try Self.judge(outcomes, isIncomplete: isIncomplete)
        }
    }

    private func drain(_ workplace: Workplace, report: (StoreError) -> Void) throws -> [DrainOutcome] {
        let candidates = workplace.locator.candidates()
        let sessions = Dictionary(grouping: candidates.filter { $0.session.id != nil }, by: \.session.id)
        return try Drain(workplace.queue, runtimeDirectory: workplace.settings.runtimeDirectory) { id in
            sessions[id]?.map(\.path) ?? []
        }.run(report: report)
    }

    private static func summary(_ outcomes: [DrainOutcome]) -> String {
        guard !outcomes.isEmpty else { return "flushed: nothing waited" }
        var counts: [(name: String, count: Int)] = []
        for outcome in outcomes {
            if let index = counts.firstIndex(where: { $0.name == outcome.result.name }) {
                counts[index].count += 1
            } else {
                counts.append((outcome.result.name, 1))
            }
        }
        return "flushed: " + counts.map { "\($0.count) \($0.name)" }.joined(separator: ", ")
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
                .tryAgain, "not everything could be written; what is left stays in the queue")
        }
        if refused > 0 {
            throw CommandFailure(
                .negative, "\(counted(refused, "entry", "entries")) refused",
                hint: "look into failed/ of the state directory: the reason stands beside each")
        }
    }
}

extension DrainOutcome {
    fileprivate var text: String {
        let what = entry.map { $0.kind.recordKind.noun } ?? "entry"
        let place = session.map { " in \($0.lastComponent?.escaped ?? $0.escaped)" } ?? ""
        let reason = result.reason.map { ": \($0)" } ?? ""
        return "\(result.name)\t\(id)\t\(what)\(place)\(reason)"
    }

    fileprivate var json: JSONText {
        .object { object in
            object.member("id", JSONText(id))
            object.member("result", JSONText(result.name))
            object.member("reason", result.reason.map { JSONText($0) })
            object.member("kind", entry.map { JSONText($0.kind.rawValue) })
            object.member("session", session.map { JSONText($0.escaped) })
            object.member("spool", JSONText(spool.escaped))
        }
    }
}
