internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceText

/// `trace validate`
struct ValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate", abstract: "Check sessions and other journals against their formats.",
        discussion: """
            Each finding gives the file, line, column, byte, rule and cure; 'trace explain RULE' says \
            more. With --kind, one file of that kind is read from standard input.

            Exit status 1 if there are errors; with --fail-on warning, also if there are warnings.
            """)

    @Argument(help: "The sessions, or other journals.")
    var sessions: [String] = []
    @Flag(help: "Check every session and every other journal below the roots.")
    var all = false
    @Option(
        help:
            "Check one file from standard input: session, timeline, marker, voice_note, transcript or action.",
        completion: .words(RecordKind.self), transform: parseChoice)
    var kind: RecordKind?
    @Option(help: "How findings are printed: text, json or sarif.")
    var format: FindingFormat?
    @Option(
        help: "The lowest severity for which the exit status is 1: error or warning.",
        completion: .words(Rule.Severity.self), transform: parseChoice)
    var failOn = Rule.Severity.error
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if kind != nil, all || sessions.contains(where: { $0 != "-" }) {
            throw ValidationError("--kind reads standard input; omit the sessions")
        }
        if all, !sessions.isEmpty || global.session != nil {
            throw ValidationError("give sessions, or use --all, not both")
        }
        if global.json, let format, format != .json {
            throw ValidationError("use --format or --json, not both")
        }
    }

    func run() throws {
        try CommandFailure.explaining {
            let report = FindingReport(format: format ?? (global.json ? .json : .text))
            let unreadable = try check { report.add($0, named: $1) }
            report.finish()
            if let unreadable { throw CommandFailure(unreadable.status, "not everything could be checked") }
            guard report.count(atLeast: failOn) == 0 else { throw CommandFailure(.negative, report.failure) }
        }
    }

    /// Hands over what was checked, one session after the other, so that no more than one's findings are held.
    ///
    /// - Returns: Why something could not be read, which has been said by then; the rest is checked anyway.
    private func check(_ add: (SessionFindings, _ name: String) -> Void) throws -> CommandFailure? {
        if let kind {
            add(try StandardInputCheck(kind).findings(), StandardInputCheck.name)
            return nil
        }
        let context = try CommandContext(global)
        var unreadable: CommandFailure?
        func report(_ error: any Error) {
            let failure = CommandFailure(error)
            failure.tell()
            unreadable = failure
        }
        let question = FindingsQuestion(settleTime: context.settings.settleTime)
        for target in try targets(context, report) {
            do {
                add(
                    try question.findings(
                        of: target.path, temporaryDirectory: context.temporaryDirectory), target.name)
            } catch { report(error) }
        }
        return unreadable
    }

    /// The sessions, and what the answer calls them.
    private func targets(_ context: CommandContext, _ report: (any Error) -> Void) throws -> [(
        path: FilePath, name: String
    )] {
        if all {
            return FindingsQuestion.sessions(below: context.roots, report: report).map { ($0, $0.escaped) }
        }
        let arguments: [String?] = sessions.isEmpty ? [nil] : sessions
        return try arguments.map { argument in
            let path = try context.readJournal(argument)
            return (path, context.name(of: path, typed: argument))
        }
    }
}

/// How findings are printed.
enum FindingFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, sarif
}

/// Reads one of the words of an enumeration.
func parseChoice<Word: RawRepresentable & CaseIterable>(_ text: String) throws -> Word
where Word.RawValue == String {
    if let word = Word(rawValue: text) { return word }
    let words = Word.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    throw ValidationError("'\(text)' is not one of \(words)")
}
