package import RecordFormat
internal import TraceFiles
internal import TraceFormat

extension LibraryEvent {
    /// The line of `trace watch --json`, and of the HTTP API's events.
    package func json(_ form: AnswerForm = .commandLine) -> JSONText {
        .object { object in
            object.member("at", JSONText(at))
            object.member("kind", JSONText(subject.rawValue))
            object.member("event", JSONText(change.rawValue))
            object.session(at: session, sessionID, form)
            object.member("title", title.map { JSONText($0) })
            object.member("id", id.map { JSONText($0) })
            object.member("offset_ms", offset.map { JSONText($0) })
            // As it may stand in the file, it may have white space that ends a line elsewhere.
            object.member("record", line.map { JSONText(verbatim: JSONText.compacted($0)) })
            guard let finding else { return }
            object.member("rule", JSONText(finding.rule.id))
            object.member("severity", JSONText(finding.severity.rawValue))
            object.member("file", JSONText(finding.place.file))
            object.member("line", finding.place.line > 0 ? JSONText(Int64(finding.place.line)) : nil)
            object.member("message", JSONText(finding.message))
        }
    }
}
