internal import ArgumentParser
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFormat
internal import TraceStore

/// `trace validate`
struct ValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate", abstract: "Check sessions against the format.",
        discussion: """
            Each finding names the file, the line, the column, the byte, the rule and the cure; 'trace explain RULE' says \
            more. With --kind, one file of that kind is read from standard input.

            Exit status 1 where there are errors, with --fail-on warning also where there are warnings.
            """)

    @Argument(help: "The sessions.")
    var sessions: [String] = []
    @Flag(help: "Check every session below the roots.")
    var all = false
    @Option(help: "Check one file from standard input: session, timeline, marker, voice_note, transcript or action.", transform: oneOfItsWords)
    var kind: RecordKind?
    @Option(help: "How findings are printed: text, json or sarif.")
    var format: FindingFormat?
    @Option(help: "From which severity on the exit status is 1: error or warning.", transform: oneOfItsWords)
    var failOn = Rule.Severity.error
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if kind != nil, all || sessions.contains(where: { $0 != "-" }) {
            throw ValidationError("--kind reads standard input; leave the sessions out")
        }
    }

    func run() throws {
        try CommandFailure.explaining {
            let report = FindingReport(format: format ?? (global.json ? .json : .text))
            try check(report.add)
            report.finish()
            guard report.count(atLeast: failOn) == 0 else { throw CommandFailure(.negative, report.failure) }
        }
    }

    /// Hands over what was checked, one session after the other, so that no more than one's findings are held.
    private func check(_ add: (FindingGroup) -> Void) throws {
        if let kind { return add(try StandardInputCheck(kind).group()) }
        let workplace = try Workplace(global)
        for path in try paths(workplace) {
            let inspection = try Inspection(of: path, settleTime: workplace.settings.settleTime)
            add(FindingGroup(path: path.escaped, id: inspection.session.id, findings: inspection.findings))
        }
    }

    private func paths(_ workplace: Workplace) throws -> [FilePath] {
        if all { return workplace.locator.roots.flatMap { SessionFinder.sessions(in: $0) } }
        if sessions.isEmpty { return [try workplace.session(nil)] }
        return try sessions.map { try workplace.session($0) }
    }
}

/// How findings are printed.
enum FindingFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, sarif
}

/// Reads one of the words of an enumeration.
func oneOfItsWords<Word: RawRepresentable & CaseIterable>(_ text: String) throws -> Word where Word.RawValue == String {
    if let word = Word(rawValue: text) { return word }
    let words = Word.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    throw ValidationError("'\(text)' is not one of \(words)")
}
