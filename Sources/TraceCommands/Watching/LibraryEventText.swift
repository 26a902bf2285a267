internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceText

/// How `trace watch` represents what has happened.
extension LibraryEvent {
    /// The line for a person.
    ///
    /// - Parameter zone: The zone of the time.
    func text(in zone: ZoneRules) -> String {
        let name = session.map { title.flatMap { $0.isEmpty ? nil : $0 } ?? $0.lastComponent?.escaped ?? "/" }
        let parts = [
            zone.time(of: at), name ?? "queue",
            subject == .queue ? "" : subject.rawValue.replacing("_", with: " "),
            change == .added ? "" : change.rawValue, record?.offset?.description ?? "", words,
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "  ").oneLine
    }

    private var words: String {
        if let finding { return "\(finding.severity.rawValue): \(finding)" }
        if let entry {
            let kind = entry.kind.map { $0.rawValue.replacing("_", with: " ") }
            return [kind, entry.id.description].compactMap(\.self).joined(separator: " ")
        }
        guard let record else { return "" }
        let tags = record.tags.isEmpty ? nil : "(\(record.tags.joined(separator: ", ")))"
        return [record.text, tags, subject == .action ? record.detail : nil]
            .compactMap(\.self).joined(separator: " ")
    }
}
