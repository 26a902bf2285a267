/// A row of the journal as people read it.
///
/// Source: docs/spec/practice.md#the-text-of-a-row.
package struct RowText: Sendable {
    private let row: JournalRow
    private let game: String
    /// Whether the name of the game is part of the structured form.
    private let isNamed: Bool

    /// - Parameter game: The name of the game that the row is about.
    package init(_ row: JournalRow, game: String) { self.init(row, game: game, isNamed: true) }

    private init(_ row: JournalRow, game: String, isNamed: Bool) {
        self.row = row
        self.game = game
        self.isNamed = isNamed
    }

    /// In one line, and without the game, which stands beside it: ` / ` is where another line begins, but behind the heading.
    static func brief(_ row: JournalRow) -> String {
        let lines = RowText(row, game: "", isNamed: false).structured.split(separator: "\n")
        guard let heading = lines.first, heading.hasSuffix(":"), lines.count > 1 else {
            return lines.joined(separator: " / ")
        }
        return "\(heading) \(lines.dropFirst().joined(separator: " / "))"
    }

    /// How a row is written.
    package enum Style: String, CaseIterable, Sendable {
        /// What was done, its value, its note and the game, each on a line.
        case structured
        /// A sentence: the older form.
        case line
    }

    /// The row in a style.
    func text(_ style: Style) -> String {
        switch style {
        case .structured: structured
        case .line: line
        }
    }

    /// The note as it is written; nil if it is blank.
    private var note: String? { row.note.flatMap { $0.isBlank ? nil : $0 } }

    // MARK: - On several lines

    /// What was done, with its value and note, and the game.
    package var structured: String {
        guard let word = row.action else { return "\(mark)\(game)" }
        return switch word.known {
        case .rulesheetRead: lines("Rulesheet:", progress ?? "Read rulesheet", note)
        case .tutorialWatch: lines("Tutorial Video:", videoProgress, note)
        case .gameplayWatch: lines("Gameplay Video:", videoProgress, note)
        case .playfieldViewed: lines("Playfield:", "Viewed playfield", note)
        case .gameBrowse: "Browsed\(isNamed ? " \(game)" : "")"
        case .practiceSession: practice
        case .scoreLogged: score.map { "Score: \($0)\(named) (\(context))" } ?? scoreWithoutValue
        case .noteAdded: addedNote
        case nil: "\(word.text)\(named)"
        }
    }

    private func lines(_ texts: String?...) -> String {
        (texts.compactMap { $0 } + (isNamed ? ["\(mark)\(game)"] : [])).joined(separator: "\n")
    }

    /// What the name of the game begins with.
    private var mark: String { isNamed ? "• " : "" }
    /// The name of the game behind something.
    private var named: String { isNamed ? " • \(game)" : "" }

    private var progress: String? { row.percent.map { "Progress: \($0)%" } }

    private var videoProgress: String {
        row.videoValue.map { "Progress: \($0)" } ?? progress ?? "Updated progress"
    }

    private var practice: String {
        if let practiceProgress { return practiceProgress }
        let practice = PracticeNote(row.note)
        // In one line the value says itself what it is about.
        return lines(isNamed ? "Practice:" : nil, practice.value, practice.note.isEmpty ? nil : practice.note)
    }

    private var addedNote: String {
        guard let category = row.noteCategory else {
            return lines(note.map { "Note: \($0)" } ?? "Added note")
        }
        if category.known == .general, row.noteDetail?.trimmed.lowercased() == "game note" {
            return lines("Game Note:", note ?? "Added game note")
        }
        return lines(
            "\(category.label) note\(detail): \(note ?? "Added \(category.label.lowercased()) note")")
    }

    // MARK: - On one line

    /// The older form: a sentence.
    package var line: String {
        guard let word = row.action else { return "• \(game)" }
        return switch word.known {
        case .rulesheetRead:
            row.percent.map { "Read \($0)% of \(game) rulesheet" } ?? note ?? "Read \(game) rulesheet"
        case .tutorialWatch: videoLine("Tutorial")
        case .gameplayWatch: videoLine("Gameplay")
        case .playfieldViewed: note ?? "Viewed \(game) playfield"
        case .gameBrowse: "Browsed \(game)"
        case .practiceSession: practiceProgress ?? note ?? "Logged practice for \(game)"
        case .scoreLogged: score.map { "Logged \($0) on \(game) (\(context))" } ?? scoreWithoutValue
        case .noteAdded:
            row.noteCategory.map { "\($0.label) note for \(game)\(detail): \(row.note ?? "")" } ?? note
                ?? "Added note for \(game)"
        case nil: "\(word.text) • \(game)"
        }
    }

    private func videoLine(_ kind: String) -> String {
        if let value = row.videoValue { return "\(kind) for \(game): \(value)" }
        if let percent = row.percent { return "\(kind) for \(game): \(percent)% complete" }
        return note ?? "Updated \(kind.lowercased()) progress for \(game)"
    }

    // MARK: - In both

    private var practiceProgress: String? {
        row.percent.map { "Practice progress \($0)%\(isNamed ? " on \(game)" : "")" }
    }

    /// Nil if the row has no score, or does not say where it was played.
    private var score: String? {
        row.scoreContext == nil ? nil : row.score.map(ScoreText.text)
    }

    private var scoreWithoutValue: String { note ?? "Logged score\(isNamed ? " for \(game)" : "")" }

    private var context: String {
        guard let context = row.scoreContext else { return "" }
        guard context.known == .tournament, let name = row.tournament?.trimmedOrNil else {
            return context.label
        }
        return "\(context.label): \(name)"
    }

    private var detail: String { row.noteDetail?.trimmedOrNil.map { " (\($0))" } ?? "" }
}
