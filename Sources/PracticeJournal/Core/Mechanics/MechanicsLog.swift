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
    init?(_ note: NoteEntry) {
        guard let skill = Self.skill(in: note.note, detail: note.detail) else { return nil }
        self.skill = skill
        competency = Competency.found(in: note.note ?? "")
        self.note = note
    }

    /// The skill that a note is about, or what else it names as such; nil if the note is about something else.
    static func skill(in note: String?, detail: String?) -> String? {
        let text = "\(detail ?? "") \(note ?? "")"
        let skills = FlipperSkill.found(in: text)
        let bytes = Array(text.lowercased().utf8)
        guard !skills.isEmpty || signs.contains(where: bytes.contains) else { return nil }
        return skills.first?.name ?? detail ?? "Mechanics"
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
    /// How well it went, oldest first: 1 to 5, as the others.
    package let series: [Int]
    package var latest: Int? { series.last }
    package let average: Double?
    /// The mean of the second half less the mean of the first, which is the smaller one; nil for less than two.
    package let trend: Double?

    /// - Parameter logs: Those of the skill, oldest first.
    package init(of skill: String, in logs: [MechanicsLog]) {
        self.skill = skill
        count = logs.count
        series = logs.compactMap(\.competency)
        let values = series.map(Double.init)
        average = Halves.mean(values[...])
        trend = Halves(values).map { $0.later - $0.earlier }
    }
}
