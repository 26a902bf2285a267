/// A note that says how well a player can do something with the flippers.
///
/// Source: docs/spec/practice.md#mechanics.
package struct MechanicsLog: Sendable {
    /// The name of the skill, or what else the note is about.
    package let skill: String
    /// 1 to 5.
    package let competency: Int?
    package let note: NoteEntry

    /// Nil if the note is about something else.
    package init?(_ note: NoteEntry) {
        let text = "\(note.detail ?? "") \(note.note ?? "")"
        let skills = FlipperSkill.found(in: text)
        let bytes = Array(text.lowercased().utf8)
        guard !skills.isEmpty || Self.signs.contains(where: bytes.contains) else { return nil }
        skill = skills.first?.name ?? note.detail ?? "Mechanics"
        competency = Competency.found(in: note.note ?? "")
        self.note = note
    }

    private static let signs = ["#mechanics", "competency"].map { Array($0.utf8) }

    /// The logs among the notes, oldest first.
    package static func logs(in notes: some Sequence<NoteEntry>) -> [MechanicsLog] {
        notes.compactMap(MechanicsLog.init).enumerated().sorted {
            ($0.element.note.time ?? 0, $0.offset) < ($1.element.note.time ?? 0, $1.offset)
        }.map(\.element)
    }
}

/// How a player's competency in a skill has been.
package struct SkillSummary: Sendable {
    package let skill: String
    /// How many logs there are.
    package let count: Int
    /// 1 to 5, as the others.
    package let latest: Int?
    package let average: Double?
    /// The mean of the second half less the mean of the first, which is the smaller one; nil for less than two.
    package let trend: Double?

    /// - Parameter logs: Those of the skill, oldest first.
    package init(of skill: String, in logs: [MechanicsLog]) {
        self.skill = skill
        count = logs.count
        let values = logs.compactMap(\.competency)
        latest = values.last
        average = Self.mean(values[...])
        let half = max(1, values.count / 2)
        guard values.count > 1, let before = Self.mean(values[..<half]),
            let after = Self.mean(values[half...])
        else {
            trend = nil
            return
        }
        trend = after - before
    }

    private static func mean(_ values: ArraySlice<Int>) -> Double? {
        values.isEmpty ? nil : Double(values.reduce(0, +)) / Double(values.count)
    }
}
