internal import RecordFormat
internal import TraceText

/// A checked session and its findings.
struct FindingGroup {
    /// The session's directory; or the file, where ``isFile``.
    let path: String
    /// Whether it is about a file that is of no session, or standard input.
    var isFile = false
    /// What a line for people calls it: the directory as it was typed.
    let name: String
    let id: ULID?
    let findings: [Finding]
}

/// Prints findings grouped by session, as they arrive.
final class FindingReport {
    private let format: FindingFormat
    private var groups = 0
    private var counts: [Rule.Severity: Int] = [:]
    private var documents: JSONArrayBuffer

    init(format: FindingFormat) {
        self.format = format
        let (before, after) = format == .sarif ? SARIF.log : ([], [])
        documents = JSONArrayBuffer(before: before, after: after)
    }

    func add(_ group: FindingGroup) {
        groups += 1
        for finding in group.findings { counts[finding.severity, default: 0] += 1 }
        switch format {
        case .text: Self.show(group)
        case .json: documents.add(group.json)
        case .sarif:
            for finding in group.findings { documents.add(SARIF.result(finding, in: group.path).visible) }
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
            ? "the session does not conform to the format" : "not every session conforms to the format"
    }

    private var summary: String {
        let errors = counted(counts[.error, default: 0], "error")
        let warnings = counted(counts[.warning, default: 0], "warning")
        return "\(errors) and \(warnings) in \(counted(groups, "session"))"
    }

    private static func show(_ group: FindingGroup) {
        let isInOrder = !group.findings.contains { $0.severity == .error }
        Output.line("\(isInOrder ? "ok: " : "")\(group.name)")
        Output.lines(
            group.findings.lazy.flatMap { finding in
                [
                    "  \(finding.severity.rawValue): \(finding.description.visibleLine)",
                    "    hint: \(finding.rule.cure)",
                ]
            })
    }
}

extension FindingGroup {
    /// The session and its findings, with the keys of docs/cli-json.md.
    fileprivate var json: JSONText {
        .object { object in
            object.member(isFile ? "file" : "session_path", JSONText(path))
            object.member("session_id", id.map { JSONText($0) })
            object.member("findings", .array(findings.map(\.json)))
        }
    }
}

extension Finding {
    /// The finding with the keys of docs/cli-json.md.
    var json: JSONText {
        .object { object in
            object.member("rule", JSONText(rule.id))
            object.member("severity", JSONText(severity.rawValue))
            object.member("file", JSONText(place.file))
            object.member("line", place.line > 0 ? JSONText(Int64(place.line)) : nil)
            object.member("column", place.column > 0 ? JSONText(Int64(place.column)) : nil)
            object.member("byte_offset", place.line > 0 ? JSONText(Int64(place.byteOffset)) : nil)
            object.member("message", JSONText(message))
            object.member("cure", JSONText(rule.cure))
        }
    }
}
