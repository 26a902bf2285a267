internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace action run`
struct ActionRunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run an action for a session.",
        discussion: """
            ID is the name of an action, or the id of a request that 'trace action list --requested' shows. The result is written \
            into the session's actions.jsonl. Exit status 1 where the action failed.
            """)

    @Argument(
        help: ArgumentHelp(
            "The session (optional), and the action or request.", valueName: "session> <id"))
    var names: [String]
    @Option(
        name: .customLong("input"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("An input of the action; may be repeated.", valueName: "key=value"),
        transform: words)
    var inputs: [String] = []
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if names.isEmpty { throw ValidationError("missing <dir> or <action-id> for action run") }
        if names.count > 2 { throw ValidationError("too many arguments for action run") }
    }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            ActionCommand.failInterrupted(context)
            let target = try context.target(names.count == 2 ? names[0] : nil)
            let path = target.path
            guard try SessionReader(target.directory).identity(of: .session) != nil else {
                throw FileError(
                    .notFound, "there is no session.json", path: path, cure: "give a session directory")
            }
            let request = try request(names[names.count - 1], in: target)
            let settings = context.settings
            let program = try ActionProgram(named: request.action, in: settings.actions)
            let runner = ActionRunner(
                program, for: target, state: settings.stateDirectory,
                runtimeDirectory: settings.runtimeDirectory,
                timeout: settings.actionTimeout)
            Interruption.installHandlers()
            let (id, outputs) = try runner.run(request: request.id, inputs: request.inputs) {
                Interruption.isAsked
            }
            let run = EndedRun(id: id, action: request.action, outputs: outputs)
            Output.done("action: \(run.action) succeeded (\(id))", global.json ? run.json : nil)
        }
    }

    /// What is to be run.
    private struct Request {
        /// The id of the line that asks for it, nil if the command line does.
        var id: ULID?
        var action: String
        /// A JSON object.
        var inputs: [UInt8]?
    }

    private func request(_ text: String, in session: SessionTarget) throws -> Request {
        guard let id = ULID(text.uppercased()) else {
            return Request(action: text, inputs: typedInputs)
        }
        let runs = try SessionReader(session.directory).authoritative(
            .action, where: { $0.id == id }, ActionRun.init)
        guard let run = runs.first else {
            throw StoreError(
                .noSuchRecord, "action request not found: \(id)",
                path: session.path.appending("actions.jsonl"),
                cure: "list the ids with \(verb: "action list --requested")")
        }
        guard inputs.isEmpty else {
            throw CommandFailure(.usage, "a request has its own inputs", cure: "omit \(option: "input")")
        }
        let given = try JSONObjectEditor(run.line).text(of: "inputs").map { JSONText.compacted(Array($0)) }
        return Request(id: id, action: run.value.action, inputs: given)
    }

    /// The pairs of the command line as an object; what is not a pair is left out, as existing scripts expect.
    private var typedInputs: [UInt8]? {
        let pairs = inputs.compactMap { text -> (String, String)? in
            guard let sign = text.firstIndex(of: "="), sign != text.startIndex else { return nil }
            return (String(text[..<sign]), String(text[text.index(after: sign)...]))
        }
        if pairs.isEmpty { return nil }
        // A key that is given twice has its last value.
        let last = Dictionary(pairs, uniquingKeysWith: { $1 })
        var seen: Set<String> = []
        let keys = pairs.map(\.0).filter { seen.insert($0).inserted }
        return JSONText.object { object in
            for key in keys { object.member(key, last[key].map { JSONText($0) }) }
        }.bytes
    }
}
