internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceStore
internal import TraceText

/// Something that has happened, as `trace watch` tells it.
struct WatchLine {
    /// What it happened to.
    enum Kind: String {
        case session, marker, voiceNote = "voice_note", action, finding, queue
    }

    /// What happened.
    enum Event: String {
        case appeared, closed, vanished
        case added, changed, removed
        case found, resolved
        case queued, applied, rejected, dropped, taken
    }

    let kind: Kind
    let event: Event
    let at = Clock.now()
    /// The session's directory; nil for the queue.
    var session: FilePath?
    var sessionID: ULID?
    var title: String?
    /// Of the record or the entry.
    var id: ULID?
    var offset: SessionOffset?
    /// For people.
    var words = ""
    /// The record's line as it stands in the file.
    var record: [UInt8]?
    var finding: Finding?

    /// The line for a person.
    ///
    /// - Parameter zone: In which its time is told.
    func text(in zone: ZoneRules) -> String {
        let name = session.map { title.flatMap { $0.isEmpty ? nil : $0 } ?? $0.lastComponent?.escaped ?? "/" }
        let parts = [
            zone.time(of: at), name ?? "queue", kind == .queue ? "" : kind.rawValue.replacing("_", with: " "),
            event == .added ? "" : event.rawValue, offset?.description ?? "", words,
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "  ").oneLine
    }

    var json: JSONText {
        .object { object in
            object.member("at", JSONText(at))
            object.member("kind", JSONText(kind.rawValue))
            object.member("event", JSONText(event.rawValue))
            object.session(at: session, sessionID)
            object.member("title", title.map { JSONText($0) })
            object.member("id", id.map { JSONText($0) })
            object.member("offset_ms", offset.map { JSONText($0) })
            object.member("record", record.map { JSONText(verbatim: $0) })
            guard let finding else { return }
            object.member("rule", JSONText(finding.rule.id))
            object.member("severity", JSONText(finding.severity.rawValue))
            object.member("file", JSONText(finding.place.file))
            object.member("line", finding.place.line > 0 ? JSONText(Int64(finding.place.line)) : nil)
            object.member("message", JSONText(finding.message))
        }
    }
}
