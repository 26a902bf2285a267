internal import ArgumentParser
internal import TraceFiles
internal import TraceFormat

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
            let groups = try RecordKind.allCases.map { try Self.check($0) }
            let failed = groups.contains { !$0.findings.isEmpty }
            if global.json || failed {
                let report = FindingReport(format: global.json ? .json : .text)
                groups.forEach(report.add)
                report.finish()
            } else {
                Output.lines(groups.map { "ok: \($0.name)" })
            }
            guard !failed else { throw CommandFailure(.negative, "an example breaks a rule") }
        }
    }

    private static func check(_ kind: RecordKind) throws -> FindingGroup {
        FindingGroup(
            path: kind.fileName, isFile: true, name: String(kind.fileName.prefix { $0 != "." }), id: nil,
            findings: try StandardInputCheck.findings(inRecord: Array(kind.example.utf8), kind))
    }
}
