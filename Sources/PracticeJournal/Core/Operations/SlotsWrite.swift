internal import RecordFormat

/// Slots get other values: `{"practice-quick-game-score":"G1"}`; a blank text empties one. The time at which a game was looked at is
/// that of the write.
///
/// Source: practice.md, section 11.
package struct SlotsWrite: PracticeWrite {
    private let changes: [ResumeSlots.Change]

    init(_ payload: WritePayload) throws(WriteRejection) {
        var changes: [ResumeSlots.Change] = []
        for (name, value) in payload.members where !value.isNull {
            guard let slot = ResumeSlots.Slot(rawValue: name) else {
                let names = ResumeSlots.Slot.allCases.map(\.rawValue).joined(separator: ", ")
                throw WriteRejection("There is no slot '\(name)'; the slots are \(names).")
            }
            guard let text = value.string?.trimmed else { throw WriteRejection("\(name) must be a text.") }
            if slot == .journalFilter, !text.isEmpty, TimelineFilter(rawValue: text) == nil {
                let words = TimelineFilter.allCases.map(\.rawValue).joined(separator: ", ")
                throw WriteRejection("\(name) must be one of \(words).")
            }
            changes.append(ResumeSlots.Change(slot, text))
        }
        self.changes = changes
    }

    package func outcome(_ context: WriteContext) throws(WriteRejection) -> WriteOutcome {
        changes.isEmpty ? .nothing("no slots") : .slots(changes)
    }
}
