internal import RecordFormat
internal import TraceFormat

extension Digest {
    /// The digest as Markdown, with a newline at the end.
    ///
    /// What users wrote is in it escaped and on one line, so that no label can become structure.
    public func markdown() -> String {
        var lines = ["# \(heading.markdown)", facts.joined(separator: " · "), ""]
        lines.append(counts.map { "\($0.name) \($0.count)" }.joined(separator: " · "))
        if let strip {
            lines += ["", "```text"] + strip.rows() + ["```"]
        }
        lines += Self.section("Notable moments", notable) { "- \(Self.line(for: $0))" }
        lines += Self.section("To fix", fixes) { "- [ ] \(Self.line(for: $0, omitting: .fix))" }
        lines += Self.section("Voice notes", voiceNotes) { "- **\($0.offset.clock)** \($0.excerpt.markdown)" }
        lines += Self.section("Actions", actions, line(for:))
        lines += Self.section("Problems", note: problemCounts, problems, Self.line(for:))
        return lines.joined(separator: "\n") + "\n"
    }

    /// A heading and a list below it; nothing where the list is empty.
    static func section<Item>(
        _ heading: String, note: String? = nil, _ list: TruncatedList<Item>, _ line: (Item) -> String
    ) -> [String] {
        if list.items.isEmpty { return [] }
        let more = list.more > 0 ? ["- +\(list.more) more"] : []
        return ["", "## \(heading)\(note.map { ": \($0)" } ?? "")"] + list.items.map(line) + more
    }

    /// `**6:12** Label (Category, until 6:48, voice note) — note`
    static func line(for moment: Moment, omitting omitted: MarkerCategory? = nil) -> String {
        let facts = moment.facts(omitting: omitted).map(\.text.markdown).joined(separator: ", ")
        let note = moment.note.map { " — \($0.markdown)" } ?? ""
        return
            "**\(moment.marker.offset.clock)** \(moment.name.markdown)\(facts.isEmpty ? "" : " (\(facts))")\(note)"
    }

    func line(for action: ActionRun) -> String {
        let date = action.createdAt.map { " (\(zone.minuteText($0)))" } ?? ""
        let error = action.shownError.map { " — \($0.markdown)" } ?? ""
        return "- **\(action.outcome)** \(action.shownName.markdown)\(date)\(error)"
    }

    private static func line(for finding: Finding) -> String {
        let text = "\(finding.shownPlace.markdown): \(finding.shownMessage.markdown)"
        return "- **\(finding.severity.rawValue)** \(text) [\(finding.rule.id)]"
    }
}
