internal import ArgumentParser
internal import RecordFormat
internal import TraceFormat
internal import TraceLibrary
internal import TraceText

/// Prints findings grouped by session, as they arrive.
final class FindingReport {
    private let format: FindingFormat
    private var groups = 0
    /// What was checked: `session`, or `journal` if there were others among them.
    private var noun = "session"
    private var counts: [Rule.Severity: Int] = [:]
    private let log: FindingsLog?
    private var documents: JSONArrayBuffer

    init(format: FindingFormat) {
        self.format = format
        log =
            format == .sarif
            ? FindingsLog(version: TraceCommand.configuration.version, .commandLine) : nil
        documents = JSONArrayBuffer(before: log?.before ?? [], after: log?.after ?? [])
    }

    /// - Parameter name: What a line for people calls what was checked: the directory as it was typed.
    func add(_ found: SessionFindings, named name: String) {
        groups += 1
        if found.kind != .session { noun = "journal" }
        for finding in found.findings { counts[finding.severity, default: 0] += 1 }
        switch format {
        case .text: Self.show(found.findings, of: name)
        case .json: documents.add(found.json(.commandLine))
        case .sarif: log?.results(found).forEach { documents.add($0) }
        }
    }

    func finish() {
        switch format {
        case .text: if groups != 1 || !counts.isEmpty { Output.line(summary) }
        case .json, .sarif: documents.finish()
        }
    }

    /// How many findings are at least that grave.
    func count(atLeast severity: Rule.Severity) -> Int {
        counts[.error, default: 0] + (severity == .warning ? counts[.warning, default: 0] : 0)
    }

    /// What is said on standard error where the exit status tells of findings.
    var failure: String {
        groups == 1
            ? "the \(noun) does not conform to the format" : "not every \(noun) conforms to the format"
    }

    private var summary: String {
        let errors = counted(counts[.error, default: 0], "error")
        let warnings = counted(counts[.warning, default: 0], "warning")
        return "\(errors) and \(warnings) in \(counted(groups, noun))"
    }

    private static func show(_ findings: [Finding], of name: String) {
        let isInOrder = !findings.contains { $0.severity == .error }
        Output.line("\(isInOrder ? "ok: " : "")\(name)")
        Output.lines(
            findings.lazy.flatMap { finding in
                [
                    "  \(finding.severity.rawValue): \(finding.description.visibleLine)",
                    "    hint: \(finding.rule.cureText)",
                ]
            })
    }
}
