internal import ArgumentParser
internal import TraceFormat
internal import TraceLibrary
internal import TraceText

/// `trace validate-fixtures`
struct ValidateExamplesCommand: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate-fixtures",
        abstract: "Check the built-in examples of the format.",
        discussion: """
            One record of each kind, with all its keys. Reads no file: it shows that this program \
            checks correctly.
            """)

    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let checked = try RecordKind.allCases.map { (name: Self.name(of: $0), found: try Self.check($0)) }
            let failed = checked.contains { !$0.found.findings.isEmpty }
            if global.json || failed {
                let report = FindingReport(format: global.json ? .json : .text)
                for (name, found) in checked { report.add(found, named: name) }
                report.finish()
            } else {
                Output.lines(checked.map { "ok: \($0.name)" })
            }
            guard !failed else { throw CommandFailure(.negative, "an example breaks a rule") }
        }
    }

    private static func name(of kind: RecordKind) -> String { String(kind.fileName.prefix { $0 != "." }) }

    private static func check(_ kind: RecordKind) throws -> SessionFindings {
        SessionFindings(
            .file(kind.fileName),
            try StandardInputCheck.findings(inRecord: Array(kind.example.utf8), kind))
    }
}
