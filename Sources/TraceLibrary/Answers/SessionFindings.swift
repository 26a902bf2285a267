package import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceFormat

/// What was checked, and what of it breaks a rule.
package struct SessionFindings: Sendable {
    /// What findings can be about.
    package enum Subject: Sendable {
        /// A session: its directory, and its id unless that is missing or broken.
        case session(FilePath, ULID?)
        /// A file that is of no session, by what messages call it.
        case file(String)
    }

    /// What was checked.
    let subject: Subject
    /// In the order of files and places.
    package let findings: [Finding]
    /// What kind of journal it is about.
    package internal(set) var kind = JournalKind.session

    /// These findings.
    package init(_ subject: Subject, _ findings: [Finding]) {
        self.subject = subject
        self.findings = findings
    }

    /// The session and its findings, with the keys of docs/cli-json.md.
    package func json(_ form: AnswerForm) -> JSONText {
        .object { object in
            switch subject {
            case .session(let path, let id): object.session(at: path, id, form)
            case .file(let name): object.member("file", JSONText(name))
            }
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
            object.member("cure", JSONText(rule.cureText))
        }
    }
}
