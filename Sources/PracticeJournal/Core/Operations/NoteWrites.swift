internal import RecordFormat

/// Something was noted about a game, or without one about all.
package struct NoteWrite: PracticeWrite {
    let game: String
    private let category: NoteCategory
    private let detail: String?
    private let note: String

    /// - Parameters:
    ///   - detail: What of the category it is about.
    ///   - note: Skills that it names are tagged.
    package init(game: String, category: NoteCategory = .general, detail: String? = nil, note: String) {
        self.game = game
        self.category = category
        self.detail = detail?.trimmedOrNil
        // Tags alone are not a note.
        self.note = note.isBlank ? "" : FlipperSkill.tagged(note, detail: detail)
    }

    static let category = Parameter<NoteCategory?>(
        "category", "general, shots, modes, multiball or strategy")
    static let detail = Parameter<String?>("detail", "What of it the note is about")
    static let note = Parameter<String>("note", "The note")

    init(_ asked: Arguments) {
        self.init(
            game: asked[.gameIfAny] ?? "", category: asked[Self.category] ?? .general,
            detail: asked[Self.detail], note: asked[Self.note])
    }

    package func outcome(_ context: WriteContext) throws(WriteRejection) -> PracticeOutcome {
        guard !note.isEmpty else { throw .note }
        let game = context.game(game)
        return .adding(
            .note(
                id: context.id(.note), game: game, category: category.rawValue, detail: detail, note: note,
                time: context.time),
            .row(
                id: context.id(.journal), game: game, action: .noteAdded, noteCategory: category.rawValue,
                noteDetail: detail, note: note, time: context.time))
    }
}

/// How well a skill went; it becomes a note.
struct MechanicsWrite: PracticeWrite {
    private let note: NoteWrite

    /// - Parameters:
    ///   - skill: Blank for none in particular.
    ///   - competency: 1 to 5.
    /// - Throws: ``WriteRejection`` for another competency.
    init(game: String, skill: String, competency: Int, note: String?) throws(WriteRejection) {
        self.note = NoteWrite(
            game: game, detail: skill,
            note: try ComposedText.mechanicsNote(skill: skill, competency: competency, note: note))
    }

    static let skill = Parameter<String?>("skill", "The skill: Post Pass, Live Catch, …")
    static let competency = Parameter<Int>("competency", "How well it went, from 1 to 5")
    static let note = Parameter<String?>("note", "A note")

    init(_ asked: Arguments) throws(ArgumentProblem) {
        do throws(WriteRejection) {
            try self.init(
                game: asked[.gameIfAny] ?? "", skill: asked[Self.skill] ?? "",
                competency: asked[Self.competency], note: asked[Self.note])
        } catch { throw ArgumentProblem(error).within(Self.competency.declared.name) }
    }

    package var remembered: [ResumeSlots.Change] { [ResumeSlots.Change(.quickMechanics, note.game)] }

    package func outcome(_ context: WriteContext) throws(WriteRejection) -> PracticeOutcome {
        try note.outcome(context)
    }
}

/// The note about a game as a whole; a blank one is taken away, and a changed one is also noted in the journal.
package struct GameNoteWrite: PracticeWrite {
    private let game: String
    private let note: String

    package init(game: String, note: String) {
        self.game = game
        self.note = note.trimmed
    }

    static let note = Parameter<String?>("note", "The note; an empty one is removed", as: .argument)

    init(_ asked: Arguments) { self.init(game: asked[.game], note: asked[Self.note] ?? "") }

    package func outcome(_ context: WriteContext) throws(WriteRejection) -> PracticeOutcome {
        let game = try context.requiredGame(game)
        let old = context.document.gameNotes.last { $0.game == game }?.note
        if (old ?? "") == note { return .nothing("the note is the same") }
        var change = DocumentChange()
        if !note.isEmpty {
            let written = try NoteWrite(game: game, detail: "Game Note", note: note).outcome(context)
            if case .change(let records, _) = written { change = records }
        }
        change.members = [.map(.gameSummaryNotes, game, note.isEmpty ? nil : JSONText(note))]
        return .change(change)
    }
}

extension DocumentChange.MemberChange {
    static func map(_ map: PracticeMap, _ game: String, _ value: JSONText?) -> Self {
        Self(map.rawValue, game, value)
    }
}
