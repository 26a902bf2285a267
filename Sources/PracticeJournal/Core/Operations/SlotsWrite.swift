internal import RecordFormat

/// Slots get other values: `{"practice-quick-game-score":"G1"}`; a blank text empties one. The time at which a game was looked at is
/// that of the write.
///
/// Source: docs/practice.md#slots.
struct SlotsWrite: PracticeWrite {
    private let changes: [ResumeSlots.Change]

    static let slots = Parameter<[ArgumentValue.Member]>(
        "slots", "Slots and what they are to hold; NAME= empties one", placeholder: "name=value",
        isRest: true)

    init(_ asked: Arguments) throws(ArgumentProblem) {
        var changes: [ResumeSlots.Change] = []
        for member in asked[Self.slots] where member.value != .null {
            do { changes.append(try Self.change(member)) } catch { throw error.within(member.name) }
        }
        self.changes = changes
    }

    private static func change(
        _ member: ArgumentValue.Member
    ) throws(ArgumentProblem) -> ResumeSlots.Change {
        guard let slot = ResumeSlots.Slot(rawValue: member.name) else {
            let names = ResumeSlots.Slot.allCases.map(\.rawValue).joined(separator: ", ")
            throw .refused("There is no slot '\(member.name)'; the slots are \(names).")
        }
        guard let text = member.value.string?.trimmed else {
            throw ArgumentProblem("", .malformed(ValueType.anyText.told))
        }
        if slot == .journalFilter, !text.isEmpty, TimelineFilter(rawValue: text) == nil {
            throw ArgumentProblem("", .malformed(ValueType.choice(of: TimelineFilter.self).told))
        }
        if slot == .leagueAutoFill, !["", ResumeSlots.on].contains(text) {
            throw .refused("The slot '\(slot.rawValue)' holds '\(ResumeSlots.on)', or nothing.")
        }
        return ResumeSlots.Change(slot, text)
    }

    package func outcome(_ context: WriteContext) throws(WriteRejection) -> PracticeOutcome {
        changes.isEmpty ? .nothing("no slots") : .slots(changes)
    }
}
